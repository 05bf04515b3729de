import { Refusal } from '../http/reply.ts'

/** Every reason for which the hook service refuses a request. */
export type HooksReason =
  | 'body-not-json'
  | 'body-not-object'
  | 'body-type-unsupported'
  | 'event-unknown'
  | 'field-unknown'
  | 'flag-not-boolean'
  | 'flag-unset'
  | 'hook-disabled'
  | 'hook-unknown'
  | 'project-unknown'
  | 'queue-full'
  | 'token-malformed'
  | 'unauthorized'
  | 'url-malformed'
  | 'url-missing'

export class HooksRefusal extends Refusal {
  declare readonly reason: HooksReason
  constructor(reason: HooksReason, status: number, message: string) {
    super(status, message, undefined, reason)
  }
}
