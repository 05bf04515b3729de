import type { Validator } from '../../generated/contract.ts'
import {
  validateFailure,
  validateSuccess,
  type ErrorEnvelope,
  type SuccessEnvelope,
} from '../../generated/images/documented/index.ts'

/**
 * Returns whether a body is the envelope of a successful response. With a validator, also examines
 * the result: `validate.errors` then lists what is wrong with it.
 *
 * @example
 * if (isSuccess(value, validateImage)) console.log(value.result.filename)
 * else if (isFailure(value)) console.error(value.errors)
 * else console.error('not a response of the image API')
 */
export function isSuccess<T = unknown>(
  body: unknown,
  validate?: Validator<T>,
): body is SuccessEnvelope<T> {
  return validateSuccess(body) && (validate === undefined || validate(body.result))
}

/**
 * Returns whether a body is the envelope of a failed response.
 *
 * @example
 * const isInvalidRequest = isFailure(value) && value.errors.some(({ code }) => code === 5400)
 */
export function isFailure(body: unknown): body is ErrorEnvelope {
  return validateFailure(body)
}
