import type { Body } from './body.ts'

/** A request as a check describes it. */
export interface HttpRequest {
  /** The contract's name of the operation, usually an operationId. */
  operation: string
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  body?: Body
  /**
   * Called when the first half of the body has been sent. The rest is sent when the promise is
   * settled. Meanwhile, the request does not count as one of the concurrent requests.
   */
  betweenHalves?: () => Promise<unknown>
  /** Milliseconds for this exchange; the client's timeout by default. */
  timeout?: number
  /**
   * Which response bodies to read. With `of refusals`, the body of a 2xx response is read only if
   * it is JSON. After the headers of another 2xx response, whose body may be an endless event
   * stream, the connection is closed.
   */
  readBody?: 'all' | 'of refusals'
  /**
   * What the response must mean according to the check, such as "success". The checks that examine
   * every message compare the response with this meaning. With a list, the target may choose.
   */
  meaning?: string | readonly string[]
  /** As in `ExchangeRecord`. */
  isSelfContained?: boolean
}
