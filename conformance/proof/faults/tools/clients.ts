import { isRequest, isResponse, type JsonRpc } from '../../../../mocks/stateful/tools.ts'
import { fault, over, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>

const nameIn = (message: JsonRpc): string =>
  String((message['params'] as Json | undefined)?.['name'])
const isForeign = (message: JsonRpc): boolean =>
  isRequest(message) &&
  message['method'] === 'tools/call' &&
  /^\w{12,}_nothing_\d+$/.test(nameIn(message))

/** Remembers by its id why a tool was not called, for all clients. */
const remembers: MakeToolsDeviation = (hit) => {
  const known = new Map<string, { session: string | undefined; error: unknown }>()
  const asked = new Set<string>()
  return {
    message(direction, message, { session }) {
      const id = JSON.stringify(message['id'])
      if (direction === 'in') {
        if (isForeign(message)) asked.add(`${session} ${id}`)
        return message
      }
      if (!isResponse(message) || !('error' in message) || !asked.delete(`${session} ${id}`))
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

/** Hears only the client that was first to call a tool that there is not. */
const hearsOne: MakeToolsDeviation = (hit) => {
  const callers = new Set<string | undefined>()
  return {
    message(direction, message, { session }) {
      if (direction === 'out' || !isForeign(message)) return message
      callers.add(session)
      if ([...callers][0] === session) return message
      hit()
      return undefined
    },
  }
}

/** Two clients at once. */
export const clients = [
  fault(
    'answers-are-shared-by-their-ids',
    'Gives a client the error that another got under the same id.',
    ['TOOL-MCP-11'],
    remembers,
  ),
  fault(
    'one-client-at-a-time',
    'Hears only one of two clients that call tools at once.',
    ['TOOL-MCP-11'],
    hearsOne,
  ),
  fault(
    'answers-are-shared-between-streams',
    'Gives a client the error that another got under the same id.',
    ['TOOL-SSE-04'],
    over(['sse'], remembers),
  ),
  fault(
    'one-stream-at-a-time',
    'Hears only one of two clients that call tools at once.',
    ['TOOL-SSE-04'],
    over(['sse'], hearsOne),
  ),
]
