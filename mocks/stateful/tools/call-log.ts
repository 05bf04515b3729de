import { millisecondsSince, printable, type RequestListener } from '../../serving/log.ts'
import type { DeviationPoints } from './call.ts'
import { failureReason } from './pending-calls.ts'
import { describeCalls, isRequest, isResponse } from './protocol.ts'

/** The maximum number of calls that are remembered until their responses are sent. */
const maxPendingCalls = 1000

/**
 * Logs each call over standard input and output when its response is sent. Returns a function for
 * the field `message` of `DeviationPoints`. The function changes no message.
 */
export function newCallLog(listener: RequestListener): NonNullable<DeviationPoints['message']> {
  const pending = new Map<unknown, { call: string; at: string; began: number }>()
  return (direction, message) => {
    if (direction === 'in' && isRequest(message)) {
      const call = printable(describeCalls([message]))
      pending.set(message['id'], { call, at: new Date().toISOString(), began: performance.now() })
      const [oldest] = pending.keys()
      if (pending.size > maxPendingCalls) pending.delete(oldest)
    }
    const known =
      direction === 'out' && isResponse(message) ? pending.get(message['id']) : undefined
    if (known === undefined) return message
    pending.delete(message['id'])
    const reason = failureReason(message)
    listener({
      at: known.at,
      server: 'tools',
      call: known.call,
      ms: millisecondsSince(known.began),
      ...(reason === undefined ? {} : { reason: printable(reason) }),
    })
    return message
  }
}
