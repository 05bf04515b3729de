/** A delivery that was taken. */
export interface Received {
  /** The value of X-Hook-Event; null where it was missing. */
  event: string | null
  object_kind: string | null
  received_at: string
  /** Null until the work for it is done. */
  processed_at: string | null
  bytes: number
  /** Without the secret. */
  headers: Record<string, string>
  /** What came; null where it is too large to be kept, or was no JSON. */
  payload: unknown
}
