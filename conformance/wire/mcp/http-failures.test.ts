import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { doorTo, endAll, result, served, failed, note, type SmallRequest } from './mcp.testing.ts'
import type { McpConnection } from './api.ts'

afterEach(endAll)

async function over(
  handle: (request: SmallRequest) => void,
  more: Parameters<typeof doorTo>[1] = {},
): Promise<McpConnection> {
  return doorTo(
    { http: `${await served(handle)}/mcp`, headers: { Authorization: 'Bearer sesame-sesame' } },
    more,
  ).connect('http')
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('failures of streamable HTTP', () => {
  const fates: Record<string, (request: SmallRequest) => void> = {
    silent: () => {},
    drips: ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    },
    breaks: ({ response }) =>
      void response
        .writeHead(200, { 'Content-Length': '100' })
        .write('{"jsonrpc"', () => response.destroy()),
    resets: ({ response }) => void response.socket!.resetAndDestroy(),
    floods: ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const more = () =>
        void (response.destroyed || response.write('x'.repeat(50_000), () => setImmediate(more)))
      more()
    },
    'no http': ({ response }) => void response.socket!.end('HELLO\r\n\r\n'),
    status: ({ response }) => void response.writeHead(503).end('later'),
    redirect: ({ response }) => void response.writeHead(307, { Location: '/other' }).end(),
    empty: ({ response }) => void response.writeHead(202).end(),
    html: ({ response }) =>
      void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    'no json': ({ response }) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a'),
    'no event': ({ response }) =>
      void response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end('data: {"a\n\ndata: x'),
    'broken gzip': ({ response }) =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end('not gzip'),
  }
  it.each([
    ['silent', 'silent', 'no end within 10 s', []],
    ['drips', 'unfinished', 'no end within 10 s', []],
    ['breaks', 'closed', 'the connection closed in the middle of the response', []],
    ['resets', 'closed', 'connection reset', []],
    ['floods', 'flood', 'the body is longer than 1000000 bytes', []],
    ['no http', 'closed', expect.stringContaining('Parse Error'), []],
    ['status', 'status', 'HTTP 503', []],
    ['redirect', 'redirect', 'HTTP 307 to "/other", which was not followed', []],
    ['empty', 'unanswered', 'HTTP 202 without a response', []],
    [
      'html',
      'unanswered',
      expect.stringContaining('without a response: the content type is "text/html"'),
      [{ code: 'content-type', text: expect.stringContaining('content type') as unknown }],
    ],
    [
      'no json',
      'unanswered',
      expect.stringContaining('not JSON'),
      [{ code: 'body-not-json', text: 'the body is not JSON: "{\\"a"' }],
    ],
    [
      'no event',
      'unanswered',
      expect.stringContaining('not JSON'),
      [
        { code: 'event-not-json', text: 'the data of an event is not JSON: "{\\"a"' },
        { code: 'event-unfinished', text: 'the event stream ended in the middle of an event' },
      ],
    ],
    ['broken gzip', 'closed', expect.stringContaining('cannot be decoded'), []],
  ])('%s', async (fate, failure, why, problems) => {
    const connection = await over((request) => fates[fate]!(request), { maxBytes: 1_000_000 })
    const exchange = await connection.request('tools/list')
    expect([exchange.failure, exchange.why, exchange.problems, exchange.response]).toEqual([
      failure,
      why,
      problems,
      undefined,
    ])
    expect(exchange.summary).toContain(`no response: ${exchange.why}`)
    // The summary contains nothing twice.
    for (const part of ['HTTP ', ...exchange.problems.map(({ text }) => text)])
      expect(exchange.summary.split(part).length).toBeLessThanOrEqual(2)
  })

  it('reports that there is no server', async () => {
    const gone = await doorTo({ http: 'http://127.0.0.1:1/mcp' }).connect('http')
    expect(await gone.request('x')).toMatchObject({
      failure: 'unreachable',
      why: 'connection refused',
    })
    expect(await gone.listen()).toMatchObject({ failure: 'unreachable' })
    const odd = await doorTo({ http: 'nowhere' }).connect('http')
    expect(await odd.notify('x')).toMatchObject({ failure: 'unreachable', why: 'Invalid URL' })
    await expect(doorTo({}).connect('sse')).rejects.toThrow('the target has no sse')
  })

  it('reports a stream on which nothing is received for too long', async () => {
    const connection = await over(({ stream }) => stream()(note('notifications/progress')))
    expect(await connection.request('x', {}, { idle: 1000 })).toMatchObject({
      failure: 'unfinished',
      why: 'nothing happened for 1 s',
      receivedCount: 1,
    })
  })

  it('reads gzip, and early refusals of large requests', async () => {
    const connection = await over(({ json, response, text }) => {
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
    const door = doorTo({ http: url, sse: `${url}/sse`, headers: { 'X-Key': 'k' } })
    const exchange = await door.http({
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
    expect(await door.http({ transport: 'sse', method: 'GET', until: 'head' })).toMatchObject({
      httpStatus: 200,
      contentType: 'text/event-stream',
      failure: undefined,
    })
    expect(seen[1]!.url).toBe('/sse')
    const endless = door.http({ method: 'GET', url: `${url}/other`, operation: 'look' })
    while (seen.length < 3) await pause(5)
    await door.close()
    expect(await endless).toMatchObject({ operation: 'look', failure: 'closed' })
    await expect(doorTo({ http: url }).http({ transport: 'sse', method: 'GET' })).rejects.toThrow(
      'the target has no sse',
    )
  })
})
