import type { Context } from 'hono'
import { failureHeaders } from '../serving/prefer.ts'
import type { HooksReason } from '../stateful/hooks/refusal.ts'
import type { ImagesReason } from '../stateful/images/refusal.ts'

/**
 * The statuses with which a contract mock (a stateless mock that uses Prism) refuses requests
 * without asking Prism.
 */
export type FailureStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 502

export type RefusalReason = ImagesReason | HooksReason

/** Thrown to refuse a request; becomes a failure envelope. */
export class ContractRefusal extends Error {
  readonly status: FailureStatus
  readonly code: number
  /** Why, as the stateful mocks name it. The request log names the requirement. */
  readonly reason: RefusalReason | undefined
  constructor(
    status: FailureStatus,
    message: string,
    { reason, code = 5000 + status }: { reason?: RefusalReason; code?: number } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.reason = reason
  }
}

/** How a contract formats failures. */
export interface Envelope {
  body(refusal: ContractRefusal): Record<string, unknown>
  /** The WWW-Authenticate header of a 401; by default none. */
  challenge?: string
}

/**
 * Turns a thrown error into a refusal. An unexpected error, which is a bug of this mock, gets
 * status 500.
 */
export function refusalOf(error: unknown): ContractRefusal {
  if (error instanceof ContractRefusal) return error
  // Deeply nested JSON can be parsed, but overflows the stack of code that walks it.
  if (error instanceof RangeError)
    return new ContractRefusal(400, 'The request is nested too deeply')
  // A lone surrogate in a part or path cannot be encoded.
  if (error instanceof URIError)
    return new ContractRefusal(400, 'The request contains invalid Unicode')
  return new ContractRefusal(
    500,
    `Internal server error: ${error instanceof Error ? error.message : String(error)}`,
  )
}

/** Responds with a failure in the contract's envelope. */
export function refuse(c: Context, { body, challenge }: Envelope, error: unknown): Response {
  const refusal = refusalOf(error)
  return c.json(body(refusal), refusal.status, failureHeaders(refusal.status, challenge))
}
