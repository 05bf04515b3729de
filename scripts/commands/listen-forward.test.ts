import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Command } from 'commander'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { exampleOf } from '../../generated/events/examples.ts'
import { headersOf, type Header } from '../../mocks/deliveries/headers.ts'
import { send } from '../../mocks/deliveries/send.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeListenCommand } from './listen.ts'

interface ReceivedRequest {
  method: string
  url: string
  headers: string[]
  body: Buffer
}

const servers: Server[] = []
let stop: (() => Promise<void>) | undefined
afterEach(async () => {
  await stop?.()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** Starts a receiver that records requests. */
async function receiver(answer: Answer): Promise<{ origin: string; received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', rawHeaders } = request
      received.push({ method, url, headers: rawHeaders, body: Buffer.concat(chunks) })
      answer(response, request)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** Starts the command in this process. */
async function listen(...args: string[]) {
  let out = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    out += String(chunk)
    return true
  })
  const program = new Command('touchstone')
  describeListenCommand(program.command('listen'))
  const ended = program.parseAsync(['listen', '--port', '0', ...args], { from: 'user' })
  const until = async (found: () => boolean) => {
    while (!found()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  stop = async () => {
    stop = undefined
    process.emit('SIGINT')
    await ended
  }
  await until(() => /https?:\/\/127[^\s"]+/.test(out))
  return {
    url: /https?:\/\/127[^\s"]+/.exec(out)![0],
    output: () => out,
    /** Waits until at least `count` lines of JSON are printed, and returns all lines, parsed. */
    lines: async (count: number) => {
      await until(() => out.split('\n').length > count)
      return out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    },
    end: () => stop!(),
    ended: ended.then(() => {
      stop = undefined
    }),
  }
}

const payload = JSON.stringify(exampleOf('push')!.payload)
const pushHeaders = headersOf({ event: 'push', token: 'hush-hush' })

describe('touchstone listen --forward-to', () => {
  test('forwards method, headers and bytes unchanged, and returns the response', async () => {
    const coded = gzipSync('{"thanks": true}')
    const { origin, received } = await receiver((response) => {
      response.writeHead(201, 'Stored', [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Content-Encoding', 'gzip'],
        ['Connection', 'close, X-Hop'],
        ['X-Hop', 'only here'],
      ] as never)
      response.end(coded)
    })
    vi.stubEnv('RECEIVER_SECRET', 'hush-hush')
    const command = await listen('--json', '--forward-to', `${origin}/hook?team=a`)
    const bytes = Buffer.concat([Buffer.from(payload), Buffer.from([0x0a, 0xff, 0x00])])
    const headers: Header[] = [
      ...pushHeaders,
      ['x-TWICE', '1'],
      ['X-Twice', '2'],
      ['Connection', 'keep-alive, X-Own'],
      ['X-Own', 'hop'],
      ['TE', 'trailers'],
    ]
    const sent = await send(
      { url: `${command.url}any?a=b`, method: 'PUT', headers, body: bytes },
      { rawBytes: 1000 },
    )
    expect(received).toHaveLength(1)
    const [request] = received
    expect(request).toMatchObject({ method: 'PUT', url: '/hook?team=a' })
    expect(request!.body.equals(bytes)).toBe(true)
    const pairs = Array.from({ length: request!.headers.length / 2 }, (_, index) =>
      request!.headers.slice(2 * index, 2 * index + 2),
    )
    expect(pairs.filter(([name]) => !/^connection$/i.test(name!))).toEqual([
      ['Host', origin.slice('http://'.length)],
      ...pushHeaders,
      ['x-TWICE', '1'],
      ['X-Twice', '2'],
      ['Content-Length', String(bytes.length)],
    ])
    expect(sent).toMatchObject({ status: 201, headers: { 'content-encoding': 'gzip' } })
    expect(sent.headers).not.toHaveProperty('x-hop')
    expect(sent.raw!.body.equals(coded)).toBe(true)
    expect(sent.raw!.headers.filter((value) => /^[ab]=\d$/.test(value))).toEqual(['a=1', 'b=2'])
    const [start, delivery] = await command.lines(2)
    expect(start).toMatchObject({ forwardTo: `${origin}/hook?team=a` })
    expect(delivery).toMatchObject({
      token: 'right',
      responseOutcome: 201,
      forwarded: { status: 201, durationMs: expect.any(Number), body: '{"thanks": true}' },
    })
    await command.end()
    expect((await command.lines(3)).at(-1)).toMatchObject({
      summary: { deliveries: 1, forwarded: { deliveries: 1, acknowledged: 1 } },
    })
  })

  test('keeps the path and query of the delivery if the URL has no path', async () => {
    const { origin, received } = await receiver((response) => response.end())
    const command = await listen('--json', '--forward-to', origin)
    await send({ url: `${command.url}a%2Fb/c?d=é`, headers: pushHeaders, body: payload })
    expect(received.map(({ url }) => url)).toEqual(['/a%2Fb/c?d=%C3%A9'])
  })

  test('prints the body of a response that is not 2xx, as plain text without the token', async () => {
    const { origin } = await receiver((response) => {
      const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)
      response.writeHead(422).end(`no: \u001b[31mhush-hush\u0000\n${lines.join('\n')}`)
    })
    const command = await listen('--token', 'hush-hush', '--forward-to', `${origin}/hook`)
    const sent = await send({ url: command.url, headers: pushHeaders, body: payload })
    expect([sent.status, sent.body]).toEqual([422, expect.stringContaining('hush-hush')])
    await command.end()
    expect(command.output()).toContain(`\nforwarding to ${origin}/hook\n`)
    const printed = command.output().slice(command.output().indexOf('Ctrl-C stops it'))
    expect(printed).toMatch(
      /\n\S+ {2}ok {10}push {11}token right {4}[^\n]+ {2}\/\n {14}→ 422 in [\d.]+ ms\n {16}\| no: ␛\[31m\$RECEIVER_SECRET␀\n {16}\| line 0\n/,
    )
    expect(printed).toMatch(
      /line 8…\n1 delivery: 1 ok\n1 delivery forwarded: 0 acknowledged, 1 not\n$/,
    )
  })

  test('returns 502 if the receiver is unreachable, and 504 if it does not respond', async () => {
    const { origin } = await receiver(() => {})
    const gone = servers[0]!
    const silent = await receiver(() => {})
    gone.closeAllConnections()
    await new Promise((resolve) => gone.close(resolve))
    servers.shift()
    const unreached = await listen('--forward-to', `${origin}/hook`)
    const sent = await send({ url: unreached.url, headers: pushHeaders, body: payload })
    expect([sent.status, sent.body]).toEqual([
      502,
      expect.stringMatching(/^touchstone listen: http:\S+\/hook: connect ECONNREFUSED/),
    ])
    await unreached.end()
    expect(unreached.output()).toMatch(
      /\n {14}→ unreachable in [\d.]+ ms {2}connect ECONNREFUSED \S+; the sender received 502\n/,
    )
    const late = await listen('--json', '--timeout', '50ms', '--forward-to', silent.origin)
    expect((await send({ url: late.url, headers: pushHeaders, body: payload })).status).toBe(504)
    expect((await late.lines(2))[1]).toMatchObject({
      verdict: 'ok',
      responseOutcome: 504,
      forwarded: { failure: { reason: 'timeout' } },
    })
  })

  test('when it is stopped, prints a delivery whose response is pending', async () => {
    const silent = await receiver(() => void process.emit('SIGINT'))
    const command = await listen('--forward-to', silent.origin)
    const sent = await send({ url: command.url, headers: pushHeaders, body: payload })
    expect(sent.status).toBeUndefined()
    await command.ended
    expect(command.output()).toMatch(/→ aborted .*; the sender received no response\n1 delivery: /)
  })

  const run = commandOf('listen', describeListenCommand)
  test.each([
    [['--forward-to', 'receiver:80'], '--forward-to is not the URL of a receiver'],
    [['--forward-to', 'http://h/', '--status', '500'], '--status and --forward-to exclude'],
    [['--forward-to', 'http://h/', '--timeout', '5'], 'a duration with its unit'],
    [['--timeout', '5s'], '--timeout has an effect only together with --forward-to'],
    [['--insecure'], '--insecure has an effect only together with --forward-to'],
  ])('%j is a usage error', async (args, text) => {
    expect(await run('--port', '0', ...args)).toMatchObject({
      status: 3,
      out: '',
      error: expect.stringContaining(text),
    })
  })

  test('does not forward to itself', async () => {
    const { origin } = await receiver(() => {})
    const gone = servers.shift()!
    await new Promise((resolve) => gone.close(resolve))
    const port = new URL(origin).port
    expect(
      await run('--port', port, '--forward-to', `http://localhost:${port}/hook`),
    ).toMatchObject({
      status: 3,
      error: expect.stringMatching(/the address at which this command listens.*\n.*Next: /),
    })
  })
})
