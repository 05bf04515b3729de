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
   * Which response bodies to read. `of refusals`: for a 2xx response that is not JSON, only the
   * headers are read. Then the connection is closed, because the body may never end (an event
   * stream).
   */
  readBody?: 'all' | 'of refusals'
  /**
   * The meaning that the check expects of the response, such as "success". Watching checks compare
   * the meaning with the response. It is a list if the document lets the target choose.
   */
  meaning?: string | readonly string[]
  /** As in `ExchangeRecord`. */
  isSelfContained?: boolean
}
