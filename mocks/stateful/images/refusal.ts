import { Refusal } from '../http/reply.ts'
import type { VariantOptions } from './store.ts'

/** Every reason for which the image service refuses a request. */
export type ImagesReason =
  | `option-${keyof VariantOptions}`
  | 'account-unknown'
  | 'body-not-json'
  | 'body-not-multipart'
  | 'body-not-object'
  | 'change-missing'
  | 'count-malformed'
  | 'expiry-malformed'
  | 'expiry-too-late'
  | 'expiry-too-soon'
  | 'file-and-url'
  | 'file-and-url-missing'
  | 'file-empty'
  | 'file-missing'
  | 'file-not-an-image'
  | 'file-not-a-file'
  | 'file-too-large'
  | 'flag-not-boolean'
  | 'id-unusable'
  | 'image-id-taken'
  | 'image-unknown'
  | 'metadata-not-json'
  | 'metadata-not-object'
  | 'metadata-too-large'
  | 'multipart-malformed'
  | 'options-incomplete'
  | 'options-not-object'
  | 'page-unknown'
  | 'per-page-too-large'
  | 'permission-missing'
  | 'private-custom-id'
  | 'several-files'
  | 'signature-missing'
  | 'ticket-expired'
  | 'ticket-image-deleted'
  | 'ticket-unknown'
  | 'ticket-used'
  | 'unauthorized'
  | 'untransformable'
  | 'url-malformed'
  | 'url-scheme'
  | 'url-timeout'
  | 'url-unfetchable'
  | 'variant-id-malformed'
  | 'variant-id-taken'
  | 'variant-unknown'

export class ImagesRefusal extends Refusal {
  declare readonly reason: ImagesReason
  constructor(reason: ImagesReason, status: number, message: string, code?: number) {
    super(status, message, code, reason)
  }
}
