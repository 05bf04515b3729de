import { Blocked, type Expectation, labelled, NotApplicable } from '../../../engine/index.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { hasMatchingResponse, sendInvalidMessage } from '../support/expectations.ts'
import { errorCodesOf } from '../support/results.ts'
import type { ToolsWorld } from '../support/world.ts'

/** Bodies that no parser accepts as JSON. */
const malformed = {
  'half a message': '{"jsonrpc":"2.0","id":"malformed","method":"ping"',
  'plain text': 'ping, please',
  'a trailing comma': '{"jsonrpc":"2.0","id":"malformed","method":"ping",}',
  'invalid UTF-8': Buffer.from('{"jsonrpc":"2.0","id":"malformed","method":"ping\xff"}', 'latin1'),
}

/** JSON values that are not requests. */
const invalidRequests = {
  'a number': 42,
  'an empty array': [],
  'an empty object': {},
  'a request without jsonrpc': { id: 'touchstone-1', method: 'ping' },
  'a request whose method is a number': { jsonrpc: '2.0', id: 'touchstone-2', method: 1 },
}

/** Requests that a member makes invalid. The keys are cases (`doors`) of TOOL-MCP-17. */
const unusableRequests = {
  'no version of JSON-RPC': { method: 'ping' },
  'another version of JSON-RPC': { jsonrpc: '1.0', method: 'ping' },
  'params that are a string': { jsonrpc: '2.0', method: 'ping', params: 'touchstone' },
}

/** How long to wait for an optional response, in milliseconds. */
const silenceTimeout = 1000
/** 5 MB: more than any buffer between the client and the server can store. */
const large = 5_000_000

const noResult: Expectation<McpExchange> = {
  name: 'returns no result',
  expected: 'an error, an HTTP error status, or no response',
  test: ({ responses }) => responses.every(({ json }) => !('result' in json)),
}

const isParseError: Expectation<McpExchange> = {
  name: 'returns -32700',
  expected: 'the error -32700',
  test: (exchange) => errorCodesOf(exchange).every((code) => code === -32700),
  received: (exchange) => `the error ${errorCodesOf(exchange).join(', ')}`,
}

/**
 * Whether a ping succeeded. HTTP status 404 also counts, because a server may end a session at any
 * time.
 */
const isUnaffected = (exchange: McpExchange): boolean =>
  exchange.result !== undefined || (exchange.transport === 'http' && exchange.httpStatus === 404)
const unaffected: Expectation<McpExchange> = {
  name: 'continues to serve the connection',
  expected: 'a result for the next ping',
  test: isUnaffected,
}

/**
 * Sends a ping. Repeats the ping if the response is an error without an id, because the error can
 * refer to an earlier message.
 */
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

export const malformedMessagesChecks = [
  check('TOOL-MCP-09', {
    title: 'returns no result for invalid JSON, and continues to serve clients',
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
              sendInvalidMessage(connection, bytes, silenceTimeout, {
                operation: `malformed: ${label}`,
                awaits: ['malformed'],
              }),
            ),
            noResult,
          )
          expect(await ping(world, connection), unaffected)
        }
        if (other !== undefined) expect(await ping(world, other.connection), unaffected)
      })
    },
  }),

  check('TOOL-MCP-10', {
    title: 'responds to or refuses input of five megabytes',
    async run(world) {
      const { onEachTransport, openSession, runThroughGate, expect } = world
      await onEachTransport(async ({ transport }) => {
        const { connection } = await openSession(transport)
        const call = {
          name: `touchstone_nothing_${crypto.randomUUID().slice(0, 8)}`,
          arguments: { text: 'x'.repeat(large) },
        }
        const exchange = await runThroughGate(() =>
          connection.request('tools/call', call, { operation: 'tools/call with five megabytes' }),
        )
        // If the server closes the connection but serves a new one, it has refused the body.
        const isClosed = transport !== 'stdio' && exchange.failure === 'closed'
        const after = isClosed
          ? await ping(world, (await openSession(transport)).connection)
          : undefined
        const held = isSettled(exchange) || after?.result !== undefined
        expect(exchange, {
          name: 'is answered or refused',
          expected: 'a response, or an HTTP error status',
          test: () => held,
        })
      })
    },
  }),

  check('TOOL-MCP-13', {
    title: 'records how JSON that is not a request is refused',
    async run({ onEachTransport, openSession, runThroughGate, observe }) {
      const responses = await onEachTransport(async ({ transport }) => {
        const { connection } = await openSession(transport)
        const answers: string[] = []
        for (const [label, message] of Object.entries(invalidRequests)) {
          const exchange = await runThroughGate(() =>
            sendInvalidMessage(connection, message, silenceTimeout, {
              operation: 'invalid request',
            }),
          )
          answers.push(
            `${transport}: ${label}: ${exchange.failure === 'silent' ? 'no response' : exchange.summary}`,
          )
          if (connection.failure !== undefined) break
        }
        return answers
      })
      for (const one of responses.flat()) observe(one)
    },
  }),

  check('TOOL-MCP-17', {
    title: 'returns no result for requests that JSON-RPC does not allow',
    async run(world) {
      const { onEachTransport, openSession, runThroughGate, expect } = world
      await onEachTransport(async ({ transport }) => {
        const { connection } = await openSession(transport)
        const before = await ping(world, connection)
        if (before.result === undefined) throw new Blocked('TOOL-MCP-07', before.summary)
        for (const [door, request] of Object.entries(unusableRequests)) {
          const id = `touchstone-${crypto.randomUUID()}`
          const exchange = await runThroughGate(() =>
            sendInvalidMessage(connection, { id, ...request }, silenceTimeout, {
              operation: 'invalid request',
              awaits: [id],
            }),
          )
          expect(exchange, labelled(door, noResult))
          if (connection.failure !== undefined) break
        }
      })
    },
  }),

  check('TOOL-MCP-15', {
    title: 'returns -32700 for invalid JSON',
    async run(world) {
      const { onEachTransport, openSession, runThroughGate } = world
      const responses = await onEachTransport(async ({ transport }) => {
        const { connection } = await openSession(transport)
        return runThroughGate(() =>
          sendInvalidMessage(connection, malformed['plain text'], silenceTimeout, {
            operation: 'malformed: plain text',
          }),
        )
      })
      const errors = responses.filter((exchange) => errorCodesOf(exchange).length > 0)
      // No standard requires a response to a body that is not JSON: neither JSON-RPC, because the
      // body is not a request, nor the transports. But authors want to know that there is none.
      if (errors.length === 0)
        throw new NotApplicable(
          `the server returns no JSON-RPC error for invalid JSON (${responses
            .map(({ transportName, summary }) => `${transportName}: ${summary}`)
            .join('; ')})`,
        )
      for (const exchange of errors) world.expect(exchange, isParseError)
    },
  }),
]
