import type { ServerResponse } from 'node:http'
import { setHeader } from '../../../../mocks/stateful/tools.ts'
import {
  captureBody,
  changeHead,
  onHttpRequest,
  fault,
  over,
  pathOf,
  type MakeToolsDeviation,
} from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

/** Changes the first chunk of an event stream. */
const onFirstChunk = (change: (text: string) => string): MakeToolsDeviation =>
  over(
    ['sse'],
    onHttpRequest((request, response, hit) => {
      if (pathOf(request) === '/sse') changeFirstChunk(response, change, hit)
    }),
  )

function changeFirstChunk(
  response: ServerResponse,
  change: (text: string) => string,
  hit: Hit,
): void {
  const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
  let isFirst = true
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    if (!isFirst) return write(chunk, ...rest)
    isFirst = false
    hit()
    return write(change(String(chunk)), ...rest)
  }) as typeof response.write
}

/** Serves requests at this path whatever their origin. */
const ignoreOriginAt = (what: string, path: string) =>
  fault(
    `${what}-over-sse-for-every-origin`,
    `Accepts ${what} over HTTP+SSE from any origin.`,
    ['TOOL-SSE-05'],
    over(
      ['sse'],
      onHttpRequest((request, _response, hit) => {
        if (pathOf(request) !== path || request.headers.origin === undefined) return
        hit()
        setHeader(request, 'origin', undefined)
      }),
    ),
  )

/** Passes messages at an unknown endpoint to the connected client at this position. */
const redirectUnknownPosts =
  (position: number): MakeToolsDeviation =>
  (hit) => {
    const clients: string[] = []
    return onHttpRequest((request, response) => {
      if (pathOf(request) === '/sse')
        changeFirstChunk(
          response,
          (text) => {
            const id = /sessionId=([\w-]+)/.exec(text)?.[1]
            if (id !== undefined) clients.push(id)
            response.once('close', () => clients.splice(clients.indexOf(id ?? ''), 1))
            return text
          },
          () => {},
        )
      if (pathOf(request) !== '/messages') return
      const id = new URL(request.url ?? '', 'http://shelf').searchParams.get('sessionId')
      const client = clients.at(position)
      if (id === null || client === undefined || clients.includes(id)) return
      hit()
      request.url = `/messages?sessionId=${client}`
    })(hit)
  }

/** Faults of HTTP+SSE. */
export const events = [
  fault(
    'stream-begins-with-a-message',
    'Sends a message before the endpoint.',
    ['TOOL-SSE-02'],
    onFirstChunk(
      (text) =>
        `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n${text}`,
    ),
  ),
  fault(
    'endpoint-is-an-object',
    'Sends the endpoint as a JSON object.',
    ['TOOL-SSE-02'],
    onFirstChunk((text) => text.replace(/data: (.*)/, 'data: {"uri":"$1"}')),
  ),
  fault(
    'endpoint-under-another-name',
    'Sends the endpoint in an event with another name.',
    ['TOOL-SSE-02'],
    onFirstChunk((text) => text.replace('event: endpoint', 'event: url')),
  ),

  fault(
    'posts-are-not-accepted',
    'Returns 500 for the notification initialized, although it accepts it.',
    ['TOOL-SSE-03'],
    over(
      ['sse'],
      onHttpRequest((request, response, hit) => {
        const body = captureBody(request)
        if (pathOf(request) === '/messages')
          changeHead(response, (_status, headers) => {
            if (!body().includes('"notifications/initialized"')) return undefined
            hit()
            return { status: 500, headers }
          })
      }),
    ),
  ),
  fault(
    'posts-are-answered-twice',
    'Returns a JSON-RPC result to each POST, in addition to the response on the stream.',
    ['TOOL-SSE-03'],
    over(
      ['sse'],
      onHttpRequest((request, response, hit) => {
        if (pathOf(request) !== '/messages') return
        const end = response.end.bind(response) as (text: string) => ServerResponse
        response.end = ((text: string) => {
          hit()
          return end(text === 'Accepted' ? '{"jsonrpc":"2.0","id":null,"result":{}}' : text)
        }) as typeof response.end
      }),
    ),
  ),
  fault(
    'noise-between-events',
    'Sends an event that is not JSON before each message.',
    ['TOOL-SSE-03'],
    over(
      ['sse'],
      onHttpRequest((request, response, hit) => {
        if (pathOf(request) !== '/sse') return
        const write = response.write.bind(response) as (
          chunk: unknown,
          ...rest: unknown[]
        ) => boolean
        response.write = ((chunk: unknown, ...rest: unknown[]) => {
          const isMessage = String(chunk).includes('"jsonrpc"')
          if (isMessage) hit()
          return write(
            isMessage ? `event: message\ndata: working\n\n${String(chunk)}` : chunk,
            ...rest,
          )
        }) as typeof response.write
      }),
    ),
  ),

  ignoreOriginAt('event-streams', '/sse'),
  ignoreOriginAt('messages', '/messages'),
  fault(
    'unknown-endpoints-are-those-of-the-newest-client',
    'Handles a message at an unknown endpoint as a message of the newest client.',
    ['TOOL-SSE-04'],
    over(['sse'], redirectUnknownPosts(-1)),
  ),
  fault(
    'unknown-endpoints-are-those-of-an-earlier-client',
    'Handles a message at an unknown endpoint as a message of the client before the newest one.',
    ['TOOL-SSE-04'],
    over(['sse'], redirectUnknownPosts(-2)),
  ),
]
