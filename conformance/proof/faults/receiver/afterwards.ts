import { isArray, isEmpty, isLarge, isNoJson, isUnknown, repeated } from './oddities.ts'
import { hasUnknownMember } from './payloads.ts'
import type { ReceiverFault } from './fault.ts'
import {
  failure,
  fault,
  hangUp,
  onDelivery,
  toOtherMethods,
  trusted,
  valuesAt,
  type ReadDelivery,
  type WrongAnswer,
} from './building.ts'

/** Bears something, and takes no delivery any more from then on. */
const ending = (
  name: string,
  description: string,
  is: () => (delivery: ReadDelivery) => boolean,
  wrong: WrongAnswer = 503,
): ReceiverFault =>
  fault(
    name,
    description,
    ['EVT-RECEIVER-25'],
    onDelivery(() => {
      const ends = is()
      let ended = false
      return (delivery) => {
        const before = ended
        ended ||= ends(delivery)
        return before ? wrong : undefined
      }
    }),
  )

const hasNull = ({ payload }: ReadDelivery) =>
  valuesAt(payload, ['project', 'description']).includes(null)

/** Receivers that take no delivery any more after something that they need not understand. */
export const afterwards: readonly ReceiverFault[] = [
  ending(
    'no-json-is-the-last',
    'Refuses a body that is no JSON, and is unavailable from then on.',
    () => isNoJson,
  ),
  ending(
    'no-json-ends-it',
    'Refuses a body that is no JSON, and closes every connection from then on.',
    () => isNoJson,
    'hangs up',
  ),
  ending(
    'an-empty-body-is-the-last',
    'Refuses an empty body, and answers 500 from then on.',
    () => isEmpty,
    500,
  ),
  ending(
    'an-array-is-the-last',
    'Refuses an array, and answers 400 from then on.',
    () => isArray,
    400,
  ),
  ending(
    'an-unknown-event-is-the-last',
    'Acknowledges an event that it does not know, and is unavailable from then on.',
    () => isUnknown,
  ),
  ending(
    'a-megabyte-is-the-last',
    'Acknowledges a megabyte, and is too full for anything more.',
    () => isLarge,
    507,
  ),
  ending(
    'a-duplicate-is-the-last',
    'Acknowledges a delivery that comes twice, and is unavailable from then on.',
    repeated,
  ),
  ending(
    'a-null-is-the-last',
    'Acknowledges a project without a description, and is unavailable from then on.',
    () => hasNull,
  ),
  ending(
    'an-unknown-member-is-the-last',
    'Acknowledges members that it does not know, and is unavailable from then on.',
    () => hasUnknownMember,
  ),
  fault(
    'get-is-the-last',
    'Refuses GET, and takes no POST any more from then on.',
    ['EVT-RECEIVER-25'],
    (hit) => {
      let ended = false
      return {
        around: trusted((_delivery, call, next) => {
          toOtherMethods(call, () => {
            ended = true
            return 405
          })
          if (!ended) return next()
          hit()
          return Promise.resolve(failure(405))
        }),
      }
    },
  ),
  fault(
    'a-refusal-ends-it',
    'Refuses a body that is no JSON, and stops listening.',
    ['EVT-RECEIVER-25'],
    (hit) => {
      let ended = false
      return {
        around: (call, next) => {
          if (!ended)
            return trusted((delivery, _call, then) => {
              ended ||= isNoJson(delivery)
              return then()
            })(call, next)
          hit()
          return hangUp(call)
        },
      }
    },
  ),
]
