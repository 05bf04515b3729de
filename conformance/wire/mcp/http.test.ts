import { afterEach, describe, expect, it } from 'vitest'
import {
  newTestClient,
  endAll,
  result,
  served,
  failed,
  note,
  ask,
  type SmallRequest,
} from './mcp.testing.ts'
import type { McpConnection } from './api.ts'

afterEach(endAll)

async function connectTo(
  handle: (request: SmallRequest) => void,
  more: Parameters<typeof newTestClient>[1] = {},
): Promise<McpConnection> {
  return newTestClient(
    { http: `${await served(handle)}/mcp`, headers: { Authorization: 'Bearer sesame-sesame' } },
    more,
  ).connect('http')
}

describe('streamable HTTP', () => {
  it('sends the session and the version of the handshake, and ends the session once', async () => {
    const seen: [string, unknown, unknown, unknown, unknown][] = []
    const connection = await connectTo(({ method, json, headers, reply, response }) => {
      seen.push([
        method,
        json.method,
        headers['mcp-session-id'],
        headers['mcp-protocol-version'],
        headers.authorization,
      ])
      if (json.method === 'initialize')
        reply(result(json.id, { protocolVersion: '2025-06-18' }), 200, { 'Mcp-Session-Id': 's-1' })
      else if (json.id !== undefined) reply(result(json.id, { tools: [] }))
      else response.writeHead(method === 'DELETE' ? 200 : 202).end()
    })
    const first = await connection.initialize({ capabilities: { elicitation: {} } })
    expect(first).toMatchObject({
      operation: 'initialize',
      kind: 'initialize success',
      id: 1,
      httpStatus: 200,
      result: { protocolVersion: '2025-06-18' },
      problems: [],
      failure: undefined,
      contentType: 'application/json',
    })
    expect(first.sent).toMatchObject({
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
    })
    expect(JSON.parse(first.sent.text!)).toMatchObject({
      params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {} } },
    })
    const listed = await connection.request('tools/list')
    expect([listed.id, listed.result, listed.summary]).toEqual([
      2,
      { tools: [] },
      'result {"tools":[]}',
    ])
    expect(await connection.terminate()).toMatchObject({
      operation: 'DELETE',
      httpStatus: 200,
      failure: undefined,
    })
    expect(connection.sessionId).toBe('s-1')
    await connection.close()
    const token = 'Bearer sesame-sesame'
    expect(seen).toEqual([
      ['POST', 'initialize', undefined, undefined, token],
      ['POST', 'notifications/initialized', 's-1', '2025-06-18', token],
      ['POST', 'tools/list', 's-1', '2025-06-18', token],
      ['DELETE', undefined, 's-1', '2025-06-18', token],
    ])
    expect((await connection.request('ping')).failure).toBe('closed')
  })

  it('ends an open session, and reports every exchange', async () => {
    const operations: string[] = []
    const url = await served(({ method, json, reply, response }) =>
      json.id === undefined
        ? response.writeHead(202).end()
        : reply(result(json.id), 200, { 'mcp-session-id': method }),
    )
    const connection = await newTestClient({ http: url }).connect('http', {
      onExchange: ({ operation, number }) => operations.push(`${number} ${operation}`),
    })
    await connection.initialize()
    await connection.close()
    expect(operations).toEqual(['1 initialize', '2 notifications/initialized', '3 DELETE'])
  })

  it('assigns responses to concurrent requests, out of order, as JSON and as events', async () => {
    const waiting: (() => void)[] = []
    const connection = await connectTo(({ json, reply, stream, response }) => {
      waiting.push(() => {
        if (Number(json.id) % 2 === 0) return reply(result(json.id, { of: json.method }))
        stream()(result(json.id, { of: json.method }))
        response.end()
      })
      if (waiting.length === 40) for (const answer of waiting.reverse()) answer()
    })
    const exchanges = await Promise.all(
      Array.from({ length: 40 }, (_, index) => connection.request(`m/${index}`)),
    )
    expect(exchanges.map((exchange) => [exchange.result, exchange.problems])).toEqual(
      exchanges.map((_, index) => [{ of: `m/${index}` }, []]),
    )
    expect(new Set(exchanges.map(({ answer }) => answer!.order)).size).toBe(40)
  })

  it('distinguishes what is received before and after the result', async () => {
    const connection = await connectTo(({ json, stream, response }) => {
      const say = stream()
      say(note('notifications/progress', { progress: 1 }))
      say(result(json.id))
      say(note('notifications/progress', { progress: 2 }))
      response.end()
    })
    const exchange = await connection.request('tools/call')
    await exchange.ended
    const [before, after] = exchange.notifications
    expect([before!.order, exchange.answer!.order, after!.order]).toEqual([1, 2, 3])
    expect(before).toMatchObject({
      kind: 'notification',
      json: { params: { progress: 1 } },
      stream: 'post',
      exchange: exchange.number,
      batch: false,
    })
    expect(connection.received).toEqual([before, after])
  })

  it('answers requests of the server while a request of the client is pending', async () => {
    const replies: unknown[] = []
    let finish = () => {}
    const connection = await connectTo(({ json, stream, response }) => {
      if (json.method === undefined) {
        replies.push(json)
        response.writeHead(202).end()
        return replies.length === 4 ? finish() : undefined
      }
      const say = stream()
      for (const [id, method] of [
        ['p', 'ping'],
        [7, 'elicitation/create'],
        [8, 'roots/list'],
        [9, 'sampling/createMessage'],
        [10, 'silent'],
      ] as const)
        say(ask(id, method, { message: 'which?' }))
      finish = () => {
        say(result(json.id))
        response.end()
      }
    })
    const mistake = new Error('mine')
    connection.onRequest = async ({ method, params }) => {
      if (method === 'elicitation/create')
        return { result: { action: 'accept', content: { of: params.message } } }
      if (method === 'sampling/createMessage') throw mistake
      return method === 'silent' ? 'silence' : undefined
    }
    const exchange = await connection.request('tools/call')
    expect(exchange.requests.map(({ json }) => json.id)).toEqual(['p', 7, 8, 9, 10])
    expect([exchange.result, connection.mistake]).toEqual([{}, mistake])
    expect(replies).toHaveLength(4)
    expect(replies).toEqual(
      expect.arrayContaining([
        result('p'),
        result(7, { action: 'accept', content: { of: 'which?' } }),
        failed(8, -32601, 'Method not found'),
        failed(9, -32603, 'the client could not answer'),
      ]),
    )
  })

  it('reports responses that no request awaits', async () => {
    const connection = await connectTo(({ json, stream, response, reply }) => {
      if (json.method === 'array') return reply([result(json.id, { in: 'array' })])
      if (json.method === 'null') return reply(failed(null, -32600), 400)
      const say = stream()
      if (json.method === 'foreign') say(result(99))
      if (json.method === 'text') say(result(String(json.id)))
      if (json.method === 'twice') for (const one of [1, 2]) say(result(json.id, { one }))
      response.end()
    })
    const problemsOf = async (method: string) => {
      const exchange = await connection.request(method)
      await exchange.ended
      return [exchange.failure, exchange.problems, exchange.responses.length]
    }
    expect(await problemsOf('foreign')).toEqual([
      'unanswered',
      [
        {
          code: 'unknown-id',
          text: 'a response has the id 99, which no request has',
        },
      ],
      0,
    ])
    expect(await problemsOf('text')).toEqual([
      'unanswered',
      [
        {
          code: 'wrong-id-type',
          text: 'a response has the id "2", but the id 2 was sent with another type',
        },
      ],
      0,
    ])
    expect(await problemsOf('twice')).toEqual([
      undefined,
      [{ code: 'second-response', text: 'a second response with the id 3 was received' }],
      2,
    ])
    expect(connection.unmatchedResponses).toHaveLength(3)
    const array = await connection.request('array')
    expect([array.result, array.answer!.batch, array.problems]).toEqual([{ in: 'array' }, true, []])
    expect(await connection.request('null')).toMatchObject({
      httpStatus: 400,
      error: { code: -32600 },
      failure: undefined,
      kind: 'null failure',
      summary: 'HTTP 400, error -32600 "no"',
    })
  })

  it('ends a batch when each of its requests is answered', async () => {
    const connection = await connectTo(({ stream, response }) => {
      const say = stream()
      say(result(2))
      setTimeout(() => {
        say([result('a')])
        response.end()
      }, 20)
    })
    const exchange = await connection.send([ask('a', 'x'), note('y'), ask(2, 'z')])
    expect(exchange.responses.map(({ json, batch }) => [json.id, batch])).toEqual([
      [2, false],
      ['a', true],
    ])
    expect(exchange).toMatchObject({ operation: 'batch', failure: undefined, problems: [] })
  })

  it('sends malformed messages, other headers, and ids of any type', async () => {
    const seen: SmallRequest[] = []
    const connection = await connectTo((request) => {
      seen.push(request)
      request.reply(failed(request.json.id ?? null, -32700), 400)
    })
    expect(await connection.send('{"half')).toMatchObject({
      operation: 'malformed',
      error: { code: -32700 },
      failure: undefined,
    })
    expect(
      (
        await connection.request('x', [1], {
          id: 'ü',
          headers: { accept: 'text/html', Authorization: undefined, 'X-More': '1' },
        })
      ).error,
    ).toMatchObject({ code: -32700 })
    expect(seen[0]!.text).toBe('{"half')
    expect(seen[1]!.json).toEqual({ jsonrpc: '2.0', id: 'ü', method: 'x', params: [1] })
    expect(seen[1]!.headers).toMatchObject({
      accept: 'text/html',
      'x-more': '1',
      'content-type': 'application/json',
    })
    expect(seen[1]!.headers.authorization).toBeUndefined()
  })

  it('listens on the GET stream, and finds late responses there', async () => {
    let say: (value: unknown) => void = () => {}
    const seen: unknown[] = []
    const connection = await connectTo(({ method, headers, stream }) => {
      if (method === 'GET') {
        seen.push(headers.accept, headers['last-event-id'])
        say = stream()
      }
    })
    const stream = await connection.listen({ lastEventId: 'e-5' })
    expect(seen).toEqual(['text/event-stream', 'e-5'])
    expect([stream!.httpStatus, stream!.failure, connection.stream]).toEqual([
      200,
      undefined,
      stream,
    ])
    const silent = await connection.request('slow', {}, { timeout: 2000 })
    expect(silent).toMatchObject({
      failure: 'silent',
      why: 'no complete response within 2 s',
      httpStatus: undefined,
      late: undefined,
    })
    say(note('notifications/message', { level: 'info' }))
    say(result(silent.id))
    expect(await connection.until(() => silent.late !== undefined, 10_000)).toBe(true)
    expect(connection.received).toMatchObject([
      { stream: 'get', exchange: stream!.number, json: { params: { level: 'info' } } },
    ])
    expect([silent.response, silent.late, silent.problems]).toMatchObject([
      undefined,
      { stream: 'get' },
      [],
    ])
    expect(await connection.until(() => false, 100)).toBe(false)
  })

  it('reports that there is no GET stream', async () => {
    const connection = await connectTo(({ reply }) => reply({ any: 'thing' }, 405))
    expect(await connection.listen()).toMatchObject({
      httpStatus: 405,
      failure: undefined,
      text: '{"any":"thing"}',
      problems: [],
    })
  })
})
