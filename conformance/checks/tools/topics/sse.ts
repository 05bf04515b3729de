import { Blocked, labelled, type Expectation } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { foreignOrigin } from '../support/expectations.ts'
import { firstEvent, isUriReference } from '../support/sse-endpoint.ts'
import { methodOf } from '../support/posts.ts'
import { isProblem } from '../support/problems.ts'

const beginsWithEndpoint: Expectation<McpExchange> = {
  name: 'begins with endpoint',
  expected: 'an event named endpoint as the first event',
  test: ({ text }) => firstEvent(text)?.type === 'endpoint',
}
const endpointOf = ({ text }: McpExchange) =>
  /(?:^|[\r\n])event: ?endpoint(?:\r\n|\r|\n)data: ?([^\r\n]*)/.exec(text)?.[1] ??
  firstEvent(text)?.data ??
  ''
const hasUrl: Expectation<McpExchange> = {
  name: 'has a URL',
  expected: 'an absolute or relative URL as the data of the event named endpoint',
  test: (exchange) => isUriReference(endpointOf(exchange)),
}

const isRefused: Expectation<McpExchange> = {
  name: 'is refused',
  expected: 'a 4xx status',
  test: ({ httpStatus = 0 }) => httpStatus >= 400 && httpStatus < 500,
  // Without the endpoint, which contains the id of the session.
  received: ({ httpStatus, why = 'no response' }) =>
    httpStatus === undefined ? why : `status ${httpStatus}`,
}

export const sseChecks = [
  check('TOOL-SSE-02', {
    title: 'sends the URL for messages in its first event',
    async run({ connect, expect }) {
      const { stream, why = 'no stream' } = await connect('sse')
      if (stream?.httpStatus !== 200 || stream.contentType !== 'text/event-stream')
        throw new Blocked('TOOL-SSE-01', stream?.summary ?? why)
      expect(stream, beginsWithEndpoint, hasUrl)
    },
  }),

  watch('TOOL-SSE-03', {
    title: 'accepts posted messages, and responds on the stream',
    root: 'TOOL-SSE-01',
    examine: (exchange) => {
      const { transport, sent, httpStatus, response, problems, summary } = exchange
      if (transport !== 'sse' || sent.method !== 'POST') return []
      // The server must accept the POST of each message to which it responds. It must also accept
      // the notification that ends the handshake. It may refuse any other message.
      const isJudged =
        response !== undefined ||
        (httpStatus !== undefined && methodOf(exchange) === 'notifications/initialized')
      const isAccepted = httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300
      // Ignores the problem `wrong-stream` (the response to a POST contains a message) if the
      // server refuses the POST, because the body of a refusal may contain a message.
      const problem = problems.find(
        (one) => (isAccepted && isProblem(one, 'wrong-stream')) || isProblem(one, 'invalid-body'),
      )
      return [
        ...(isJudged
          ? [
              {
                name: 'is accepted with a 2xx status',
                held: isAccepted,
                expected: 'status 2xx for the POST',
                received: isAccepted ? 'as expected' : summary,
              },
            ]
          : []),
        ...(response !== undefined || problem !== undefined
          ? [
              {
                name: 'is answered on the stream',
                held: problem === undefined,
                expected: 'an event named message with JSON as its data',
                received: problem?.text ?? 'as expected',
              },
            ]
          : []),
      ]
    },
  }),

  check('TOOL-SSE-05', {
    title: 'refuses event streams and messages from another origin',
    root: 'TOOL-SSE-01',
    async run({ connect, openSession, expectEach, runThroughGate }) {
      // The same requests without an origin must succeed, or the check is blocked.
      const { connection, request } = await openSession('sse')
      const usual = await request('ping')
      if (usual.result === undefined) throw new Blocked('TOOL-MCP-07', usual.summary)
      const headers = { Origin: foreignOrigin }
      const { stream } = await connect('sse', { headers })
      const posted = await runThroughGate(() =>
        connection.request('ping', undefined, { headers, operation: 'ping from another origin' }),
      )
      expectEach([
        ...(stream === undefined
          ? []
          : [[stream, labelled('an event stream', isRefused)] as const]),
        [posted, labelled('a message', isRefused)],
      ])
    },
  }),
]
