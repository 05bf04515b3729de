import { isRequest, isResponse, type JsonRpc } from '../../../../mocks/stateful/tools.ts'
import { fault, over, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>

const nameIn = (message: JsonRpc): string =>
  String((message['params'] as Json | undefined)?.['name'])
const isUnknownToolCall = (message: JsonRpc): boolean =>
  isRequest(message) &&
  message['method'] === 'tools/call' &&
  /^\w{12,}_nothing_\d+$/.test(nameIn(message))

/**
 * A deviation that returns the error of the first client that used an id to all other clients that
 * use the same id.
 */
const shareErrors: MakeToolsDeviation = (hit) => {
  const known = new Map<string, { session: string | undefined; error: unknown }>()
  const pendingIds = new Set<string>()
  return {
    message(direction, message, { session }) {
      const id = JSON.stringify(message['id'])
      if (direction === 'in') {
        if (isUnknownToolCall(message)) pendingIds.add(`${session} ${id}`)
        return message
      }
      if (!isResponse(message) || !('error' in message) || !pendingIds.delete(`${session} ${id}`))
        return message
      const before = known.get(id)
      if (before === undefined || before.session === session) {
        known.set(id, { session, error: message['error'] })
        return message
      }
      hit()
      return { ...message, error: before.error }
    },
  }
}

/** Ignores calls of unknown tools by all clients except the first that sends one. */
const serveFirstClient: MakeToolsDeviation = (hit) => {
  const callers = new Set<string | undefined>()
  return {
    message(direction, message, { session }) {
      if (direction === 'out' || !isUnknownToolCall(message)) return message
      callers.add(session)
      if ([...callers][0] === session) return message
      hit()
      return undefined
    },
  }
}

/** Faults that two concurrent clients notice. */
export const clients = [
  fault(
    'responses-are-shared-by-their-ids',
    "Sends a client the error for another client's request that has the same id.",
    ['TOOL-MCP-11'],
    shareErrors,
  ),
  fault(
    'one-client-at-a-time',
    'Ignores one of two clients that call tools at the same time.',
    ['TOOL-MCP-11'],
    serveFirstClient,
  ),
  fault(
    'responses-are-shared-between-streams',
    "Over HTTP+SSE, sends a client the error for another client's request that has the same id.",
    ['TOOL-SSE-04'],
    over(['sse'], shareErrors),
  ),
  fault(
    'one-stream-at-a-time',
    'Ignores one of two clients that call tools at the same time, over HTTP+SSE.',
    ['TOOL-SSE-04'],
    over(['sse'], serveFirstClient),
  ),
]
