import { defaultForm, type ReplyForm } from '../http/reply.ts'

/**
 * What the contract leaves open, one field for each choice. The first value is the default. The
 * receiver conforms to the contract with every combination. The fields of `ReplyForm` apply to the
 * receiver's responses.
 */
export interface ReceiverChoices extends ReplyForm {
  /** The 2xx status and the body that acknowledge a delivery. */
  ackStatus: 200 | 201 | 202 | 204
  ackBody: 'json' | 'text' | 'empty'
  /** Whether a delivery with a wrong token is refused, or acknowledged and dropped. */
  onMismatch: 'refuse' | 'drop'
  mismatchStatus: 401 | 403 | 400 | 404 | 422
  /** The response to a body that is not a JSON object. */
  malformed: 400 | 422 | 'acknowledge'
  /** The response to an event that the contract does not define. */
  unknownEvent: 'acknowledge' | 400 | 404 | 422
  /** The status for methods other than POST. */
  otherMethodStatus: 405 | 404
  /** What the receiver does with a delivery whose Idempotency-Key it already knows. */
  duplicates: 'process again' | 'process once'
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
  duplicates: 'process again',
})
