import { Refusal } from '../http/reply.ts'

/** Every reason for which the receiver refuses a request. */
export type ReceiverReason = 'body-not-object' | 'event-unknown' | 'queue-full' | 'token-mismatch'

export class ReceiverRefusal extends Refusal {
  declare readonly reason: ReceiverReason
  constructor(reason: ReceiverReason, status: number, message: string) {
    super(status, message, undefined, reason)
  }
}
