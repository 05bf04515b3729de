import { type Expectation, NotApplicable } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { kindOfPost } from '../support/posts.ts'
import { isProblem } from '../support/problems.ts'
import { refusesWith } from '../support/expectations.ts'

const isSuccess = ({ httpStatus = 0 }: McpExchange): boolean =>
  httpStatus >= 200 && httpStatus < 300
const isStream = ({ httpStatus, contentType }: McpExchange): boolean =>
  httpStatus === 200 && contentType === 'text/event-stream'

const opensOrRefuses: Expectation<McpExchange> = {
  name: 'opens a stream, or has none',
  expected: 'status 200 and text/event-stream, or status 405',
  test: (exchange) => isStream(exchange) || exchange.httpStatus === 405,
}

/** A page of somebody else. */
const foreign = 'http://touchstone-foreign.example'

/** The revision that brought the header. */
const header = '2025-06-18'

export const http = [
  watch('TOOL-HTTP-02', {
    title: 'answers requests as JSON or as a stream of events',
    root: 'TOOL-HTTP-01',
    examine: (exchange) => {
      if (kindOfPost(exchange) !== 'request' || !isSuccess(exchange)) return []
      const { contentType, problems } = exchange
      const ofType = contentType === 'application/json' || contentType === 'text/event-stream'
      const problem = problems.find((one) => isProblem(one, 'json'))
      return [
        {
          name: 'has a content type of MCP',
          held: ofType,
          expected: 'application/json or text/event-stream',
          received: ofType
            ? 'as expected'
            : `HTTP ${exchange.httpStatus}, content-type ${contentType ?? 'absent'}`,
        },
        {
          name: 'is JSON',
          held: problem === undefined,
          expected: 'JSON as the body, or as the data of each event',
          received: problem?.text ?? 'as expected',
        },
      ]
    },
  }),

  watch('TOOL-HTTP-03', {
    title: 'takes notifications with status 202',
    root: 'TOOL-HTTP-01',
    examine: (exchange) => {
      const { httpStatus, text, response } = exchange
      // A server may refuse what it cannot take, and say why.
      if (kindOfPost(exchange) !== 'notification' || httpStatus === undefined || httpStatus >= 400)
        return []
      const taken = httpStatus === 202
      // That a message is none of what may stand there is another row's affair.
      const empty = text === '' || response !== undefined
      return [
        {
          name: 'is taken with 202',
          held: taken,
          expected: 'status 202',
          received: taken ? 'as expected' : exchange.summary,
        },
        {
          name: 'has no body',
          held: empty,
          expected: 'no body',
          received: empty ? 'as expected' : exchange.summary,
        },
      ]
    },
  }),

  check('TOOL-HTTP-04', {
    title: 'opens a stream of events, or refuses GET',
    async run({ openSession, expect, runThroughGate }) {
      const { connection } = await openSession('http')
      const stream = await runThroughGate(() => connection.listen())
      if (stream !== undefined) expect(stream, opensOrRefuses)
    },
  }),

  check('TOOL-HTTP-08', {
    title: 'refuses a version that does not exist',
    async run({ openSession, expect, requireMet, runThroughGate }) {
      const { connection, request } = await openSession('http')
      const { protocolVersion } = connection
      if (protocolVersion === undefined || protocolVersion < header)
        throw new NotApplicable(
          `speaks ${protocolVersion ?? 'no version'}, which has no such header`,
        )
      const usual = await request('tools/list')
      if (usual.result === undefined) await requireMet('TOOL-SERVER-01', usual.summary)
      for (const version of ['1999-01-01', 'touchstone']) {
        connection.protocolVersion = version
        expect(
          await runThroughGate(() =>
            connection.request('tools/list', {}, { operation: 'tools/list in another version' }),
          ),
          refusesWith(400),
        )
      }
      connection.protocolVersion = protocolVersion
    },
  }),

  check('TOOL-HTTP-09', {
    title: 'refuses pages of another origin',
    async run({ connect, session, expect, runThroughGate }) {
      // The same handshake without an origin works, or this check is blocked.
      await session('http')
      const connection = await connect('http', { headers: { Origin: foreign } })
      expect(
        await runThroughGate(() =>
          connection.initialize({ operation: 'initialize from another origin' }),
        ),
        refusesWith(403),
      )
    },
  }),

  check('TOOL-HTTP-10', {
    title: 'how it serves over streamable HTTP',
    async run({ openSession, runThroughGate, observe }) {
      const { connection, handshake } = await openSession('http')
      const { sessionId } = connection
      const stream = await runThroughGate(() => connection.listen())
      observe(
        `answers with ${handshake.contentType ?? 'no content type'}; GET: HTTP ${stream?.httpStatus ?? 'none'}`,
      )
      observe(sessionId === undefined ? 'keeps no sessions' : 'keeps sessions')
      if (sessionId === undefined) return
      connection.sessionId = crypto.randomUUID()
      const { httpStatus } = await runThroughGate(() =>
        connection.request('ping', undefined, { operation: 'ping in no session' }),
      )
      observe(`a session that never was: HTTP ${httpStatus ?? 'none'}`)
      connection.sessionId = sessionId
    },
  }),
]
