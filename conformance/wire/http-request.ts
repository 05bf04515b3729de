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
   * Whether to read the body of the response. `of refusals`: of a 2xx response only the headers are
   * read, and then the connection is closed, because the body may never end (an event stream).
   */
  readBody?: 'all' | 'of refusals'
  /**
   * The meaning that the check expects of the response, such as "success". Watching checks compare
   * it with the response. There are several if the document lets the target choose.
   */
  meaning?: string | readonly string[]
  /** As in `ExchangeRecord`. */
  isSelfContained?: boolean
}
