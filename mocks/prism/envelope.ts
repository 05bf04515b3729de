import type { Context } from 'hono'

/** The statuses that the document knows for a failure. */
export type FailureStatus = 400 | 401 | 403 | 404 | 413 | 500

/** A request that the door turns away; it becomes a failure envelope. */
export class ContractRefusal extends Error {
  readonly status: FailureStatus
  readonly code: number
  constructor(status: FailureStatus, message: string, code = 5000 + status) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** How a contract tells of failures. */
export interface Envelope {
  body(refusal: ContractRefusal): Record<string, unknown>
  /** What a 401 says in WWW-Authenticate; without it, nothing. */
  challenge?: string
}

/** What became of a thrown error: a refusal says what it is, anything else is a fault of this mock. */
export function refusalOf(error: unknown): ContractRefusal {
  if (error instanceof ContractRefusal) return error
  // JSON that is nested without end is parsed well, and breaks whoever walks it afterwards.
  if (error instanceof RangeError)
    return new ContractRefusal(400, 'The request is nested too deeply')
  // Half a surrogate pair, in a part or a path, cannot be written again.
  if (error instanceof URIError)
    return new ContractRefusal(400, 'The request holds text that is no Unicode')
  return new ContractRefusal(
    500,
    `The mock failed: ${error instanceof Error ? error.message : String(error)}`,
  )
}

/** Answers with a failure in the contract's envelope. */
export function refuse(c: Context, { body, challenge }: Envelope, error: unknown): Response {
  const refusal = refusalOf(error)
  if (refusal.status === 401 && challenge !== undefined) c.header('WWW-Authenticate', challenge)
  return c.json(body(refusal), refusal.status)
}
