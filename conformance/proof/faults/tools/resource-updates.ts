import type { ServerResponse } from 'node:http'
import { fault, onHttpRequest, pathOf, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>
type Subscriptions = Map<unknown, Set<unknown>>

/** The resource that the call which elicits input changes. */
const changed = 'shelf://books/b-001'

interface UpdateRules {
  /** Whether the session is notified of a change. Conforming: it is subscribed to the resource. */
  isNotified?(session: unknown, all: Subscriptions): boolean
  /** The params of the notification. */
  params?: Json
  /** Ends a subscription. */
  unsubscribe?(session: unknown, uri: unknown, all: Subscriptions): void
}

const isSubscribed = (session: unknown, all: Subscriptions): boolean =>
  all.get(session)?.has(changed) === true

/**
 * Sends a notification of a changed resource before each response to the call that elicits input,
 * with some rules replaced. Each call changes the resource.
 */
const updateWith =
  ({
    isNotified = isSubscribed,
    params = { uri: changed },
    unsubscribe = (session, uri, all) => void all.get(session)?.delete(uri),
  }: UpdateRules): MakeToolsDeviation =>
  (hit) => {
    const subscriptions: Subscriptions = new Map()
    const calls = new Set<string>()
    return {
      choices: { subscriptions: true },
      message(direction, message, { session }) {
        const { method, id } = message
        const key = JSON.stringify([session, id])
        const { uri, name } = (message['params'] ?? {}) as Json
        if (direction === 'in') {
          if (!subscriptions.has(session)) subscriptions.set(session, new Set())
          if (method === 'resources/subscribe') subscriptions.get(session)?.add(uri)
          if (method === 'resources/unsubscribe') unsubscribe(session, uri, subscriptions)
          if (name === 'shelf_recommend_book') calls.add(key)
          return message
        }
        if (!calls.has(key) || 'method' in message || !isNotified(session, subscriptions))
          return message
        hit()
        calls.delete(key)
        return [{ jsonrpc: '2.0', method: 'notifications/resources/updated', params }, message]
      },
    }
  }

/** Notifies each session only of the first change. */
const notifyOnce = (): MakeToolsDeviation => (hit) => {
  const notified = new Set<unknown>()
  return updateWith({
    isNotified(session, all) {
      if (!isSubscribed(session, all) || notified.has(session)) return false
      notified.add(session)
      return true
    },
  })(hit)
}

/**
 * Opens several event streams in a session, and sends notifications of changed resources on those
 * that `select` selects. A conforming server sends each on one of them.
 */
export const notifyOnStreams =
  (select: (open: readonly ServerResponse[]) => readonly ServerResponse[]): MakeToolsDeviation =>
  (hit) => {
    const streams = new Map<unknown, Set<ServerResponse>>()
    const broadcasting = onHttpRequest((request, response) => {
      if (pathOf(request) !== '/mcp') return false
      const session = request.headers['mcp-session-id']
      const open = streams.get(session) ?? new Set()
      streams.set(session, open)
      response.once('close', () => open.delete(response))
      if (request.method === 'GET') {
        open.add(response)
        // The SDK opens only one stream.
        if (open.size === 1) return false
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        return true
      }
      const write = response.write.bind(response) as (...args: unknown[]) => boolean
      response.write = ((chunk: unknown, ...rest: unknown[]) => {
        const text = Buffer.from(chunk as Uint8Array).toString()
        if (!text.includes('"notifications/resources/updated"')) return write(chunk, ...rest)
        for (const stream of select([...open])) stream.write(chunk)
        return true
      }) as typeof response.write
      return false
    })(hit)
    return { ...updateWith({})(hit), ...broadcasting }
  }

/** Faults in notifications of changed resources. */
export const resourceUpdates = [
  fault(
    'updates-are-sent-to-all-clients',
    'Notifies all clients of a changed resource.',
    ['TOOL-RESOURCE-13'],
    updateWith({ isNotified: () => true }),
  ),
  fault(
    'subscriptions-are-shared',
    'Notifies all clients of a changed resource if one of them is subscribed to it.',
    ['TOOL-RESOURCE-13'],
    updateWith({
      isNotified: (_session, all) => [...all.values()].some((uris) => uris.has(changed)),
    }),
  ),
  fault(
    'subscriptions-cover-similar-resources',
    'Notifies clients of a changed resource if they are subscribed to any resource.',
    ['TOOL-RESOURCE-13'],
    updateWith({ isNotified: (session, all) => (all.get(session)?.size ?? 0) > 0 }),
  ),
  fault(
    'unsubscribing-has-no-effect',
    'Continues to notify clients after they have ended their subscription.',
    ['TOOL-RESOURCE-13'],
    updateWith({ unsubscribe: () => {} }),
  ),
  fault(
    'only-the-first-change-is-notified',
    'Notifies a client only of the first change of a resource.',
    ['TOOL-RESOURCE-14'],
    notifyOnce(),
  ),
  fault(
    'unsubscribing-ends-the-subscriptions-of-others',
    'Ends the subscriptions of all clients to a resource if one of them unsubscribes.',
    ['TOOL-RESOURCE-14'],
    updateWith({
      unsubscribe(_session, uri, all) {
        for (const uris of all.values()) uris.delete(uri)
      },
    }),
  ),
  fault(
    'unsubscribing-ends-all-subscriptions',
    'Ends all subscriptions of a client if it unsubscribes from one resource.',
    ['TOOL-RESOURCE-14'],
    updateWith({ unsubscribe: (session, _uri, all) => all.get(session)?.clear() }),
  ),
  fault(
    'updates-have-no-uri',
    'Notifies clients of changed resources without a URI.',
    ['TOOL-RESOURCE-15'],
    updateWith({ params: {} }),
  ),
  fault(
    'updates-have-a-list-of-uris',
    'Names changed resources in a list.',
    ['TOOL-RESOURCE-15'],
    updateWith({ params: { uris: [changed] } }),
  ),
  fault(
    'updates-are-broadcast',
    'Sends notifications of changed resources on all event streams of a session.',
    ['TOOL-HTTP-13'],
    notifyOnStreams((open) => open),
  ),
]
