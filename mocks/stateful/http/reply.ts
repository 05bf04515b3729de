/** What a handler returns. */
export interface Reply {
  status: number
  headers?: Record<string, string>
  /** A JSON value, or bytes that are sent as they are; undefined for a response without a body. */
  body?: unknown
  /** Sent instead of the serialised body. */
  raw?: string
  /**
   * The reason of the `Refusal`. Never sent; faults and variations select replies by this reason.
   */
  reason?: string | undefined
}

/**
 * Thrown by code that refuses a request. Each server turns the refusal into its own form of error
 * response.
 */
export class Refusal extends Error {
  readonly status: number
  /**
   * The error code of the failure, if the contract defines error codes in addition to the status.
   */
  readonly code: number | undefined
  /**
   * Identifies the refusal for code; the message is for people. The folders images, hooks and
   * receiver list their reasons in `refusal.ts`. Code that several mocks share throws refusals
   * without a reason.
   */
  readonly reason: string | undefined
  constructor(status: number, message: string, code?: number, reason?: string) {
    super(message)
    this.status = status
    this.code = code
    this.reason = reason
  }
}

/** What HTTP and JSON leave open about the form of responses. The first value is the default. */
export interface ReplyForm {
  /** Whether every object contains an extra field that no contract defines. */
  extraFields: false | true
  keyOrder: 'natural' | 'reversed'
  prettyJson: false | true
  /** Whether bodies are chunked, without a length. */
  chunked: false | true
  keepAlive: true | false
  contentTypeCharset: false | true
  headerCase: HeaderCase
}

export type HeaderCase = 'canonical' | 'lower' | 'upper'

export const defaultForm: Readonly<ReplyForm> = Object.freeze({
  extraFields: false,
  keyOrder: 'natural',
  prettyJson: false,
  chunked: false,
  keepAlive: true,
  contentTypeCharset: false,
  headerCase: 'canonical',
})
