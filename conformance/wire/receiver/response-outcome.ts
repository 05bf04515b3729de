/** What a request was answered with: a status, or nothing on purpose. */
export type ResponseOutcome = number | 'closed the connection' | 'kept silent'

/** What the receiver sent back. */
export interface SentResponse {
  outcome: ResponseOutcome
  headers: readonly [string, string][]
  body: string
}
