import type { Body } from './body.ts'

/** A request as a check describes it. */
export interface HttpRequest {
  /** The contract's name of the operation, usually an operationId. */
  operation: string
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  body?: Body
  /** Milliseconds for this exchange; the client's timeout by default. */
  timeout?: number
  /**
   * Whether to read the body of the response. `of refusals`: a 2xx response is complete with its
   * headers, and the connection is closed, because its body may never end (an event stream).
   */
  readBody?: 'all' | 'of refusals'
  /**
   * The expected meaning of the response, in the words of the checks. Watching checks compare it
   * with the response. Several if the document lets the target choose.
   */
  meaning?: string | readonly string[]
  /** As in `ExchangeRecord`. */
  isSelfContained?: boolean
}
