import { afterEach, describe, expect, it } from 'vitest'
import {
  ask,
  newTestClient,
  endAll,
  failed,
  note,
  result,
  served,
  type SmallRequest,
} from './mcp.testing.ts'

afterEach(endAll)

interface PostRequest extends SmallRequest {
  /** Sends a message on the event stream. */
  say(value: unknown): void
  /** Writes to the event stream without framing. */
  write(text: string): void
  /** Ends the event stream. */
  end(): void
}

/**
 * A server of HTTP+SSE. It begins the event stream with the string that `endpoint` returns, and
 * calls the handler with each POST.
 */
async function serveSse(
  endpoint: (origin: string) => string,
  handle: (post: PostRequest) => void = () => {},
): Promise<{ origin: string; connect: ReturnType<typeof newTestClient>['connect'] }> {
  let stream: SmallRequest['response'] | undefined
  const origin: string = await served((request): unknown => {
    if (request.method === 'GET') {
      stream = request.response
      request.stream()
      return stream.write(endpoint(origin))
    }
    const write = (text: string) => void stream!.write(text)
    handle({
      ...request,
      write,
      say: (value) => write(`event: message\r\ndata: ${JSON.stringify(value)}\r\n\r\n`),
      end: () => void stream!.end(),
    })
  })
  const client = newTestClient({ sse: `${origin}/base/sse?x=1`, headers: { 'X-Key': 'k' } })
  return { origin, connect: (...given) => client.connect(...given) }
}

const endpointEvent = (data: string) => `event: endpoint\r\ndata: ${data}\r\n\r\n`
const accepted = ({ response }: SmallRequest) => void response.writeHead(202).end('Accepted')

describe('HTTP+SSE', () => {
  it.each([
    ['/messages?id=1', '/messages?id=1'],
    ['messages', '/base/messages'],
    ['?session=2', '/base/sse?session=2'],
    ['$ORIGIN/m', '/m'],
  ])('posts to the endpoint %s', async (endpoint, url) => {
    const urls: unknown[] = []
    const { origin, connect } = await serveSse(
      (origin) => endpointEvent(endpoint.replace('$ORIGIN', origin)),
      (post) => {
        urls.push([
          post.url,
          post.headers['x-key'],
          post.headers['mcp-session-id'],
          post.headers['mcp-protocol-version'],
        ])
        accepted(post)
        if (post.json.id !== undefined)
          post.say(result(post.json.id, { protocolVersion: '2024-11-05' }))
      },
    )
    const operations: string[] = []
    const connection = await connect('sse', {
      onExchange: ({ operation }) => operations.push(operation),
    })
    expect([connection.failure, connection.endpoint]).toEqual([
      undefined,
      endpoint.replace('$ORIGIN', origin),
    ])
    expect(connection.stream).toMatchObject({
      operation: 'GET',
      httpStatus: 200,
      contentType: 'text/event-stream',
      sent: { headers: { Accept: 'text/event-stream' } },
    })
    const exchange = await connection.initialize()
    expect(exchange).toMatchObject({
      httpStatus: 202,
      result: { protocolVersion: '2024-11-05' },
      answer: { stream: 'get', exchange: connection.stream!.number },
      problems: [],
      failure: undefined,
    })
    expect(JSON.parse(exchange.text)).toEqual(result(1, { protocolVersion: '2024-11-05' }))
    expect(urls).toEqual([
      [url, 'k', undefined, undefined],
      [url, 'k', undefined, undefined],
    ])
    expect(operations).toEqual(['GET', 'initialize', 'notifications/initialized'])
    expect([await connection.listen(), await connection.terminate()]).toEqual([
      connection.stream,
      undefined,
    ])
  })

  it('assigns responses to concurrent requests, with messages of the server in between', async () => {
    const waiting: unknown[] = []
    const { connect } = await serveSse(
      () => endpointEvent('/m'),
      (post) => {
        accepted(post)
        if (post.json.method === undefined) {
          post.say(note('notifications/message', { got: post.json }))
          for (const id of waiting.reverse()) post.say(result(id, { of: id }))
          return post.say(result(3))
        }
        waiting.push(post.json.id)
        if (waiting.length === 20) post.say(ask('s', 'ping'))
      },
    )
    const connection = await connect('sse')
    const exchanges = await Promise.all(Array.from({ length: 20 }, () => connection.request('x')))
    expect(exchanges.map((exchange) => exchange.result)).toEqual(
      exchanges.map(({ id }) => ({ of: id })),
    )
    expect(exchanges[0]!.notifications).toMatchObject([{ json: { params: { got: result('s') } } }])
    expect(await connection.until(() => connection.unmatchedResponses.length === 1, 10_000)).toBe(
      true,
    )
    expect(exchanges[2]!.problems).toEqual([
      { code: 'second-response', text: 'a second response with the id 3 was received' },
    ])
  })

  it('reports a refused, late or missing response to the POST', async () => {
    const { connect } = await serveSse(
      () => endpointEvent('/m'),
      (post) => {
        const { json, reply, say } = post
        if (json.method === 'refused') return void post.response.writeHead(400).end('no session')
        if (json.method === 'inline') return reply(result(json.id))
        if (json.method === 'hung') return say(failed(json.id, -1))
        if (json.method === 'late') setTimeout(() => accepted(post), 20)
        else accepted(post)
        if (json.method !== 'silent') say(result(json.id))
      },
    )
    const connection = await connect('sse')
    expect(await connection.request('refused')).toMatchObject({
      failure: 'status',
      why: 'HTTP 400',
      text: 'no session',
    })
    expect(await connection.request('late')).toMatchObject({
      failure: undefined,
      httpStatus: 202,
      result: {},
    })
    const problem = {
      code: 'message-in-post-response',
      text: 'the response to the POST contains a message, which belongs on the event stream',
    }
    expect(await connection.request('inline', {}, { timeout: 2000 })).toMatchObject({
      failure: 'silent',
      problems: [problem],
    })
    expect(await connection.request('silent', {}, { timeout: 2000 })).toMatchObject({
      failure: 'silent',
      httpStatus: 202,
      problems: [],
    })
    expect(await connection.request('hung', {}, { timeout: 2000 })).toMatchObject({
      failure: undefined,
      error: { code: -1 },
      problems: [
        {
          code: 'no-post-response',
          text: 'the response was received, but the POST was not answered',
        },
      ],
    })
  })

  it('fails pending exchanges when the stream ends, and reports its problems', async () => {
    const { connect } = await serveSse(
      () => endpointEvent('/m'),
      (post) => {
        accepted(post)
        post.write(
          `${endpointEvent('/other')}data: noise\n\ndata: "text"\n\nevent: ping\ndata: now\n\n`,
        )
        post.end()
      },
    )
    const connection = await connect('sse')
    const exchange = await connection.request('x')
    expect([exchange.failure, exchange.why]).toEqual(['closed', 'the event stream ended'])
    const problems = [
      { code: 'second-endpoint', text: 'a second endpoint event was received: "/other"' },
      { code: 'event-not-json', text: 'the data of an event is not JSON: "noise"' },
      { code: 'no-message', text: '"text" is not a JSON-RPC message' },
    ]
    expect([exchange.problems, connection.problems, connection.failure]).toEqual([
      problems,
      problems,
      'closed',
    ])
    expect(await connection.request('x')).toMatchObject({
      failure: 'closed',
      why: 'the event stream ended',
    })
  })

  it.each([
    ['no endpoint', (): string => ': nothing\n\n', 'silent', 'no complete response within 10 s'],
    [
      'another origin',
      (): string => endpointEvent('http://127.0.0.1:1/m'),
      'unanswered',
      'the endpoint "http://127.0.0.1:1/m" is on another origin',
    ],
    [
      'no URL',
      (): string => endpointEvent('http://['),
      'unanswered',
      'the endpoint "http://[" is not a URL',
    ],
  ] as const)('cannot be opened with %s', async (_, endpoint: () => string, failure, why) => {
    const { connect } = await serveSse(endpoint)
    const connection = await connect('sse')
    expect([connection.failure, connection.why]).toEqual([failure, why])
    expect((await connection.notify('x')).failure).toBe(failure)
  })

  it.each([
    [404, 'text/plain', 'status', 'HTTP 404'],
    [
      200,
      'application/json',
      'unanswered',
      'the content type is "application/json" and not text/event-stream',
    ],
    [200, 'text/event-stream', 'unanswered', 'the event stream ended without an endpoint event'],
  ] as const)(
    'cannot be opened with the status %i and the type %s',
    async (status, type, failure, why) => {
      const url: string = await served(
        ({ response }) => void response.writeHead(status, { 'Content-Type': type }).end(),
      )
      const connection = await newTestClient({ sse: url }).connect('sse')
      expect([connection.failure, connection.why, connection.stream!.httpStatus]).toEqual([
        failure,
        why,
        status,
      ])
    },
  )
})
