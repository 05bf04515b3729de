import { defaultForm, type ReplyForm } from '../http/reply.ts'

/**
 * What the document leaves open, one field for each freedom. The value named first is the default.
 * Whatever is chosen here, the receiver keeps the document. The members of `ReplyForm` are about its answers.
 */
export interface ReceiverChoices extends ReplyForm {
  /** With which of the 2xx a delivery is acknowledged, and what the answer holds. */
  ackStatus: 200 | 201 | 202 | 204
  ackBody: 'json' | 'text' | 'empty'
  /** What becomes of a wrong token: refused, or acknowledged and dropped. */
  onMismatch: 'refuse' | 'drop'
  mismatchStatus: 401 | 403 | 400 | 404 | 422
  /** What a body that is no JSON object gets. */
  malformed: 400 | 422 | 'acknowledge'
  /** What an event gets that the document does not know. */
  unknownEvent: 'acknowledge' | 400 | 404 | 422
  /** What methods other than POST get. */
  otherMethodStatus: 405 | 404
  /** Whether a delivery that came before, told by its Idempotency-Key, is worked on again. */
  duplicates: 'again' | 'once'
}

export const defaultChoices: Readonly<ReceiverChoices> = Object.freeze({
  ...defaultForm,
  ackStatus: 200,
  ackBody: 'json',
  onMismatch: 'refuse',
  mismatchStatus: 401,
  malformed: 400,
  unknownEvent: 'acknowledge',
  otherMethodStatus: 405,
  duplicates: 'again',
})
