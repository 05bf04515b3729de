import { isRequest, type JsonRpc, type TransportName } from '../../../../mocks/stateful/tools.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ToolsFault } from './fault.ts'
import { fault, isUnknownMethod, onMessage, onResult, onServerMessage, over } from './building.ts'
import type { MakeDeviationPoints, MakeToolsDeviation } from './building.ts'

type Members = Record<string, unknown>

const transports = ['http', 'sse', 'stdio'] as const satisfies readonly TransportName[]
const names = { http: 'streamable HTTP', sse: 'HTTP+SSE', stdio: 'stdio' } as const

/** Restricts a change of messages to one transport of a server that offers all three. */
const onlyOver = (transport: TransportName, make: MakeDeviationPoints): MakeToolsDeviation =>
  over(transports, (hit) => {
    const { message } = make(hit)
    return {
      message: (direction, sent, where) =>
        message === undefined || where.transport !== transport
          ? sent
          : message(direction, sent, where),
    }
  })

/** A fault in the messages of a server, over one transport only. */
interface MessageFault {
  readonly name: string
  /** What the server does, without a full stop. */
  readonly description: string
  readonly violates: RequirementId
  /**
   * The transports over which the fault is tried, one at a time; all by default. The others are
   * left out because another fault covers them.
   */
  readonly over?: readonly TransportName[]
  readonly make: MakeDeviationPoints
}

const newError = (response: JsonRpc, code: number, message: string): JsonRpc => ({
  jsonrpc: '2.0',
  id: response['id'],
  error: { code, message },
})

/** Changes the responses to one method. */
const onResponse = (
  method: string,
  change: (response: JsonRpc, params: Members) => JsonRpc | JsonRpc[],
): MakeDeviationPoints =>
  onMessage((response, request) =>
    request.method === method ? change(response, request.params) : response,
  )

/** Changes the params of the server's notifications or requests with this method. */
const onParams = (method: string, change: (params: Members) => Members): MakeDeviationPoints =>
  onServerMessage((message) =>
    message['method'] === method
      ? { ...message, params: change(message['params'] as Members) }
      : message,
  )

const omit = (members: unknown, name: string): Members =>
  Object.fromEntries(Object.entries(members as Members).filter(([one]) => one !== name))

/** Responds to an unknown notification with an error. */
const answerNotification: MakeDeviationPoints = (hit) => ({
  message(direction, message) {
    if (direction === 'in')
      return message['method'] === 'notifications/touchstone/nothing' && !isRequest(message)
        ? { ...message, id: 'a notification' }
        : message
    if (message['id'] !== 'a notification') return message
    hit()
    return { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } }
  },
})

/** Sends all requests of the server with the id 1. */
const sendOneId: MakeDeviationPoints = (hit) => {
  const awaited = new Map<unknown, unknown>()
  return {
    message(direction, message, { session }) {
      if (direction === 'in')
        return message['id'] === 1 && !('method' in message) && awaited.has(session)
          ? { ...message, id: awaited.get(session) }
          : message
      if (message['method'] !== 'elicitation/create') return message
      hit()
      awaited.set(session, message['id'])
      return { ...message, id: 1 }
    },
  }
}

/** Declares the capability elicitation for every client. */
const assumeElicitation: MakeDeviationPoints = (hit) => ({
  message(direction, message) {
    const params = message['params'] as Members | undefined
    const capabilities = (params?.['capabilities'] ?? {}) as Members
    if (direction === 'out' || message['method'] !== 'initialize' || 'elicitation' in capabilities)
      return message
    hit()
    return {
      ...message,
      params: { ...params, capabilities: { ...capabilities, elicitation: {} } },
    }
  },
})

/** Replaces the level in requests that set one; undefined keeps it. */
const changeSetLevel =
  (change: (level: unknown) => string | undefined): MakeDeviationPoints =>
  (hit) => ({
    message(direction, message) {
      const params = message['params'] as Members | undefined
      const level =
        direction === 'in' && message['method'] === 'logging/setLevel'
          ? change(params?.['level'])
          : undefined
      if (level === undefined) return message
      hit()
      return { ...message, params: { ...params, level } }
    },
  })

const others = ['sse', 'stdio'] as const

const messageFaults: readonly MessageFault[] = [
  {
    name: 'no-tools',
    description: 'Lists no tools',
    violates: 'TOOL-SERVER-01',
    over: others,
    make: onResult('tools/list', (result) => ({ ...result, tools: [] })),
  },
  {
    name: 'no-server-version',
    description: 'Does not return its version from initialize',
    violates: 'TOOL-MCP-01',
    over: others,
    make: onResult('initialize', (result) => ({
      ...result,
      serverInfo: omit(result['serverInfo'], 'version'),
    })),
  },
  {
    name: 'unknown-protocol-version',
    description: 'Confirms a protocol version that does not exist',
    violates: 'TOOL-MCP-02',
    over: others,
    make: onResult('initialize', (result, { protocolVersion }) =>
      protocolVersion === '1999-01-01' ? { ...result, protocolVersion } : undefined,
    ),
  },
  {
    name: 'undeclared-tools',
    description: 'Does not declare the capability tools',
    violates: 'TOOL-MCP-03',
    over: others,
    make: onResult('initialize', (result) => ({
      ...result,
      capabilities: omit(result['capabilities'], 'tools'),
    })),
  },
  {
    name: 'older-json-rpc',
    description: 'Labels responses to tools/list as JSON-RPC 1.0',
    violates: 'TOOL-MCP-04',
    over: others,
    make: onResponse('tools/list', (response) => ({ ...response, jsonrpc: '1.0' })),
  },
  {
    name: 'repeated-responses',
    description: 'Sends every response to a call twice',
    violates: 'TOOL-MCP-05',
    over: ['sse'],
    make: onResponse('tools/call', (response) => [response, response]),
  },
  {
    name: 'answered-notification',
    description: 'Responds to an unknown notification with an error',
    violates: 'TOOL-MCP-06',
    make: answerNotification,
  },
  {
    name: 'unknown-ping',
    description: 'Does not know the method ping',
    violates: 'TOOL-MCP-07',
    over: others,
    make: onResponse('ping', (response) => newError(response, -32601, 'Method not found')),
  },
  {
    name: 'invalid-method',
    description: 'Returns the error code -32600 for an unknown method',
    violates: 'TOOL-MCP-08',
    over: others,
    make: onMessage((response, { method }) =>
      isUnknownMethod(method) ? newError(response, -32600, 'Invalid Request') : response,
    ),
  },
  {
    name: 'missing-tool',
    description: 'Does not list the tool that returns a book',
    violates: 'TOOL-MCP-12',
    over: others,
    make: onResult('tools/list', (result) => ({
      ...result,
      tools: (result['tools'] as { name: string }[]).filter(({ name }) => !/_get_book$/.test(name)),
    })),
  },
  {
    name: 'one-request-id',
    description: 'Sends all its requests with the same id',
    violates: 'TOOL-MCP-14',
    over: others,
    make: sendOneId,
  },
  {
    name: 'failing-call',
    description: 'Reports an error for every call that returns a book',
    violates: 'TOOL-CALL-01',
    over: others,
    make: onResult('tools/call', (result, { name }) =>
      /_get_book$/.test(String(name)) ? { ...result, isError: true } : undefined,
    ),
  },
  {
    name: 'content-string',
    description: 'Returns a string instead of an array as content',
    violates: 'TOOL-CALL-02',
    over: others,
    make: onResult('tools/call', (result, { name }) =>
      /_show_status$/.test(String(name)) ? { ...result, content: 'open' } : undefined,
    ),
  },
  {
    name: 'unknown-tool',
    description: 'Returns text for an unknown tool',
    violates: 'TOOL-CALL-06',
    over: others,
    make: onResponse('tools/call', (response, { name }) =>
      'error' in response
        ? {
            jsonrpc: '2.0',
            id: response['id'],
            result: { content: [{ type: 'text', text: `${String(name)} was called` }] },
          }
        : response,
    ),
  },
  {
    name: 'error-flag-string',
    description: 'Returns the string "false" in isError',
    violates: 'TOOL-CALL-08',
    over: others,
    make: onResult('tools/call', (result) => ({ ...result, isError: 'false' })),
  },
  {
    name: 'another-progress-token',
    description: 'Reports progress with an unknown token',
    violates: 'TOOL-PROGRESS-01',
    over: others,
    make: onParams('notifications/progress', (params) => ({ ...params, progressToken: 'call-1' })),
  },
  {
    name: 'equal-progress',
    description: 'Reports the same progress repeatedly',
    violates: 'TOOL-PROGRESS-02',
    over: others,
    make: onParams('notifications/progress', (params) => ({ ...params, progress: 0.5 })),
  },
  {
    name: 'logs-without-level',
    description: 'Sends logs without a level',
    violates: 'TOOL-LOG-01',
    over: others,
    make: onParams('notifications/message', (params) => omit(params, 'level')),
  },
  {
    name: 'undeclared-logs',
    description: 'Sends logs without declaring the capability logging',
    violates: 'TOOL-LOG-02',
    over: others,
    make: onResult('initialize', (result) => ({
      ...result,
      capabilities: omit(result['capabilities'], 'logging'),
    })),
  },
  {
    name: 'ignored-log-level',
    description: 'Sends logs of every level, and ignores the level that was set',
    violates: 'TOOL-LOG-03',
    over: others,
    make: changeSetLevel((level) => (level === 'error' ? 'debug' : undefined)),
  },
  {
    name: 'dropped-log-level',
    description: 'Sends only logs above the level that was set',
    violates: 'TOOL-LOG-05',
    over: others,
    make: changeSetLevel((level) => (level === 'error' ? 'critical' : undefined)),
  },
  {
    name: 'unknown-log-method',
    description: 'Does not know the level notice',
    violates: 'TOOL-LOG-06',
    over: others,
    make: changeSetLevel((level) => (level === 'notice' ? 'unknown' : undefined)),
  },
  {
    name: 'any-log-level',
    description: 'Treats an unknown log level as info',
    violates: 'TOOL-LOG-07',
    over: others,
    make: changeSetLevel((level) => (level === 'touchstone' ? 'info' : undefined)),
  },
  {
    name: 'elicitation-without-message',
    description: 'Sends elicitation requests without a message',
    violates: 'TOOL-ELICIT-01',
    over: others,
    make: onParams('elicitation/create', (params) => omit(params, 'message')),
  },
  {
    name: 'undeclared-elicitation',
    description: 'Sends elicitation requests even to clients without the capability',
    violates: 'TOOL-ELICIT-03',
    over: others,
    make: assumeElicitation,
  },
]

/** Faults over one transport of a server that meets the requirement over the two others. */
export const oneTransport: readonly ToolsFault[] = messageFaults.flatMap(
  ({ name, description, violates, over: transportsToTry = transports, make }) =>
    transportsToTry.map((transport) =>
      fault(
        `${name}-over-${transport}`,
        `${description}, over ${names[transport]} only.`,
        [violates],
        onlyOver(transport, make),
      ),
    ),
)
