/** What a handler answers. */
export interface Reply {
  status: number
  headers?: Record<string, string>
  /** A JSON value, or bytes that are sent as they are; undefined for an answer without a body. */
  body?: unknown
  /** Sent in place of the text of the body. */
  raw?: string
  /** Why the request was refused: the reason of the `Refusal`. Never sent; faults and variations select replies by it. */
  reason?: string | undefined
}

/** Thrown by whatever cannot go on with a request. Whoever serves it makes it an answer of his own form. */
export class Refusal extends Error {
  readonly status: number
  /** What the failure is called beside its status, where a document has such names. */
  readonly code: number | undefined
  /** Why, for other code: the message is for people. A refusal of one mock alone has one, from the closed list in its `refusal.ts`. */
  readonly reason: string | undefined
  constructor(status: number, message: string, code?: number, reason?: string) {
    super(message)
    this.status = status
    this.code = code
    this.reason = reason
  }
}

/** How answers look: what HTTP and JSON leave to whoever writes them. The value named first is the default. */
export interface ReplyForm {
  /** Whether every object carries a field that no document knows. */
  extraFields: false | true
  keyOrder: 'natural' | 'reversed'
  prettyJson: false | true
  /** Whether bodies come in chunks, without a length. */
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
