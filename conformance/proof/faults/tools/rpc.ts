import { isRequest, isResponse, type JsonRpc } from '../../../../mocks/stateful/tools.ts'
import {
  fault,
  isUnknownMethod,
  onMessage,
  over,
  onResult,
  type MakeToolsDeviation,
  type MakeDeviationPoints,
} from './building.ts'

type Json = Record<string, unknown>

/** Changes responses to these methods. */
const onResponseTo = (
  methods: readonly string[],
  change: (response: JsonRpc) => JsonRpc | JsonRpc[] | undefined,
): MakeToolsDeviation =>
  onMessage((response, { method }) => (methods.includes(method) ? change(response) : response))

/** Changes errors of one method. */
const onErrorOf = (method: string, change: (error: Json) => Json): MakeToolsDeviation =>
  onResponseTo([method], (response) =>
    'error' in response ? { ...response, error: change(response['error'] as Json) } : response,
  )

/** Changes responses to unknown methods. */
const onUnknownMethod = (change: (response: JsonRpc) => JsonRpc | undefined): MakeToolsDeviation =>
  onMessage((response, { method }) => (isUnknownMethod(method) ? change(response) : response))

/** Changes the ids of responses to ping. If `change` returns undefined, the response is dropped. */
const onPingId = (change: (id: unknown) => unknown): MakeToolsDeviation =>
  onResponseTo(['ping'], (response) => {
    const id = change(response['id'])
    return id === response['id'] ? response : id === undefined ? undefined : { ...response, id }
  })

/** Responds to a notification with an error whose id is null. */
const answerNotification =
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

/** Drops responses to calls that are cancelled with one of these ids. */
const onCancellation =
  (idsOf: (requestId: unknown) => readonly unknown[]): MakeToolsDeviation =>
  (hit) => {
    const cancelled = new Map<unknown, Set<unknown>>()
    return {
      message(direction, message, { session }) {
        if (direction === 'in' && message['method'] === 'notifications/cancelled') {
          const ids = cancelled.get(session) ?? new Set()
          cancelled.set(session, ids)
          for (const id of idsOf((message['params'] as Json)['requestId'])) ids.add(id)
        }
        if (direction === 'in' || cancelled.get(session)?.has(message['id']) !== true)
          return message
        hit()
        return undefined
      },
    }
  }

/** Drops responses to calls whose id was cancelled by any client. */
const cancelInEverySession: MakeToolsDeviation = (hit) => {
  const cancelled = new Set<unknown>()
  return {
    message(direction, message) {
      if (direction === 'in' && message['method'] === 'notifications/cancelled')
        cancelled.add((message['params'] as Json)['requestId'])
      if (direction === 'in' || !isResponse(message) || !cancelled.has(message['id']))
        return message
      hit()
      return undefined
    },
  }
}

/** Ignores pings while a tool whose name contains `part` runs in the same session. */
const ignorePingDuring =
  (part: string): MakeToolsDeviation =>
  (hit) => {
    const busy = new Map<string, Set<unknown>>()
    return {
      // 50 ms of real time are enough for the suite to send a ping before the call ends.
      async around(call, next) {
        if (call.tool.name.includes(part)) await new Promise((resolve) => setTimeout(resolve, 50))
        return next()
      },
      message(direction, message, { session = '' }) {
        const calls = busy.get(session) ?? new Set()
        busy.set(session, calls)
        if (
          direction === 'in' &&
          String((message['params'] as Json | undefined)?.['name']).includes(part)
        )
          calls.add(message['id'])
        if (direction === 'out' && isResponse(message)) calls.delete(message['id'])
        if (direction === 'out' || message['method'] !== 'ping' || calls.size === 0) return message
        hit()
        return undefined
      },
    }
  }

/** Replaces the names of tools in calls; undefined keeps a name. */
const renameTools =
  (rename: (name: string) => string | undefined): MakeDeviationPoints =>
  (hit) => ({
    message(direction, message) {
      const params = message['params'] as Json | undefined
      const name =
        direction === 'in' && message['method'] === 'tools/call'
          ? rename(String(params?.['name']))
          : undefined
      if (name === undefined) return message
      hit()
      return { ...message, params: { ...params, name } }
    },
  })

/** Faults in messages and their ids. */
export const rpc = [
  fault(
    'older-json-rpc',
    'Labels responses to tools/list as JSON-RPC 1.0.',
    ['TOOL-MCP-04'],
    onResponseTo(['tools/list'], (response) => ({ ...response, jsonrpc: '1.0' })),
  ),
  fault(
    'result-together-with-error',
    'Adds the member error with the value null to each list of templates.',
    ['TOOL-MCP-04'],
    onResponseTo(['resources/templates/list'], (response) => ({ ...response, error: null })),
  ),
  fault(
    'error-code-is-a-string',
    'Returns the code of an error as a string if the request is a call.',
    ['TOOL-MCP-04'],
    onErrorOf('tools/call', (error) => ({ ...error, code: String(error['code']) })),
  ),
  fault(
    'error-without-message',
    'Returns errors without a message for requests of resources.',
    ['TOOL-MCP-04'],
    onErrorOf('resources/read', ({ message: _, ...error }) => error),
  ),
  fault(
    'message-of-no-kind',
    'Sends an object without method, result or error before each list of tools.',
    ['TOOL-MCP-04'],
    onResponseTo(['tools/list'], (response) => [{ jsonrpc: '2.0', status: 'working' }, response]),
  ),

  fault(
    'numeric-strings-become-numbers',
    'Returns an id that is a string of digits as a number.',
    ['TOOL-MCP-05'],
    onPingId((id) => (typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id)),
  ),
  fault(
    'ids-lose-their-case',
    'Returns ids in lower case.',
    ['TOOL-MCP-05'],
    onPingId((id) => (typeof id === 'string' ? id.toLowerCase() : id)),
  ),
  fault(
    'negative-ids-lose-their-sign',
    'Returns the absolute value of an id.',
    ['TOOL-MCP-05'],
    onPingId((id) => (typeof id === 'number' ? Math.abs(id) : id)),
  ),
  fault(
    'long-ids-are-cut',
    'Returns only the first 64 characters of an id.',
    ['TOOL-MCP-05'],
    onPingId((id) => (typeof id === 'string' && id.length > 64 ? id.slice(0, 64) : id)),
  ),
  fault(
    'zero-is-not-an-id',
    'Does not respond to a request with the id 0.',
    ['TOOL-MCP-05'],
    onPingId((id) => (id === 0 ? undefined : id)),
  ),
  fault(
    'an-empty-string-is-not-an-id',
    'Does not respond to a request whose id is an empty string.',
    ['TOOL-MCP-05'],
    onPingId((id) => (id === '' ? undefined : id)),
  ),
  fault(
    'cancellations-ignore-the-type-of-ids',
    'Cancels the request 7 if the request "7" is cancelled.',
    ['TOOL-MCP-05'],
    onCancellation((requestId) => [
      /^\d+$/.test(String(requestId)) ? Number(requestId) : requestId,
    ]),
  ),
  fault(
    'clients-cancel-requests-of-others',
    'Cancels the request with the cancelled id in every session.',
    ['TOOL-MCP-05'],
    cancelInEverySession,
  ),
  fault(
    'calls-are-answered-twice',
    'Sends every response to a call twice.',
    ['TOOL-MCP-05'],
    onResponseTo(['tools/call'], (response) => [response, response]),
  ),
  fault(
    'calls-are-answered-twice-over-stdio',
    'Sends every response to a call twice over standard output.',
    ['TOOL-MCP-05'],
    over(
      ['stdio'],
      onResponseTo(['tools/call'], (response) => [response, response]),
    ),
  ),
  fault(
    'responses-to-unknown-ids',
    'Sends a response with an unknown id before each response to ping.',
    ['TOOL-MCP-05'],
    onResponseTo(['ping'], (response) => [{ ...response, id: 987_654 }, response]),
  ),

  fault(
    'unknown-notification-is-answered',
    'Responds to an unknown notification with an error.',
    ['TOOL-MCP-06'],
    over(['stdio'], answerNotification('notifications/touchstone/nothing')),
  ),
  fault(
    'notification-outside-of-mcp-is-answered',
    'Responds with an error to a notification whose method does not begin with notifications/.',
    ['TOOL-MCP-06'],
    over(['stdio'], answerNotification('touchstone/nothing')),
  ),
  fault(
    'changed-roots-are-answered',
    'Responds with an error to the notification that the roots of the client have changed.',
    ['TOOL-MCP-06'],
    over(['stdio'], answerNotification('notifications/roots/list_changed')),
  ),
  fault(
    'progress-of-the-client-is-answered',
    'Responds with an error to a progress notification with an unknown token.',
    ['TOOL-MCP-06'],
    over(['sse'], answerNotification('notifications/progress')),
  ),
  fault(
    'unknown-cancellation-is-answered',
    'Responds with an error to the cancellation of an unknown request.',
    ['TOOL-MCP-06'],
    over(['sse'], answerNotification('notifications/cancelled')),
  ),

  fault(
    'ping-result-is-not-empty',
    'Returns a non-empty result for ping.',
    ['TOOL-MCP-07'],
    onResult('ping', () => ({ text: 'pong' })),
  ),
  fault(
    'ping-is-unknown',
    'Does not know the method ping.',
    ['TOOL-MCP-07'],
    onResponseTo(['ping'], ({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32601, message: 'Method not found' },
    })),
  ),
  fault(
    'no-ping-while-a-tool-runs',
    'Does not respond to ping while a report runs.',
    ['TOOL-MCP-07'],
    ignorePingDuring('_report_'),
  ),
  fault(
    'no-ping-while-the-upstream-is-awaited',
    'Does not respond to ping while it waits for a book from its upstream.',
    ['TOOL-MCP-07'],
    ignorePingDuring('_get_book'),
  ),

  fault(
    'unknown-method-is-an-invalid-request',
    'Returns the error code -32600 for an unknown method.',
    ['TOOL-MCP-08'],
    onUnknownMethod((response) => ({
      ...response,
      error: { code: -32600, message: 'Invalid Request' },
    })),
  ),
  fault(
    'unknown-methods-of-tools-have-invalid-params',
    'Returns the error code -32602 for an unknown method that begins with tools/.',
    ['TOOL-MCP-08'],
    onMessage((response, { method = '' }) =>
      isUnknownMethod(method) && method.startsWith('tools/')
        ? { ...response, error: { code: -32602, message: 'Invalid params' } }
        : response,
    ),
  ),
  fault(
    'unknown-method-has-a-result',
    'Returns an empty result for an unknown method.',
    ['TOOL-MCP-08'],
    onUnknownMethod(({ id }) => ({ jsonrpc: '2.0', id, result: {} })),
  ),
  fault(
    'unknown-method-is-not-answered',
    'Does not respond to an unknown method.',
    ['TOOL-MCP-08'],
    onUnknownMethod(() => undefined),
  ),

  fault(
    'errors-have-no-id',
    'Returns null as the id of errors for unknown methods.',
    ['TOOL-MCP-05'],
    onUnknownMethod((response) => ('error' in response ? { ...response, id: null } : response)),
  ),
  fault(
    'unknown-tool-has-a-result',
    'Returns text for an unknown tool.',
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
    'tool-is-matched-by-prefix',
    'Calls the tool whose name is the beginning of an unknown name.',
    ['TOOL-CALL-06'],
    renameTools((name) => /^(shelf_[a-z]+_[a-z]+)_[0-9a-f]+$/.exec(name)?.[1]),
  ),
  fault(
    'tool-is-matched-without-its-prefix',
    'Calls a tool whose name lacks the prefix of the server.',
    ['TOOL-CALL-09'],
    renameTools((name) => (/^(shelf_|[A-Z])/.test(name) ? undefined : `shelf_${name}`)),
  ),
  fault(
    'tool-is-matched-in-any-case',
    'Ignores the case of the names of tools.',
    ['TOOL-CALL-09'],
    renameTools((name) => (/[A-Z]/.test(name) ? name.toLowerCase() : undefined)),
  ),
]
