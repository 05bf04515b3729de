import {
  type Field,
  type MessageContract,
  operations,
  type Violation,
} from '../../../../generated/images/contract.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { hasValueAt, pathSegments } from '../../shared/paths.ts'
import { jsonAt, isSuccess } from './expectations.ts'
import type { Meaning } from './meanings.ts'

interface Examined {
  /** The requirements of the fields that the response contains. */
  shown: ReadonlySet<string | undefined>
  violations: Violation[]
}

const examined = new WeakMap<HttpExchange, Examined>()

/**
 * Validates a response against the schema of its operation. Returns undefined if the contract does
 * not describe the response.
 */
export function examineResponse(exchange: HttpExchange): Examined | undefined {
  const cached = examined.get(exchange)
  if (cached !== undefined) return cached
  const operation = (
    operations as Record<string, (typeof operations)[keyof typeof operations] | undefined>
  )[exchange.operation]
  const { status } = exchange
  if (operation === undefined || status === undefined || (status >= 300 && status < 400))
    return undefined
  const body = exchange.json
  // A response with a success status and `success: false` is validated as a failure, so that it
  // counts as one violation, not three.
  const isDisguisedFailure = status < 300 && jsonAt(exchange, 'success') === false
  const message: MessageContract =
    status < 300 && !isDisguisedFailure ? operation.success : operation.failure
  const violations = message.validate(body)
  if (isDisguisedFailure)
    violations.push({
      requirement: 'IMG-ENVELOPE-03',
      path: '/success',
      message: `true, because the status is ${status}`,
      received: false,
    })
  const shown = new Set(
    message.fields
      .filter(({ path }) => hasValueAt(body, pathSegments(path)))
      .flatMap(requirementsOf),
  )
  const result = { shown, violations }
  examined.set(exchange, result)
  return result
}

/** The requirements that a field can violate. */
export const requirementsOf = ({ requirement, presence, value }: Field) => [
  requirement,
  presence,
  value,
]

/**
 * What the status of the response must express, such as `absent`. Undefined if the check states no
 * meaning, or if two outcomes of the request are permitted and the response is a success.
 */
export function expectedMeaning(exchange: HttpExchange): Meaning | undefined {
  const [meaning, alternative] = exchange.meanings
  return alternative !== undefined && isSuccess(exchange) ? undefined : (meaning as Meaning)
}
