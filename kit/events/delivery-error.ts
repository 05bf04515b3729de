import type { Violation } from '../../generated/contract.ts'

/**
 * Why a request is not a delivery of the contract.
 *
 * - `event-missing`: it has no X-Hook-Event header, or several.
 * - `event-unknown`: the contract does not contain the event. A later version of the sender can
 *   send such events, so a receiver acknowledges them, but does nothing.
 * - `body-invalid`: the body is not a JSON object.
 * - `kind-mismatch`: object_kind belongs to another event than X-Hook-Event.
 * - `payload-invalid`: a field is missing or has another type.
 *
 * @example
 * const statusOf = (code: DeliveryProblem) => (code === 'event-unknown' ? 204 : 400)
 */
export type DeliveryProblem =
  'event-missing' | 'event-unknown' | 'body-invalid' | 'kind-mismatch' | 'payload-invalid'

/**
 * The error of `parseDelivery`. Its message names the fields and their requirements, and contains
 * values of the payload.
 *
 * @example
 * try {
 *   parseDelivery({ 'X-Hook-Event': 'Push Hook' }, '{}')
 * } catch (error) {
 *   if (!(error instanceof DeliveryError)) throw error
 *   console.error(error.code, error.message, error.violations)
 * }
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly code: DeliveryProblem
  /** The requirements that the delivery does not meet, with the place and the received value. */
  readonly violations: readonly Violation[]

  constructor(
    code: DeliveryProblem,
    message: string,
    violations: readonly Violation[],
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.violations = violations
  }
}
