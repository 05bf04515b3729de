import { afterEach, describe, expect, it } from 'vitest'
import { ask, newTestClient, endAll, note, piped, result } from './mcp.testing.ts'

afterEach(endAll)

describe('stdio', () => {
  it('assigns responses to concurrent requests, and separates noise from messages', async () => {
    const waiting: unknown[] = []
    const stdio = piped(({ id, method }, { say }) => {
      if (method === undefined) return
      waiting.push(id)
      if (waiting.length < 30) return
      say('Server started\n\n')
      say(note('notifications/message', { level: 'info' }))
      say(ask('s', 'ping'))
      for (const one of waiting.reverse()) say(result(one, { of: one }))
    })
    const connection = await newTestClient({ stdio }).connect('stdio')
    const exchanges = await Promise.all(Array.from({ length: 30 }, () => connection.request('x')))
    expect(exchanges.map((exchange) => exchange.result)).toEqual(
      exchanges.map(({ id }) => ({ of: id })),
    )
    const noise = [
      { code: 'line-not-json', text: 'the output has a line that is not JSON: "Server started"' },
      { code: 'line-not-json', text: 'the output has a line that is not JSON: ""' },
    ]
    expect([exchanges[0]!.problems, connection.problems]).toEqual([noise, noise])
    expect(exchanges[0]).toMatchObject({
      httpStatus: undefined,
      sent: { method: 'stdio', url: 'server' },
      notifications: [{ stream: 'stdout' }],
      requests: [{ json: { id: 's' } }],
    })
  })

  it('names the call that holds up a message, also if the message times out first', async () => {
    const connection = await newTestClient({ stdio: piped(() => {}) }).connect('stdio')
    const call = connection.request('tools/call', {}, { timeout: 8000 })
    const ping = await connection.request('ping', {}, { timeout: 2000 })
    const called = await call
    expect(ping.heldUpBy).toBe(called)
    expect(ping.endedAt).toBeLessThan(called.endedAt!)
    expect(called.heldUpBy).toBeUndefined()
  })

  it('names no call that gets a response after another message has timed out', async () => {
    const stdio = piped(({ id, method }, { say }) => {
      if (method === 'tools/call') setTimeout(() => say(result(id)), 150)
    })
    const connection = await newTestClient({ stdio }).connect('stdio')
    const call = connection.request('tools/call', {}, { timeout: 60_000 })
    expect((await connection.request('ping', {}, { timeout: 2000 })).heldUpBy).toBeUndefined()
    expect((await call).result).toBeDefined()
  })

  it('reports noise before a request with that request', async () => {
    const stdio = piped(({ id }, { say }) => say(result(id)))
    const client = newTestClient({
      stdio: {
        connect: () => {
          const pipes = 'connect' in stdio ? stdio.connect() : undefined
          pipes!.output.unshift(Buffer.from('banner\n'))
          return pipes!
        },
      },
    })
    const connection = await client.connect('stdio')
    expect(await connection.until(() => connection.problems.length > 0, 1000)).toBe(true)
    expect((await connection.request('x')).problems).toEqual([
      { code: 'line-not-json', text: 'the output has a line that is not JSON: "banner"' },
    ])
    expect((await connection.request('x')).problems).toEqual([])
  })

  it('sends bytes as they are, and assigns an error without an id to them', async () => {
    const seen: string[] = []
    const stdio = piped((json, { say }, text) => {
      seen.push(text)
      if (json.id === undefined && !text.startsWith('quiet'))
        say({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse' } })
    })
    const connection = await newTestClient({ stdio }).connect('stdio')
    expect(await connection.send('{"half')).toMatchObject({
      error: { code: -32700 },
      failure: undefined,
      id: undefined,
    })
    expect(await connection.send('quiet', { timeout: 1000 })).toMatchObject({ failure: 'silent' })
    expect(await connection.send(Buffer.from('quiet 2'), { awaits: [] })).toMatchObject({
      failure: undefined,
      summary: 'no body',
    })
    expect(seen).toEqual(['{"half', 'quiet', 'quiet 2'])
  })

  it('recognizes late and repeated responses, and ids of another type', async () => {
    const stdio = piped(({ id, method }, { say }) => {
      if (method === 'late') setTimeout(() => say(result(id)), 150)
      if (method === 'text') say(result(String(id)))
      if (method === 'twice') for (const one of [1, 2]) say(result(id, { one }))
      if (method === 'batch') say([result(id), note('notifications/message')])
    })
    const connection = await newTestClient({ stdio }).connect('stdio')
    const late = await connection.request('late', {}, { timeout: 1000 })
    expect(await connection.until(() => late.late !== undefined, 20_000)).toBe(true)
    expect([late.failure, late.responses, late.problems, connection.unmatchedResponses]).toEqual([
      'silent',
      [],
      [],
      [late.late],
    ])
    const text = 'a response has the id "2", but the id 2 was sent with another type'
    expect(await connection.request('text', {}, { timeout: 1000 })).toMatchObject({
      failure: 'unfinished',
      problems: [{ code: 'wrong-id-type', text }],
    })
    const twice = await connection.request('twice')
    expect(await connection.until(() => twice.problems.length > 0, 1000)).toBe(true)
    expect(twice).toMatchObject({
      result: { one: 1 },
      problems: [{ code: 'second-response', text: 'a second response with the id 3 was received' }],
    })
    expect(await connection.request('batch')).toMatchObject({
      answer: { batch: true },
      failure: undefined,
    })
  })

  it.each([
    ['ends', { code: 3 }, '', 'closed', 'the process ended (exit code 3)', []],
    [
      'is ended by a signal',
      { signal: 'SIGSEGV' },
      '',
      'closed',
      'the process ended (signal SIGSEGV)',
      [],
    ],
    [
      'ends in the middle of a line',
      { code: 0 },
      '{"jsonrpc":',
      'closed',
      'the process ended (exit code 0)',
      [
        {
          code: 'line-unfinished',
          text: 'the output ended in the middle of a line: "{\\"jsonrpc\\":"',
        },
      ],
    ],
    ['never answers', undefined, '', 'silent', 'no complete response within 10 s', []],
    [
      'prints half a line',
      undefined,
      '{"jsonrpc":',
      'unfinished',
      'no complete response within 10 s',
      [],
    ],
    [
      'prints without an end',
      undefined,
      'x'.repeat(100_001),
      'flood',
      'a line is longer than 100000 bytes',
      [],
    ],
  ])('handles a process that %s', async (_, end, says, failure, why, problems) => {
    const stdio = piped((_, process) => {
      process.say(says)
      if (end !== undefined) process.end(end)
    })
    const client = newTestClient({ stdio }, { maxBytes: 100_000 })
    const connection = await client.connect('stdio')
    const exchange = await connection.request('x')
    expect([exchange.failure, exchange.why, exchange.problems]).toEqual([failure, why, problems])
    expect(client.endsInRequests).toEqual(end === undefined ? [] : [{ operations: ['x'], why }])
  })

  it('reports an exception of connect', async () => {
    const client = newTestClient({
      stdio: {
        connect: () => {
          throw new Error('no server')
        },
      },
    })
    expect(await client.connect('stdio')).toMatchObject({
      failure: 'unreachable',
      why: 'no server',
    })
  })
})
