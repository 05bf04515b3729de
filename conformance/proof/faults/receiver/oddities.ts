import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { eventNames, events } from '../../../../mocks/deliveries/events.ts'
import type { ReceiverFault } from './fault.ts'
import {
  failWith500,
  fault,
  onDelivery,
  replaceOtherMethodStatus,
  type ReadDelivery,
  type WrongResponse,
} from './building.ts'

const megabyte = 1_000_000
const known = new Set<string | undefined>(eventNames.map((name) => events[name].header))
const kinds = new Set<unknown>(eventNames.map((name) => events[name].objectKind))

export const isUnknown = ({ event }: ReadDelivery) => !known.has(event)
export const isLarge = ({ bytes }: ReadDelivery) => bytes.length > megabyte
export const isInvalidJson = ({ bytes, payload }: ReadDelivery) =>
  bytes.length > 0 && payload === undefined
export const isEmpty = ({ bytes }: ReadDelivery) => bytes.length === 0
export const isArray = ({ payload }: ReadDelivery) => Array.isArray(payload)
export const isNumber = ({ payload }: ReadDelivery) => typeof payload === 'number'

/** Returns a function that reports whether it has seen the same delivery before. */
export function newRepeatDetector(): (delivery: ReadDelivery) => boolean {
  const seen = new Set<string>()
  return ({ bytes }) => {
    const text = bytes.toString()
    if (text.length === 0) return false
    const before = seen.has(text)
    seen.add(text)
    return before
  }
}

const failOn = (
  name: string,
  description: string,
  requirement: ReceiverFault['violates'][number],
  matches: (delivery: ReadDelivery) => boolean,
  wrong: WrongResponse = 500,
): ReceiverFault =>
  fault(
    name,
    description,
    [requirement],
    onDelivery(() => (delivery) => (matches(delivery) ? wrong : undefined)),
  )

const failOnRepeat = (name: string, description: string, status: number): ReceiverFault =>
  fault(
    name,
    description,
    ['EVT-RECEIVER-21'],
    onDelivery(() => {
      const isRepeated = newRepeatDetector()
      return (delivery) => (isRepeated(delivery) ? status : undefined)
    }),
  )

/** Replaces the response to every GET after the first delivery. */
const onGet = (
  name: string,
  description: string,
  respond: (hit: () => void) => number,
): ReceiverFault =>
  fault(name, description, ['EVT-RECEIVER-24'], (hit) => ({
    around: (call, next) => {
      replaceOtherMethodStatus(call, () => respond(hit))
      return next()
    },
  }))

/**
 * Receivers that fail on an unusual delivery. They need not understand it, but must not respond
 * with a 5xx status or without a response.
 */
export const oddities: readonly ReceiverFault[] = [
  failOn(
    'unknown-event-breaks-it',
    'Returns 500 for an unknown event.',
    'EVT-RECEIVER-20',
    isUnknown,
  ),
  failOn(
    'unknown-event-is-hung-up-on',
    'Closes the connection for an unknown event.',
    'EVT-RECEIVER-20',
    isUnknown,
    'close',
  ),
  failOn(
    'unknown-event-is-a-bad-gateway',
    'Returns 502 for an unknown event.',
    'EVT-RECEIVER-20',
    isUnknown,
    502,
  ),
  failOn(
    'unknown-object-kind-breaks-it',
    'Returns 500 for an unknown object_kind.',
    'EVT-RECEIVER-20',
    ({ payload }) => isObject(payload) && !kinds.has(payload['object_kind']),
  ),

  failOnRepeat('duplicates-break-it', 'Returns 500 for a repeated delivery.', 500),
  failOnRepeat('duplicates-are-a-conflict', 'Returns 409 for a repeated delivery.', 409),
  fault(
    'a-third-copy-is-too-much',
    'Returns 400 when it receives a delivery for the third time.',
    ['EVT-RECEIVER-21'],
    onDelivery(() => {
      const [isSecond, seen] = [newRepeatDetector(), new Set<string>()]
      return (delivery) => {
        const text = delivery.bytes.toString()
        if (!isSecond(delivery)) return undefined
        if (seen.has(text)) return 400
        seen.add(text)
        return undefined
      }
    }),
  ),
  failOnRepeat('duplicates-are-put-off', 'Returns 503 for a repeated delivery.', 503),

  failOn(
    'a-megabyte-breaks-it',
    'Returns 500 for bodies above a megabyte.',
    'EVT-RECEIVER-22',
    isLarge,
  ),
  failOn(
    'a-megabyte-is-hung-up-on',
    'Closes the connection for bodies above a megabyte.',
    'EVT-RECEIVER-22',
    isLarge,
    'close',
  ),
  failOn(
    'many-commits-break-it',
    'Returns 500 for a push with many paths.',
    'EVT-RECEIVER-22',
    ({ payload }) =>
      isObject(payload) && JSON.stringify(payload['commits'] ?? []).split('"').length > 20_000,
  ),

  failOn(
    'no-json-breaks-it',
    'Returns 500 for a body that is not JSON.',
    'EVT-RECEIVER-23',
    isInvalidJson,
  ),
  failOn(
    'no-json-is-hung-up-on',
    'Closes the connection for a body that is not JSON.',
    'EVT-RECEIVER-23',
    isInvalidJson,
    'close',
  ),
  failOn('arrays-break-it', 'Returns 500 for a body that is an array.', 'EVT-RECEIVER-23', isArray),
  failOn(
    'numbers-break-it',
    'Returns 500 for a body that is a number.',
    'EVT-RECEIVER-23',
    isNumber,
  ),
  failOn('empty-body-breaks-it', 'Returns 500 for an empty body.', 'EVT-RECEIVER-23', isEmpty),
  failOn(
    'empty-body-is-bad-gateway',
    'Returns 502 for an empty body, like a proxy of a receiver that crashed.',
    'EVT-RECEIVER-23',
    isEmpty,
    502,
  ),

  onGet('get-breaks-it', 'Returns 500 for GET, because there is no body.', (hit) =>
    failWith500(hit, 'There is no body'),
  ),
  fault(
    'allow-is-missing',
    'Refuses GET with 405, without the header Allow.',
    ['EVT-RECEIVER-33'],
    (hit) => ({
      rules: {
        allowedMethods() {
          hit()
          return undefined
        },
      },
    }),
  ),
  onGet('get-is-unavailable', 'Returns 503 for GET.', (hit) => {
    hit()
    return 503
  }),
]
