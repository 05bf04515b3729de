import {
  type Field,
  type MessageContract,
  operations,
  type Violation,
} from '../../../../generated/images/contract.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { hasValueAt, pathSegments } from '../../shared/places.ts'
import { jsonAt, isSuccess } from './expectations.ts'
import type { Meaning } from './meanings.ts'

interface Examined {
  /** The rows of which it shows a place. */
  covered: ReadonlySet<string | undefined>
  violations: Violation[]
}

const examined = new WeakMap<HttpExchange, Examined>()

/** An answer beside what its operation states about it; undefined where the contract states nothing about it. */
export function examineResponse(exchange: HttpExchange): Examined | undefined {
  const known = examined.get(exchange)
  if (known !== undefined) return known
  const operation = (
    operations as Record<string, (typeof operations)[keyof typeof operations] | undefined>
  )[exchange.operation]
  const { status } = exchange
  if (operation === undefined || status === undefined || (status >= 300 && status < 400))
    return undefined
  const body = exchange.json
  // What a failure says is judged as a failure's words, also where it travels under the status of a success: that is one break, not three.
  const isDisguisedFailure = status < 300 && jsonAt(exchange, 'success') === false
  const message: MessageContract =
    status < 300 && !isDisguisedFailure ? operation.success : operation.failure
  const violations = message.validate(body)
  if (isDisguisedFailure)
    violations.push({
      requirement: 'IMG-ENVELOPE-03',
      path: '/success',
      message: `true, as the status ${status} says`,
      received: false,
    })
  const covered = new Set(
    message.fields
      .filter(({ path }) => hasValueAt(body, pathSegments(path)))
      .flatMap(requirementsOf),
  )
  const result = { covered, violations }
  examined.set(exchange, result)
  return result
}

/** The rows that a field of a message answers for. */
export const requirementsOf = ({ requirement, presence, value }: Field) => [
  requirement,
  presence,
  value,
]

/** What an answer has to mean; undefined where nothing was expected of it. */
export function expectedMeaning(exchange: HttpExchange): Meaning | undefined {
  const [meaning, alternative] = exchange.meanings
  return alternative !== undefined && isSuccess(exchange) ? undefined : (meaning as Meaning)
}
