import { isRequest, isResponse, type JsonRpc } from '../../../../mocks/stateful/tools.ts'
import { fault, onMessage, over, resultsOf, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>

/** Changes responses to these methods. */
const to = (
  methods: readonly string[],
  change: (response: JsonRpc) => JsonRpc | JsonRpc[] | undefined,
): MakeToolsDeviation =>
  onMessage((response, { method }) => (methods.includes(method) ? change(response) : response))

/** Changes errors that answer these methods. */
const errorsOf = (method: string, change: (error: Json) => Json): MakeToolsDeviation =>
  to([method], (response) =>
    'error' in response ? { ...response, error: change(response['error'] as Json) } : response,
  )

/** Answers what there is no method for. */
const unknown = (change: (response: JsonRpc) => JsonRpc | undefined): MakeToolsDeviation =>
  onMessage((response, { method }) =>
    /^(tools|resources|logging|initialize|ping)/.test(method) ? response : change(response),
  )

/** Changes the ids of responses to ping; with undefined there is no response. */
const pingIds = (change: (id: unknown) => unknown): MakeToolsDeviation =>
  to(['ping'], (response) => {
    const id = change(response['id'])
    return id === response['id'] ? response : id === undefined ? undefined : { ...response, id }
  })

/** Takes a notification for a request, whose error has no id that could be told. */
const answersNotification =
  (method: string): MakeToolsDeviation =>
  (hit) => ({
    message(direction, message) {
      if (direction === 'in')
        return message['method'] === method && !isRequest(message)
          ? { ...message, id: 'a notification' }
          : message
      if (message['id'] !== 'a notification') return message
      hit()
      return { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } }
    },
  })

/** Does not hear a ping while a report is made in the same session. */
const deafWhileBusy: MakeToolsDeviation = (hit) => {
  const busy = new Map<string, Set<unknown>>()
  return {
    // Long enough, in milliseconds of the wall, for others to be heard meanwhile.
    async around(call, next) {
      if (call.tool.name.includes('_report_'))
        await new Promise((resolve) => setTimeout(resolve, 50))
      return next()
    },
    message(direction, message, { session = '' }) {
      const calls = busy.get(session) ?? new Set()
      busy.set(session, calls)
      if (
        direction === 'in' &&
        String((message['params'] as Json | undefined)?.['name']).includes('_report_')
      )
        calls.add(message['id'])
      if (direction === 'out' && isResponse(message)) calls.delete(message['id'])
      if (direction === 'out' || message['method'] !== 'ping' || calls.size === 0) return message
      hit()
      return undefined
    },
  }
}

/** Messages and their ids. */
export const rpc = [
  fault(
    'older-json-rpc',
    'Calls its answers to tools/list JSON-RPC 1.0.',
    ['TOOL-MCP-04'],
    to(['tools/list'], (response) => ({ ...response, jsonrpc: '1.0' })),
  ),
  fault(
    'result-beside-error',
    'Puts an error of null beside each list of templates.',
    ['TOOL-MCP-04'],
    to(['resources/templates/list'], (response) => ({ ...response, error: null })),
  ),
  fault(
    'error-code-is-a-text',
    'Tells the code of errors of calls as text.',
    ['TOOL-MCP-04'],
    errorsOf('tools/call', (error) => ({ ...error, code: String(error['code']) })),
  ),
  fault(
    'error-without-message',
    'Tells errors of resources without a message.',
    ['TOOL-MCP-04'],
    errorsOf('resources/read', ({ message: _, ...error }) => error),
  ),
  fault(
    'message-without-meaning',
    'Sends an object without method, result or error before each list of tools.',
    ['TOOL-MCP-04'],
    to(['tools/list'], (response) => [{ jsonrpc: '2.0', status: 'working' }, response]),
  ),

  fault(
    'texts-of-digits-become-numbers',
    'Answers a request whose id is a text of digits under a number.',
    ['TOOL-MCP-05'],
    pingIds((id) => (typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id)),
  ),
  fault(
    'ids-lose-their-case',
    'Answers under the id in lower case.',
    ['TOOL-MCP-05'],
    pingIds((id) => (typeof id === 'string' ? id.toLowerCase() : id)),
  ),
  fault(
    'zero-is-no-id',
    'Does not answer a request with the id 0.',
    ['TOOL-MCP-05'],
    pingIds((id) => (id === 0 ? undefined : id)),
  ),
  fault(
    'calls-are-answered-twice',
    'Answers every call twice.',
    ['TOOL-MCP-05'],
    to(['tools/call'], (response) => [response, response]),
  ),
  fault(
    'calls-are-answered-twice-over-stdio',
    'Answers every call twice.',
    ['TOOL-MCP-05'],
    over(
      ['stdio'],
      to(['tools/call'], (response) => [response, response]),
    ),
  ),
  fault(
    'answers-that-nobody-asked-for',
    'Sends with each answer to ping one that nobody asked for.',
    ['TOOL-MCP-05'],
    to(['ping'], (response) => [{ ...response, id: 987_654 }, response]),
  ),

  fault(
    'unknown-notification-is-answered',
    'Answers a notification that it does not know with an error.',
    ['TOOL-MCP-06'],
    over(['stdio'], answersNotification('notifications/touchstone/nothing')),
  ),
  fault(
    'cancelling-nothing-is-answered',
    'Answers with an error when what is cancelled is not under way.',
    ['TOOL-MCP-06'],
    over(['sse'], answersNotification('notifications/cancelled')),
  ),

  fault(
    'ping-tells-something',
    'Answers a ping with a text.',
    ['TOOL-MCP-07'],
    resultsOf('ping', () => ({ text: 'pong' })),
  ),
  fault(
    'ping-is-unknown',
    'Knows no ping.',
    ['TOOL-MCP-07'],
    to(['ping'], ({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32601, message: 'Method not found' },
    })),
  ),
  fault(
    'no-ping-while-a-tool-runs',
    'Does not answer a ping while it makes a report.',
    ['TOOL-MCP-07'],
    deafWhileBusy,
  ),

  fault(
    'unknown-method-is-an-invalid-request',
    'Calls a method that it does not know an invalid request.',
    ['TOOL-MCP-08'],
    unknown((response) => ({ ...response, error: { code: -32600, message: 'Invalid Request' } })),
  ),
  fault(
    'unknown-method-has-a-result',
    'Gives an empty result for a method that it does not know.',
    ['TOOL-MCP-08'],
    unknown(({ id }) => ({ jsonrpc: '2.0', id, result: {} })),
  ),
  fault(
    'unknown-method-is-not-answered',
    'Does not answer a method that it does not know.',
    ['TOOL-MCP-08'],
    unknown(() => undefined),
  ),

  fault(
    'unknown-tool-has-a-result',
    'Gives a text for a tool that it does not have.',
    ['TOOL-CALL-06'],
    onMessage((response, { method, params }) =>
      method === 'tools/call' && 'error' in response
        ? {
            jsonrpc: '2.0',
            id: response['id'],
            result: { content: [{ type: 'text', text: `${String(params['name'])} was called` }] },
          }
        : response,
    ),
  ),
  fault(
    'nearest-tool-is-called',
    'Calls the tool whose name a longer one begins with.',
    ['TOOL-CALL-06'],
    (hit) => ({
      message(direction, message) {
        const params = message['params'] as Json | undefined
        const name = /^(shelf_[a-z]+_[a-z]+)_[0-9a-f]+$/.exec(String(params?.['name']))?.[1]
        if (direction === 'out' || message['method'] !== 'tools/call' || name === undefined)
          return message
        hit()
        return { ...message, params: { ...params, name } }
      },
    }),
  ),
]
