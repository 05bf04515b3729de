import type { Body } from './body.ts'

/** A request as a check describes it. */
export interface HttpRequest {
  /** The contract's name for what is asked: an operationId, or a word of the check's own. */
  operation: string
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  body?: Body
  /** Milliseconds for this exchange, where it is meant to take another time than the door's. */
  timeout?: number
  /**
   * What of an answer is waited for. 'of refusals': an answer of 2xx is complete with its headers, and the connection is ended, since its body may never
   * end (a stream of events); all others are read to their end. 'all' where it is not given.
   */
  readBody?: 'all' | 'of refusals'
  /**
   * What the answer is expected to say, in the words of the checks: known when the request is sent, and compared with the answer by the checks that watch.
   * Several, where the document lets the target choose.
   */
  meaning?: string | readonly string[]
}
