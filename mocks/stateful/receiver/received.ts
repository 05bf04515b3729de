/** An accepted delivery. */
export interface Received {
  /** The value of X-Hook-Event; null if the header is missing. */
  event: string | null
  object_kind: string | null
  received_at: string
  /** Null until the delivery has been processed. */
  processed_at: string | null
  /** The length of the body. */
  bytes: number
  /** The request headers, except the one with the secret. */
  headers: Record<string, string>
  /** The payload; null if it is too large to keep or is not JSON. */
  payload: unknown
}
