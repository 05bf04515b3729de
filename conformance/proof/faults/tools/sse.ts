import type { ServerResponse } from 'node:http'
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
]
