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
   * Which response bodies to read. With `of refusals`, the body of a 2xx response is read only if
   * it is JSON. For others, which may never end (an event stream), the connection is closed after
   * the headers.
   */
  readBody?: 'all' | 'of refusals'
  /**
   * What the response must mean according to the check, such as "success". Watching checks compare
   * the response with this meaning. A list means that the document lets the target choose.
   */
  meaning?: string | readonly string[]
  /** As in `ExchangeRecord`. */
  isSelfContained?: boolean
}
