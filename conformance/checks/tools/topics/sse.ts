import { Blocked, type Expectation } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { firstEvent, isUriReference } from '../support/sse-endpoint.ts'
import { methodOf } from '../support/posts.ts'
import { isProblem } from '../support/problems.ts'

const begins: Expectation<McpExchange> = {
  name: 'begins with endpoint',
  expected: 'endpoint as the first event',
  test: ({ text }) => firstEvent(text)?.type === 'endpoint',
}
const endpointOf = ({ text }: McpExchange) =>
  /(?:^|[\r\n])event: ?endpoint(?:\r\n|\r|\n)data: ?([^\r\n]*)/.exec(text)?.[1] ??
  firstEvent(text)?.data ??
  ''
const tellsUrl: Expectation<McpExchange> = {
  name: 'tells a URL',
  expected: 'a URL, or one that is relative, as the data of endpoint',
  test: (exchange) => isUriReference(endpointOf(exchange)),
}

export const events = [
  check('TOOL-SSE-02', {
    title: 'tells in its first event where to post',
    async run({ connect, expect }) {
      const { stream, why = 'there is no stream' } = await connect('sse')
      if (stream?.httpStatus !== 200 || stream.contentType !== 'text/event-stream')
        throw new Blocked('TOOL-SSE-01', stream?.summary ?? why)
      expect(stream, begins, tellsUrl)
    },
  }),

  watch('TOOL-SSE-03', {
    title: 'takes what is posted, and answers on the stream',
    root: 'TOOL-SSE-01',
    examine: (exchange) => {
      const { transport, sent, httpStatus, response, problems, summary } = exchange
      if (transport !== 'sse' || sent.method !== 'POST') return []
      // Whatever was answered was taken; of what was not, the end of the handshake, which every server takes.
      const isJudged =
        response !== undefined ||
        (httpStatus !== undefined && methodOf(exchange) === 'notifications/initialized')
      const isTaken = httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300
      // A refusal may say why in its own body.
      const problem = problems.find(
        (one) => (isTaken && isProblem(one, 'stream')) || isProblem(one, 'body'),
      )
      return [
        ...(isJudged
          ? [
              {
                name: 'is taken with a status of the 200s',
                held: isTaken,
                expected: 'a status of the 200s',
                received: isTaken ? 'as expected' : summary,
              },
            ]
          : []),
        ...(response !== undefined || problem !== undefined
          ? [
              {
                name: 'is answered on the stream',
                held: problem === undefined,
                expected: 'a message event with JSON',
                received: problem?.text ?? 'as expected',
              },
            ]
          : []),
      ]
    },
  }),
]
