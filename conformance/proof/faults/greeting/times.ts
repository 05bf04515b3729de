import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { GreetingCall } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFault } from './fault.ts'
import { fault, onRequest, watchRequests } from './building.ts'

/**
 * Returns the timestamp of a response. `position` is the position of the response in its stream,
 * counted from 1.
 */
type Timestamp = (now: number, response: { position: number; message: string }) => string | number

/**
 * Replaces timestamps. A number is a time in milliseconds since 1970. `newServer` is called once
 * for a server, and the function that it returns once for each stream.
 */
const changedTimes = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  newServer: () => (call: GreetingCall) => Timestamp,
): GreetingFault =>
  fault(name, description, violates, (hit) => {
    const newStream = newServer()
    return onRequest((call, next) => {
      const timestamp = newStream(call)
      const send = call.send.bind(call)
      let position = 0
      call.send = (response) => {
        if (response instanceof Uint8Array) return send(response)
        position += 1
        const changed = timestamp(call.server.now(), { position, message: response.message ?? '' })
        const text = typeof changed === 'number' ? new Date(changed).toISOString() : changed
        if (text !== response.server_timestamp) hit()
        return send({ ...response, server_timestamp: text })
      }
      return next()
    })(hit)
  })

/** Faults in which server_timestamp is not the time of the response. */
export const times: readonly GreetingFault[] = [
  fault(
    'later-times-are-identifiers',
    'Returns the identifier of a request as the time, except in the first two responses of a stream.',
    ['GRT-RESPONSE-06'],
    onRequest((call, next, hit) => {
      const ids: string[] = []
      watchRequests(call, ({ request_id: id }) => ids.push(id))
      const send = call.send.bind(call)
      let position = 0
      call.send = (response) => {
        position += 1
        if (response instanceof Uint8Array || position < 3) return send(response)
        hit()
        return send({ ...response, server_timestamp: ids[position - 1] ?? 'none' })
      }
      return next()
    }),
  ),
  changedTimes(
    'times-are-that-of-the-first-response-of-the-server',
    "Returns the time of the server's first response in every response.",
    ['GRT-RESPONSE-06', 'GRT-RESPONSE-08'],
    () => {
      let first: number | undefined
      return () => (now) => (first ??= now)
    },
  ),
  changedTimes(
    'times-are-that-of-the-first-response-of-the-stream',
    'Returns the time of the first response of a stream in all of its responses.',
    ['GRT-RESPONSE-06', 'GRT-RESPONSE-08'],
    () => () => {
      let first: number | undefined
      return (now) => (first ??= now)
    },
  ),
  changedTimes(
    'times-stop-after-ten-responses',
    'Returns the time of the tenth response of a stream in all later ones.',
    ['GRT-RESPONSE-06', 'GRT-RESPONSE-08'],
    () => () => {
      let last = 0
      return (now, { position }) => (position > 10 ? last : (last = now))
    },
  ),
  changedTimes(
    'times-are-that-of-the-previous-response',
    'From the second response of a stream on, returns the time of the previous response.',
    ['GRT-RESPONSE-06'],
    () => () => {
      let before: number | undefined
      return (now) => {
        const shown = before ?? now
        before = now
        return shown
      }
    },
  ),
  changedTimes(
    'first-time-is-that-of-another-stream',
    "In the first response of a stream, returns the time of the server's last response on another.",
    ['GRT-RESPONSE-06'],
    () => {
      let last: number | undefined
      return () =>
        (now, { position }) => {
          const shown = position === 1 ? (last ?? now) : now
          last = now
          return shown
        }
    },
  ),
  changedTimes(
    'times-are-kept-by-greeting',
    'Returns the time of the first response that had the same greeting.',
    ['GRT-RESPONSE-06'],
    () => {
      const first = new Map<string, number>()
      return () =>
        (now, { message }) => {
          if (!first.has(message)) first.set(message, now)
          return first.get(message)!
        }
    },
  ),
  changedTimes(
    'times-run-backwards',
    'Subtracts three seconds from the time for each earlier response of the stream.',
    ['GRT-RESPONSE-06'],
    () =>
      () =>
      (now, { position }) =>
        now - 3000 * (position - 1),
  ),
  changedTimes(
    'clock-runs-at-double-speed',
    'Has a clock that runs at double speed after the first response.',
    ['GRT-RESPONSE-06'],
    () => {
      let start: number | undefined
      return () => (now) => now + (now - (start ??= now))
    },
  ),
  changedTimes(
    'every-second-time-is-early',
    'Returns a time that is 0.8 seconds early in every second response of a stream.',
    ['GRT-RESPONSE-06'],
    () =>
      () =>
      (now, { position }) =>
        position % 2 === 0 ? now - 800 : now,
  ),

  changedTimes(
    'times-are-a-word',
    'Returns the word "now" as the time.',
    ['GRT-RESPONSE-08'],
    () => () => () => 'now',
  ),
  changedTimes(
    'times-are-a-format',
    'Returns the letters of a time format as the time.',
    ['GRT-RESPONSE-08'],
    () => () => () => 'yyyy-MM-dd HH:mm:ss',
  ),

  changedTimes(
    'times-have-32-bits',
    'Returns milliseconds since 1970 that have overflowed a signed integer of 32 bits.',
    ['GRT-RESPONSE-09'],
    () => () => (now) => String(Math.trunc(now) | 0),
  ),
  changedTimes(
    'clock-begins-in-1970',
    'Has a clock that begins in 1970 when the server starts.',
    ['GRT-RESPONSE-09'],
    () => {
      let start: number | undefined
      return () => (now) => now - (start ??= now)
    },
  ),
]
