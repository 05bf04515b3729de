/** What a handler returns. */
export interface Reply {
  status: number
  headers?: Record<string, string>
  /** A JSON value, or bytes that are sent as they are; undefined for a response without a body. */
  body?: unknown
  /** Sent instead of the serialised body. */
  raw?: string
  /** The reason of the `Refusal`. Never sent: faults and variations select replies by it. */
  reason?: string | undefined
}

/**
 * Thrown by code that refuses a request. Each server turns it into its own form of error response.
 */
export class Refusal extends Error {
  readonly status: number
  /** The code of the failure, if the document defines codes besides the status. */
  readonly code: number | undefined
  /**
   * Identifies the refusal in code; the message is for people. Refusals of a single mock have one,
   * from the list in its `refusal.ts`.
   */
  readonly reason: string | undefined
  constructor(status: number, message: string, code?: number, reason?: string) {
    super(message)
    this.status = status
    this.code = code
    this.reason = reason
  }
}

/** The form of responses, as far as HTTP and JSON leave it open. The first value is the default. */
export interface ReplyForm {
  /** Whether every object contains a field that no document defines. */
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
