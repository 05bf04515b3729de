import type { ServerResponse } from 'node:http'
import {
  bodyOf,
  changesHead,
  door,
  fault,
  over,
  pathOf,
  type MakeToolsDeviation,
} from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

/** Changes the first piece of an event stream. */
const begins = (change: (text: string) => string): MakeToolsDeviation =>
  over(
    ['sse'],
    door((request, response, hit) => {
      if (pathOf(request) === '/sse') changesFirst(response, change, hit)
    }),
  )

function changesFirst(response: ServerResponse, change: (text: string) => string, hit: Hit): void {
  const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
  let isFirst = true
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    if (!isFirst) return write(chunk, ...rest)
    isFirst = false
    hit()
    return write(change(String(chunk)), ...rest)
  }) as typeof response.write
}

/** Server-sent events. */
export const events = [
  fault(
    'stream-begins-with-a-message',
    'Sends a message before the endpoint.',
    ['TOOL-SSE-02'],
    begins(
      (text) =>
        `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n${text}`,
    ),
  ),
  fault(
    'endpoint-is-an-object',
    'Tells the endpoint as an object of JSON.',
    ['TOOL-SSE-02'],
    begins((text) => text.replace(/data: (.*)/, 'data: {"uri":"$1"}')),
  ),
  fault(
    'endpoint-under-another-name',
    'Tells the endpoint in an event of another name.',
    ['TOOL-SSE-02'],
    begins((text) => text.replace('event: endpoint', 'event: url')),
  ),

  fault(
    'posts-are-not-accepted',
    'Takes notifications, and answers them with status 500.',
    ['TOOL-SSE-03'],
    over(
      ['sse'],
      door((request, response, hit) => {
        const body = bodyOf(request)
        if (pathOf(request) === '/messages')
          changesHead(response, (_status, headers) => {
            if (!body().includes('"notifications/initialized"')) return undefined
            hit()
            return { status: 500, headers }
          })
      }),
    ),
  ),
  fault(
    'posts-are-answered-twice',
    'Answers in the POST too, beside the stream.',
    ['TOOL-SSE-03'],
    over(
      ['sse'],
      door((request, response, hit) => {
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
    'Sends events with words for people.',
    ['TOOL-SSE-03'],
    over(
      ['sse'],
      door((request, response, hit) => {
        if (pathOf(request) !== '/sse') return
        const write = response.write.bind(response) as (
          chunk: unknown,
          ...rest: unknown[]
        ) => boolean
        response.write = ((chunk: unknown, ...rest: unknown[]) => {
          const isAnswer = String(chunk).includes('"jsonrpc"')
          if (isAnswer) hit()
          return write(
            isAnswer ? `event: message\ndata: working\n\n${String(chunk)}` : chunk,
            ...rest,
          )
        }) as typeof response.write
      }),
    ),
  ),
]
