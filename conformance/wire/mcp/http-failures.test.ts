import { missingResponse } from '../missing-response.ts'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import {
  newTestClient,
  endAll,
  result,
  served,
  failed,
  note,
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

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('an HTTP connection', () => {
  const behaviors: Record<string, (request: SmallRequest) => void> = {
    'is silent': () => {},
    'never ends the body': ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    },
    'closes the connection within the body': ({ response }) =>
      void response
        .writeHead(200, { 'Content-Length': '100' })
        .write('{"jsonrpc"', () => response.destroy()),
    'resets the connection': ({ response }) => void response.socket!.resetAndDestroy(),
    'sends an endless body': ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const more = () =>
        void (response.destroyed || response.write('x'.repeat(50_000), () => setImmediate(more)))
      more()
    },
    'does not use HTTP': ({ response }) => void response.socket!.end('HELLO\r\n\r\n'),
    'returns an error status': ({ response }) => void response.writeHead(503).end('later'),
    redirects: ({ response }) => void response.writeHead(307, { Location: '/other' }).end(),
    'returns no body': ({ response }) => void response.writeHead(202).end(),
    'returns HTML': ({ response }) =>
      void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    'returns incomplete JSON': ({ response }) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a'),
    'returns an incomplete event': ({ response }) =>
      void response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end('data: {"a\n\ndata: x'),
    'returns invalid gzip': ({ response }) =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end('not gzip'),
  }
  it.each([
    ['is silent', 'silent', 'no complete response within 10 s', []],
    ['never ends the body', 'unfinished', 'no complete response within 10 s', []],
    [
      'closes the connection within the body',
      'closed',
      'the connection closed in the middle of the response',
      [],
    ],
    ['resets the connection', 'closed', 'connection reset', []],
    ['sends an endless body', 'flood', 'the body is longer than 1000000 bytes', []],
    ['does not use HTTP', 'closed', expect.stringContaining('Parse Error'), []],
    ['returns an error status', 'status', 'HTTP 503', []],
    ['redirects', 'redirect', 'HTTP 307 to "/other", which was not followed', []],
    ['returns no body', 'unanswered', 'HTTP 202 without a response', []],
    [
      'returns HTML',
      'unanswered',
      expect.stringContaining('without a response: the content type is "text/html"'),
      [{ code: 'content-type', text: expect.stringContaining('content type') as unknown }],
    ],
    [
      'returns incomplete JSON',
      'unanswered',
      expect.stringContaining('not JSON'),
      [{ code: 'body-not-json', text: 'the body is not JSON: "{\\"a"' }],
    ],
    [
      'returns an incomplete event',
      'unanswered',
      expect.stringContaining('not JSON'),
      [
        { code: 'event-not-json', text: 'the data of an event is not JSON: "{\\"a"' },
        { code: 'event-unfinished', text: 'the event stream ended in the middle of an event' },
      ],
    ],
    ['returns invalid gzip', 'closed', expect.stringContaining('cannot be decoded'), []],
  ])('reports the failure if the server %s', async (behavior, failure, why, problems) => {
    const connection = await connectTo((request) => behaviors[behavior]!(request), {
      maxBytes: 1_000_000,
    })
    const exchange = await connection.request('tools/list')
    expect([exchange.failure, exchange.why, exchange.problems, exchange.response]).toEqual([
      failure,
      why,
      problems,
      undefined,
    ])
    expect(exchange.summary).toContain(
      failure === 'status' ? exchange.why : missingResponse(exchange.why),
    )
    // The summary mentions the status and each problem at most once.
    for (const part of ['HTTP ', ...exchange.problems.map(({ text }) => text)])
      expect(exchange.summary.split(part).length).toBeLessThanOrEqual(2)
  })

  it('does not repeat a request that timed out on a connection that was used before', async () => {
    const received: unknown[] = []
    let closed = 0
    const connection = await connectTo(({ json, reply, response }) => {
      received.push(json.id)
      response.on('close', () => (closed += response.writableFinished ? 0 : 1))
      if (received.length === 1) reply(result(json.id))
    })
    await connection.request('tools/call')
    expect(await connection.request('tools/call')).toMatchObject({ failure: 'silent' })
    await expect.poll(() => closed).toBe(1)
    await pause(50)
    expect(received).toHaveLength(2)
  })

  it('reports that there is no server', async () => {
    const gone = await newTestClient({ http: 'http://127.0.0.1:1/mcp' }).connect('http')
    expect(await gone.request('x')).toMatchObject({
      failure: 'unreachable',
      why: 'connection refused',
    })
    expect(await gone.listen()).toMatchObject({ failure: 'unreachable' })
    const odd = await newTestClient({ http: 'nowhere' }).connect('http')
    expect(await odd.notify('x')).toMatchObject({ failure: 'unreachable', why: 'Invalid URL' })
    await expect(newTestClient({}).connect('sse')).rejects.toThrow('the target has no sse')
  })

  it('reports a stream that is silent for too long', async () => {
    const connection = await connectTo(({ stream }) => stream()(note('notifications/progress')))
    expect(await connection.request('x', {}, { idle: 1000 })).toMatchObject({
      failure: 'unfinished',
      why: 'nothing happened for 1 s',
      receivedCount: 1,
    })
  })

  it('reads gzip, and early refusals of large requests', async () => {
    const connection = await connectTo(({ json, response, text }) => {
      if (text.length > 1000) return response.writeHead(413).end()
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(result(json.id, { a: 'b' }))))
    })
    expect((await connection.request('x')).result).toEqual({ a: 'b' })
    expect(await connection.request('x', { text: 'x'.repeat(5_000_000) })).toMatchObject({
      httpStatus: 413,
      failure: 'status',
    })
  })
})

describe('a bare HTTP request', () => {
  it('has only the given headers and those of the client, and accepts any response', async () => {
    const seen: SmallRequest[] = []
    const url = await served((request) => {
      seen.push(request)
      if (request.method === 'GET') request.stream()(note('hello'))
      else request.reply(failed(5, -32000), 403)
    })
    const client = newTestClient({ http: url, sse: `${url}/sse`, headers: { 'X-Key': 'k' } })
    const exchange = await client.http({
      method: 'POST',
      headers: { Origin: 'http://evil.example' },
      body: { a: 1 },
    })
    expect(exchange).toMatchObject({
      operation: 'POST',
      httpStatus: 403,
      error: { code: -32000 },
      failure: undefined,
      problems: [],
    })
    expect(seen[0]).toMatchObject({
      text: '{"a":1}',
      headers: { origin: 'http://evil.example', 'x-key': 'k' },
    })
    expect(seen[0]!.headers.accept).toBeUndefined()
    expect(await client.http({ transport: 'sse', method: 'GET', until: 'head' })).toMatchObject({
      httpStatus: 200,
      contentType: 'text/event-stream',
      failure: undefined,
    })
    expect(seen[1]!.url).toBe('/sse')
    const endless = client.http({ method: 'GET', url: `${url}/other`, operation: 'look' })
    while (seen.length < 3) await pause(5)
    await client.close()
    expect(await endless).toMatchObject({ operation: 'look', failure: 'closed' })
    await expect(
      newTestClient({ http: url }).http({ transport: 'sse', method: 'GET' }),
    ).rejects.toThrow('the target has no sse')
  })
})
