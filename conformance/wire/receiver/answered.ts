/** What a request was answered with: a status, or nothing on purpose. */
export type Answered = number | 'closed the connection' | 'kept silent'

/** What the receiver sent back. */
export interface Sent {
  answered: Answered
  headers: readonly [string, string][]
  body: string
}
