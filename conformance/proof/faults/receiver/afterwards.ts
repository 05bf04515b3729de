import {
  isArray,
  isEmpty,
  isLarge,
  isInvalidJson,
  isUnknown,
  newRepeatDetector,
} from './oddities.ts'
import { hasUnknownMember } from './payloads.ts'
import type { ReceiverFault } from './fault.ts'
import {
  failure,
  fault,
  closeConnection,
  onDelivery,
  replaceOtherMethodStatus,
  onTrusted,
  valuesAt,
  type ReadDelivery,
  type WrongResponse,
} from './building.ts'

/** Refuses all deliveries after the first one that meets a condition. */
const refuseAfter = (
  name: string,
  description: string,
  newCondition: () => (delivery: ReadDelivery) => boolean,
  wrong: WrongResponse = 503,
): ReceiverFault =>
  fault(
    name,
    description,
    ['EVT-RECEIVER-25'],
    onDelivery(() => {
      const matches = newCondition()
      let hasEnded = false
      return (delivery) => {
        const before = hasEnded
        hasEnded ||= matches(delivery)
        return before ? wrong : undefined
      }
    }),
  )

const hasNull = ({ payload }: ReadDelivery) =>
  valuesAt(payload, ['environment_external_url']).includes(null)

/**
 * Receivers that refuse all deliveries after an unusual one. They need not understand the unusual
 * delivery, but must still acknowledge later ones.
 */
export const afterwards: readonly ReceiverFault[] = [
  refuseAfter(
    'no-json-is-the-last',
    'Refuses a body that is not JSON, and returns 503 to later deliveries.',
    () => isInvalidJson,
  ),
  fault(
    'no-json-spoils-the-next',
    'Refuses a body that is not JSON, and returns 500 to the next delivery.',
    ['EVT-RECEIVER-25'],
    onDelivery(() => {
      let isSpoiled = false
      return (delivery) => {
        const before = isSpoiled
        isSpoiled = isInvalidJson(delivery)
        return before ? 500 : undefined
      }
    }),
  ),
  refuseAfter(
    'no-json-ends-it',
    'Refuses a body that is not JSON, and closes the connections of later deliveries with a valid token.',
    () => isInvalidJson,
    'close',
  ),
  refuseAfter(
    'an-empty-body-is-the-last',
    'Refuses an empty body, and returns 500 to later deliveries.',
    () => isEmpty,
    500,
  ),
  refuseAfter(
    'an-array-is-the-last',
    'Refuses a body that is an array, and returns 400 to later deliveries.',
    () => isArray,
    400,
  ),
  refuseAfter(
    'an-unknown-event-is-the-last',
    'Acknowledges an unknown event, and returns 503 to later deliveries.',
    () => isUnknown,
  ),
  refuseAfter(
    'a-megabyte-is-the-last',
    'Acknowledges a body above a megabyte, and returns 507 to later deliveries.',
    () => isLarge,
    507,
  ),
  refuseAfter(
    'a-duplicate-is-the-last',
    'Acknowledges a repeated delivery, and returns 503 to later deliveries.',
    newRepeatDetector,
  ),
  refuseAfter(
    'a-null-is-the-last',
    'Acknowledges a null as environment_external_url, and returns 503 to later deliveries.',
    () => hasNull,
  ),
  refuseAfter(
    'an-unknown-member-is-the-last',
    'Acknowledges a payload with unknown members, and returns 503 to later deliveries.',
    () => hasUnknownMember,
  ),
  fault(
    'get-is-the-last',
    'Refuses a GET request with 405, and all later deliveries as well.',
    ['EVT-RECEIVER-25'],
    (hit) => {
      let hasEnded = false
      return {
        around: onTrusted((_delivery, call, next) => {
          replaceOtherMethodStatus(call, () => {
            hasEnded = true
            return 405
          })
          if (!hasEnded) return next()
          hit()
          return Promise.resolve(failure(405))
        }),
      }
    },
  ),
  fault(
    'a-wrong-token-refuses-the-next',
    'Refuses with 401 the delivery that follows a wrong token.',
    ['EVT-RECEIVER-25'],
    (hit) => {
      let wasWrong = false
      return {
        around: async (_call, next) => {
          const refuses = wasWrong
          const response = await next()
          wasWrong = response.status === 401 || response.status === 403
          if (!refuses || wasWrong) return response
          hit()
          return failure(401)
        },
      }
    },
  ),
  fault(
    'a-refusal-ends-it',
    'Refuses a body that is not JSON, and closes the connections of all later deliveries.',
    ['EVT-RECEIVER-25'],
    (hit) => {
      let hasEnded = false
      return {
        around: (call, next) => {
          if (!hasEnded)
            return onTrusted((delivery, _call, then) => {
              hasEnded ||= isInvalidJson(delivery)
              return then()
            })(call, next)
          hit()
          return closeConnection(call)
        },
      }
    },
  ),
]
