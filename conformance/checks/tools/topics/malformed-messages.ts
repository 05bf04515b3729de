import { Blocked, type Expectation } from '../../../engine/index.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { hasMatchingResponse, sendInvalidMessage } from '../support/expectations.ts'
import type { ToolsWorld } from '../support/world.ts'

/** What no reader of JSON takes for JSON. */
const malformed = {
  'half a message': '{"jsonrpc":"2.0","id":"malformed","method":"ping"',
  words: 'ping, please',
  'a comma too many': '{"jsonrpc":"2.0","id":"malformed","method":"ping",}',
  'bytes that are no UTF-8': Buffer.from(
    '{"jsonrpc":"2.0","id":"malformed","method":"ping\xff"}',
    'latin1',
  ),
}

/** JSON that is no request. */
const noRequests = {
  'a number': 42,
  'an empty array': [],
  'an object without members': {},
  'a request without jsonrpc': { id: 'touchstone-1', method: 'ping' },
  'a request whose method is a number': { jsonrpc: '2.0', id: 'touchstone-2', method: 1 },
}

/** Milliseconds to wait for what need not come. */
const patience = 1000
/** More than fits into any buffer on the way: 5 MB. */
const large = 5_000_000

const noResult: Expectation<McpExchange> = {
  name: 'gets no result',
  expected: 'an error, a status of HTTP that tells of one, or nothing',
  test: ({ responses }) => responses.every(({ json }) => !('result' in json)),
}

/** A session that the server has ended is no harm: it may end one at any time. */
const isUnharmed = (exchange: McpExchange): boolean =>
  exchange.result !== undefined || (exchange.transport === 'http' && exchange.httpStatus === 404)
const unharmed: Expectation<McpExchange> = {
  name: 'harms nobody',
  expected: 'a result for the next ping',
  test: isUnharmed,
}

/** A ping. An error without an id may be the late answer to something else: then it is asked again. */
async function ping(
  { runThroughGate }: ToolsWorld,
  connection: McpConnection,
): Promise<McpExchange> {
  const exchange = await runThroughGate(() => connection.request('ping'))
  return exchange.response === undefined || hasMatchingResponse(exchange)
    ? exchange
    : runThroughGate(() => connection.request('ping'))
}

const isSettled = ({ response, httpStatus = 0 }: McpExchange): boolean =>
  response !== undefined || httpStatus >= 400

export const harm = [
  check('TOOL-MCP-09', {
    title: 'survives what is no JSON',
    async run(world) {
      const { onEachTransport, openSession, runThroughGate, expect } = world
      await onEachTransport(async ({ transport }) => {
        const [{ connection }, other] = await Promise.all([
          openSession(transport),
          transport === 'stdio' ? undefined : openSession(transport),
        ])
        const before = await ping(world, connection)
        if (before.result === undefined) throw new Blocked('TOOL-MCP-07', before.summary)
        for (const [label, bytes] of Object.entries(malformed)) {
          expect(
            await runThroughGate(() =>
              sendInvalidMessage(connection, bytes, patience, {
                operation: `malformed: ${label}`,
                awaits: ['malformed'],
              }),
            ),
            noResult,
          )
          expect(await ping(world, connection), unharmed)
        }
        if (other !== undefined) expect(await ping(world, other.connection), unharmed)
      })
    },
  }),

  check('TOOL-MCP-10', {
    title: 'answers or refuses input of five megabytes',
    async run(world) {
      const { onEachTransport, openSession, runThroughGate, expectOf } = world
      await onEachTransport(async ({ transport }) => {
        const { connection } = await openSession(transport)
        const call = {
          name: `touchstone_nothing_${crypto.randomUUID().slice(0, 8)}`,
          arguments: { text: 'x'.repeat(large) },
        }
        const exchange = await runThroughGate(() =>
          connection.request('tools/call', call, { operation: 'tools/call with five megabytes' }),
        )
        // Whoever closes the connection of a body that is too long has refused it, if it is still there.
        const isClosed = transport !== 'stdio' && exchange.failure === 'closed'
        const after = isClosed
          ? await ping(world, (await openSession(transport)).connection)
          : undefined
        const held = isSettled(exchange) || after?.result !== undefined
        expectOf(exchange, {
          name: 'is answered or refused',
          expected: 'a response, or a status of HTTP that refuses',
          test: () => held,
        })
      })
    },
  }),

  check('TOOL-MCP-13', {
    title: 'how it refuses JSON that is no request',
    async run({ onEachTransport, openSession, runThroughGate, observe }) {
      const told = await onEachTransport(async ({ transport }) => {
        const { connection } = await openSession(transport)
        const answers: string[] = []
        for (const [label, message] of Object.entries(noRequests)) {
          const exchange = await runThroughGate(() =>
            sendInvalidMessage(connection, message, patience, { operation: 'no request' }),
          )
          answers.push(
            `${transport}: ${label}: ${exchange.failure === 'silent' ? 'no answer' : exchange.summary}`,
          )
          if (connection.failure !== undefined) break
        }
        return answers
      })
      for (const one of told.flat()) observe(one)
    },
  }),
]
