/** The status of the response, or what the receiver did on purpose instead. */
export type ResponseOutcome = number | 'closed the connection' | 'sent no response'

/** The response of the receiver. */
export interface SentResponse {
  outcome: ResponseOutcome
  headers: readonly [string, string][]
  body: string
}
