import { Blocked, labelled, type Expectation, NotApplicable } from '../../../engine/index.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { isRequestPost, kindOfPost } from '../support/posts.ts'
import { isProblem } from '../support/problems.ts'
import { foreignOrigin, refusesWith } from '../support/expectations.ts'
import { revisions, supportedVersions } from '../support/versions.ts'
import type { ToolsWorld } from '../support/world.ts'

const isSuccess = ({ httpStatus = 0 }: McpExchange): boolean =>
  httpStatus >= 200 && httpStatus < 300
const isStream = ({ httpStatus, contentType }: McpExchange): boolean =>
  httpStatus === 200 && contentType === 'text/event-stream'

const opensOrRefuses: Expectation<McpExchange> = {
  name: 'opens a stream or refuses',
  expected: 'status 200 with text/event-stream, or status 405',
  test: (exchange) => isStream(exchange) || exchange.httpStatus === 405,
}

/**
 * Origins of other sites. The keys are cases (`doors`) of TOOL-HTTP-09. A server that compares only
 * the beginning of an origin with `http://localhost` accepts the second origin.
 */
const foreignOrigins = {
  'another domain': foreignOrigin,
  'a domain that begins with localhost': 'http://localhost.touchstone-foreign.example',
  // Browsers send it for pages in a sandbox, which any site can embed.
  'the origin null': 'null',
}

/** Functions that send GET or DELETE, each with the case (`doors`) of a requirement. */
type Bodiless = readonly (readonly [
  door: string,
  send: (
    connection: McpConnection,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<McpExchange | undefined>,
])[]

/**
 * Returns those of GET and DELETE that the server serves, because a server may have neither event
 * streams nor a way to end sessions. Tries both, without changes, in a separate session.
 * `nameOfEnd` is the case for DELETE.
 */
async function servedBodiless(
  { openSession, runThroughGate }: ToolsWorld,
  nameOfEnd: string,
): Promise<Bodiless> {
  const all: Bodiless = [
    ['an event stream', (connection, headers) => connection.listen({ headers })],
    [nameOfEnd, (connection, headers) => connection.terminate({ headers })],
  ]
  const { connection } = await openSession('http')
  const served: (typeof all)[number][] = []
  for (const one of all) {
    const usual = await runThroughGate(() => one[1](connection))
    if (usual !== undefined && isSuccess(usual)) served.push(one)
  }
  return served
}

const isServed: Expectation<McpExchange> = {
  name: 'is served',
  expected: 'a result for tools/list',
  test: ({ result }) => result !== undefined,
}

/** The revision that introduced the header MCP-Protocol-Version. */
const firstWithHeader = '2025-06-18'
/** The last revision before that header. Its clients do not send the header. */
const lastWithoutHeader = '2025-03-26'

export const httpChecks = [
  watch('TOOL-HTTP-02', {
    title: 'responds to requests with JSON or an event stream',
    root: 'TOOL-HTTP-01',
    examine: (exchange) => {
      if (!isRequestPost(exchange) || !isSuccess(exchange)) return []
      const { contentType, problems } = exchange
      const hasType = contentType === 'application/json' || contentType === 'text/event-stream'
      const problem = problems.find((one) => isProblem(one, 'invalid-json'))
      return [
        {
          name: 'has a content type that MCP allows',
          held: hasType,
          expected: 'Content-Type application/json or text/event-stream',
          received: hasType
            ? 'as expected'
            : `HTTP ${exchange.httpStatus}, content-type ${contentType ?? 'absent'}`,
        },
        {
          name: 'is JSON',
          held: problem === undefined,
          expected: 'JSON in the body, or in the data of each event',
          received: problem?.text ?? 'as expected',
        },
      ]
    },
  }),

  watch('TOOL-HTTP-03', {
    title: 'accepts notifications with status 202',
    root: 'TOOL-HTTP-01',
    examine: (exchange) => {
      const { httpStatus, text, response } = exchange
      // A server may refuse a notification with an error in the body.
      if (kindOfPost(exchange) !== 'notification' || httpStatus === undefined || httpStatus >= 400)
        return []
      const isAccepted = httpStatus === 202
      // TOOL-MCP-06 reports a JSON-RPC response in the body.
      const isBodyEmptyOrReported = text === '' || response !== undefined
      return [
        {
          name: 'is accepted with 202',
          held: isAccepted,
          expected: 'status 202',
          received: isAccepted ? 'as expected' : exchange.summary,
        },
        {
          name: 'has no body',
          held: isBodyEmptyOrReported,
          expected: 'no body',
          received: isBodyEmptyOrReported ? 'as expected' : exchange.summary,
        },
      ]
    },
  }),

  check('TOOL-HTTP-04', {
    title: 'opens an event stream, or refuses GET with 405',
    async run({ openSession, expect, runThroughGate }) {
      const { connection } = await openSession('http')
      const stream = await runThroughGate(() => connection.listen())
      if (stream !== undefined) expect(stream, opensOrRefuses)
    },
  }),

  check('TOOL-HTTP-08', {
    title: 'returns 400 for an unknown protocol version',
    async run(world) {
      const { openSession, expectEach, requireMet, runThroughGate } = world
      const { connection, request, notify } = await openSession('http')
      const { protocolVersion } = connection
      if (protocolVersion === undefined || protocolVersion < firstWithHeader)
        throw new NotApplicable(
          protocolVersion === undefined
            ? 'the server returned no version of MCP'
            : `the server negotiated MCP ${protocolVersion}, which does not define the header MCP-Protocol-Version`,
        )
      const usual = await request('tools/list')
      if (usual.result === undefined) await requireMet('TOOL-SERVER-01', usual.summary)
      const answers: [string, McpExchange][] = []
      for (const version of ['1999-01-01', 'touchstone']) {
        connection.protocolVersion = version
        const exchange = await runThroughGate(() =>
          connection.request('tools/list', {}, { operation: 'tools/list with an unknown version' }),
        )
        answers.push(['a request', exchange])
      }
      answers.push(['a notification', await notify('notifications/touchstone/nothing')])
      for (const [door, send] of await servedBodiless(world, 'the end of the session')) {
        const exchange = await runThroughGate(() => send(connection))
        answers.push([door, exchange!])
      }
      connection.protocolVersion = protocolVersion
      expectEach(answers.map(([door, exchange]) => [exchange, labelled(door, refusesWith(400))]))
    },
  }),

  check('TOOL-HTTP-08', {
    title: 'serves only protocol versions that it supports',
    async run(world) {
      const { openSession, expectEach, runThroughGate } = world
      const supported = await supportedVersions(world, 'http')
      const { connection, request } = await openSession('http')
      const { protocolVersion } = connection
      if (protocolVersion === undefined || protocolVersion < firstWithHeader)
        throw new NotApplicable('the server negotiated a version without MCP-Protocol-Version')
      const usual = await request('tools/list')
      if (usual.result === undefined) throw new Blocked('TOOL-SERVER-01', usual.summary)
      const unsupported = revisions.filter((version) => !supported.includes(version))
      const refused: McpExchange[] = []
      for (const version of unsupported) {
        connection.protocolVersion = version
        refused.push(
          await runThroughGate(() =>
            connection.request('tools/list', {}, { operation: 'tools/list' }),
          ),
        )
      }
      connection.protocolVersion = protocolVersion
      const served: McpExchange[] = []
      for (const version of supported) {
        const session = await openSession('http', { protocolVersion: version })
        served.push(await session.request('tools/list'))
      }
      expectEach([
        ...refused.map(
          (exchange) =>
            [
              exchange,
              labelled('a version that the server does not support', refusesWith(400)),
            ] as const,
        ),
        ...served.map(
          (exchange) => [exchange, labelled('the version of the session', isServed)] as const,
        ),
      ])
    },
  }),

  check('TOOL-HTTP-12', {
    title: 'serves requests without a protocol version in the header',
    async run({ openSession, expect, requireMet, runThroughGate }) {
      const { connection, request } = await openSession('http', {
        protocolVersion: lastWithoutHeader,
      })
      if (connection.protocolVersion !== lastWithoutHeader)
        throw new NotApplicable(`the server does not support MCP ${lastWithoutHeader}`)
      const usual = await request('tools/list')
      if (usual.result === undefined) await requireMet('TOOL-SERVER-01', usual.summary)
      connection.protocolVersion = undefined
      const exchange = await runThroughGate(() =>
        connection.request('tools/list', {}, { operation: 'tools/list without a version' }),
      )
      connection.protocolVersion = lastWithoutHeader
      expect(exchange, isServed)
    },
  }),

  check('TOOL-HTTP-09', {
    title: 'returns 403 for another origin',
    async run({ connect, session, expectEach, runThroughGate }) {
      // The same handshake without an origin must succeed, or the check is blocked.
      await session('http')
      const answers: [string, McpExchange][] = []
      for (const [door, origin] of Object.entries(foreignOrigins)) {
        const connection = await connect('http', { headers: { Origin: origin } })
        const exchange = await runThroughGate(() =>
          connection.initialize({ operation: 'initialize from another origin' }),
        )
        answers.push([door, exchange])
      }
      expectEach(answers.map(([door, exchange]) => [exchange, labelled(door, refusesWith(403))]))
    },
  }),

  check('TOOL-HTTP-09', {
    title: 'returns 403 for an event stream or the end of a session from another origin',
    async run(world) {
      const served = await servedBodiless(world, 'the end of a session')
      if (served.length === 0)
        throw new NotApplicable('the server serves neither event streams nor the end of sessions')
      const { connection } = await world.openSession('http')
      const answers: [string, McpExchange][] = []
      for (const [door, send] of served) {
        const exchange = await world.runThroughGate(() =>
          send(connection, { Origin: foreignOrigin }),
        )
        answers.push([door, exchange!])
      }
      world.expectEach(
        answers.map(([door, exchange]) => [exchange, labelled(door, refusesWith(403))]),
      )
    },
  }),

  check('TOOL-HTTP-10', {
    title: 'records whether the server uses sessions and event streams',
    async run({ openSession, runThroughGate, observe }) {
      const { connection, handshake } = await openSession('http')
      const { sessionId } = connection
      const stream = await runThroughGate(() => connection.listen())
      observe(
        `Content-Type of the response to initialize: ${handshake.contentType ?? 'missing'}; status of GET: ${stream?.httpStatus ?? 'none'}`,
      )
      observe(sessionId === undefined ? 'the server has no sessions' : 'the server has sessions')
      if (sessionId === undefined) return
      connection.sessionId = crypto.randomUUID()
      const { httpStatus } = await runThroughGate(() =>
        connection.request('ping', undefined, { operation: 'ping in an unknown session' }),
      )
      observe(
        `a request with an unknown session id: ${httpStatus === undefined ? 'no response' : `status ${httpStatus}`}`,
      )
      connection.sessionId = sessionId
    },
  }),
]
