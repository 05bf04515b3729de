import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { eventNames, events } from '../../../../mocks/deliveries/events.ts'
import type { ReceiverFault } from './fault.ts'
import {
  breaks,
  fault,
  onDelivery,
  toOtherMethods,
  type ReadDelivery,
  type WrongAnswer,
} from './building.ts'

const megabyte = 1_000_000
const known = new Set<string | undefined>(eventNames.map((name) => events[name].header))
const kinds = new Set<unknown>(eventNames.map((name) => events[name].objectKind))

export const isUnknown = ({ event }: ReadDelivery) => !known.has(event)
export const isLarge = ({ bytes }: ReadDelivery) => bytes.length > megabyte
export const isNoJson = ({ bytes, payload }: ReadDelivery) =>
  bytes.length > 0 && payload === undefined
export const isEmpty = ({ bytes }: ReadDelivery) => bytes.length === 0
export const isArray = ({ payload }: ReadDelivery) => Array.isArray(payload)
export const isNumber = ({ payload }: ReadDelivery) => typeof payload === 'number'

/** Whether the same delivery came before. */
export function repeated(): (delivery: ReadDelivery) => boolean {
  const seen = new Set<string>()
  return ({ bytes }) => {
    const text = bytes.toString()
    if (text.length === 0) return false
    const before = seen.has(text)
    seen.add(text)
    return before
  }
}

const odd = (
  name: string,
  description: string,
  row: ReceiverFault['violates'][number],
  is: (delivery: ReadDelivery) => boolean,
  wrong: WrongAnswer = 500,
): ReceiverFault =>
  fault(
    name,
    description,
    [row],
    onDelivery(() => (delivery) => (is(delivery) ? wrong : undefined)),
  )

/** Breaks on every GET that comes after its first delivery. */
const onGet = (
  name: string,
  description: string,
  answer: (hit: () => void) => number,
): ReceiverFault =>
  fault(name, description, ['EVT-RECEIVER-24'], (hit) => ({
    around: (call, next) => {
      toOtherMethods(call, () => answer(hit))
      return next()
    },
  }))

/** Receivers that break on what they need not understand. */
export const oddities: readonly ReceiverFault[] = [
  odd(
    'unknown-event-breaks-it',
    'Looks up the handler of an event, and breaks where there is none.',
    'EVT-RECEIVER-20',
    isUnknown,
  ),
  odd(
    'unknown-event-is-hung-up-on',
    'Closes the connection on an event that it does not know.',
    'EVT-RECEIVER-20',
    isUnknown,
    'hangs up',
  ),
  odd(
    'unknown-event-is-not-implemented',
    'Answers 501 to an event that it does not know.',
    'EVT-RECEIVER-20',
    isUnknown,
    501,
  ),
  odd(
    'unknown-object-kind-breaks-it',
    'Knows events by their object_kind, and breaks on another one.',
    'EVT-RECEIVER-20',
    ({ payload }) => isObject(payload) && !kinds.has(payload['object_kind']),
  ),

  fault(
    'duplicates-break-it',
    'Stores deliveries under what they say, and breaks where one is there already.',
    ['EVT-RECEIVER-21'],
    onDelivery(() => {
      const isRepeated = repeated()
      return (delivery) => (isRepeated(delivery) ? 500 : undefined)
    }),
  ),
  fault(
    'duplicates-are-put-off',
    'Answers 503 to a delivery that it has taken already.',
    ['EVT-RECEIVER-21'],
    onDelivery(() => {
      const isRepeated = repeated()
      return (delivery) => (isRepeated(delivery) ? 503 : undefined)
    }),
  ),

  odd('a-megabyte-breaks-it', 'Breaks on bodies above a megabyte.', 'EVT-RECEIVER-22', isLarge),
  odd(
    'a-megabyte-is-hung-up-on',
    'Closes the connection on bodies above a megabyte.',
    'EVT-RECEIVER-22',
    isLarge,
    'hangs up',
  ),
  odd(
    'many-commits-break-it',
    'Breaks on a push of many paths.',
    'EVT-RECEIVER-22',
    ({ payload }) =>
      isObject(payload) && JSON.stringify(payload['commits'] ?? []).split('"').length > 20_000,
  ),

  odd('no-json-breaks-it', 'Breaks on a body that is no JSON.', 'EVT-RECEIVER-23', isNoJson),
  odd(
    'no-json-is-hung-up-on',
    'Closes the connection on a body that is no JSON.',
    'EVT-RECEIVER-23',
    isNoJson,
    'hangs up',
  ),
  odd(
    'arrays-break-it',
    'Breaks on an array, in which it finds no object_kind.',
    'EVT-RECEIVER-23',
    isArray,
  ),
  odd(
    'numbers-break-it',
    'Breaks on a number, in which it finds no object_kind.',
    'EVT-RECEIVER-23',
    isNumber,
  ),
  odd('empty-body-breaks-it', 'Breaks on an empty body.', 'EVT-RECEIVER-23', isEmpty),
  odd(
    'empty-body-is-bad-gateway',
    'Answers 502 to an empty body, as a server before it does where it breaks.',
    'EVT-RECEIVER-23',
    isEmpty,
    502,
  ),

  onGet('get-breaks-it', 'Reads the body of a GET, and breaks as there is none.', (hit) =>
    breaks(hit, 'There is no body'),
  ),
  onGet('get-is-unavailable', 'Answers 503 to GET.', (hit) => {
    hit()
    return 503
  }),
]
