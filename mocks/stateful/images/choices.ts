import { defaultForm, type ReplyForm } from '../http/reply.ts'

/**
 * What the contract leaves open, one field for each choice. The first value is the default. Every
 * combination meets all requirements of level `must`. Some values do not meet a `should`.
 */
export interface ImagesChoices extends ReplyForm {
  // Listing
  /** The order of listed images. */
  listOrder: 'oldest' | 'newest'
  /**
   * Whether drafts are listed. A draft is an image that has a ticket (a one-time upload URL), but
   * no file yet.
   */
  listsDrafts: false | true
  /** The response to a page after the last one. */
  pastEnd: 'empty' | 'refuse'
  /** The status if `pastEnd` is `refuse`. */
  pastEndStatus: 400 | 404
  /** What happens if per_page is above the maximum. */
  perPageAboveMax: 'refuse' | 'clamp'
  /** Whether a list also contains the total count and the page number. */
  listInfo: false | true

  // The image's record
  /** The value of `draft` once the image is stored. */
  draftWhenStored: 'false' | 'absent'
  /** How missing metadata is shown. */
  missingMetadata: 'absent' | 'empty'
  /** Whether results of uploads and lists also contain metadata. */
  resultsContainMetadata: false | true
  /** Whether results of uploads and lists also contain `draft`. */
  resultsContainDraft: false | true
  /** The format of generated ids. */
  idForm: 'uuid' | 'short' | 'slashes'
  /** The ISO 8601 format of timestamps. */
  timestampForm: 'ms' | 'seconds' | 'offset' | 'basic'
  /** The filename of an image that was fetched from a URL. */
  filenameOfUrl: 'basename' | 'url' | 'fixed'
  /** Whether an image is private by default. */
  requireSignedDefault: false | true

  // Accepted values
  /** Whether ids may contain characters other than letters, digits, `.`, `_` and `-`. */
  unusualIds: 'accept' | 'refuse'
  /** Whether bytes in an unknown image format are accepted. */
  unknownImageFormat: 'accept' | 'refuse'
  /**
   * The status for an id that is already in use. With `replace`, the upload replaces the image
   * instead.
   */
  duplicateIdStatus: 400 | 409 | 'replace'
  /** Whether metadata is measured as sent or as compact JSON. */
  metadataMeasure: 'sent' | 'compact'
  /** The status for a URL that returns no image. */
  unfetchableStatus: 400 | 404 | 502

  // Tickets
  /** What happens if a ticket is requested with an expiry in the past. */
  expiryInPast: 'refuse' | 'accept'
  /** The minimum time until the expiry. */
  expiryMinimumMs: number
  /** The status for a ticket that was used. */
  usedTicketStatus: 400 | 404
  /** The status for an expired ticket. */
  expiredTicketStatus: 400 | 404
  /** Whether a form without a part named `file` uses the ticket up. */
  wrongPartUsesTicket: false | true
  /** The result of an upload with a ticket. */
  completionResponse: 'image' | 'empty'

  // Variants, configuration, deletion
  /** The format of one variant. */
  variantRecord: 'nested' | 'bare' | 'minimal'
  /** The format of the list of variants. */
  variantList: 'map' | 'array'
  /** Whether creating and changing a variant returns the variant. */
  variantWriteResult: 'record' | 'empty'
  /** Whether a new variant must contain all four options. */
  variantOptions: 'optional' | 'required'
  /** The status for a variant id that is already in use. */
  duplicateVariantStatus: 400 | 409
  /** The result of deletions: an empty object, or the id of what was deleted. */
  emptyResult: 'empty' | 'record'
  /** The result of a change of the configuration: the new configuration, or an empty object. */
  configResult: 'record' | 'empty'

  // Tokens and delivery
  /** The status for a token that belongs to the other host (account or batch). */
  foreignTokenStatus: 401 | 403
  /** The status for a token of another account. */
  otherAccountStatus: 403 | 401 | 404
  /** The status for a private image without a signature. */
  privateRefusal: 403 | 401 | 404
  /** Whether an image is still delivered after its deletion, as a cache would do. */
  deliveredAfterDeletion: false | true
  /** Whether the delivery host applies flexible_variants. */
  flexibleEffect: true | false
  /** Whether the delivery host applies neverRequireSignedURLs. */
  neverRequireSignedEffect: true | false

  // The envelope
  /**
   * Which empty lists a success envelope contains: `errors` and `messages`, only `errors`, or none.
   */
  successLists: 'both' | 'errors' | 'absent'
  /** Whether a failure envelope contains `result: null` and `messages`. */
  failureResult: 'null' | 'absent'
  /**
   * Whether failures use the three error codes that the contract names, or only codes of this
   * server.
   */
  errorCodes: 'named' | 'own'

  // Time
  /** Milliseconds for which reads still return the state before a write. */
  settleMs: number
  /** Whether a request can move the clock. */
  movableClock: true | false
}

export const defaultChoices: Readonly<ImagesChoices> = Object.freeze({
  ...defaultForm,
  listOrder: 'oldest',
  listsDrafts: false,
  pastEnd: 'empty',
  pastEndStatus: 400,
  perPageAboveMax: 'refuse',
  listInfo: false,
  draftWhenStored: 'false',
  missingMetadata: 'absent',
  resultsContainMetadata: false,
  resultsContainDraft: false,
  idForm: 'uuid',
  timestampForm: 'ms',
  filenameOfUrl: 'basename',
  requireSignedDefault: false,
  unusualIds: 'accept',
  unknownImageFormat: 'accept',
  duplicateIdStatus: 400,
  metadataMeasure: 'sent',
  unfetchableStatus: 400,
  expiryInPast: 'refuse',
  expiryMinimumMs: 0,
  usedTicketStatus: 400,
  expiredTicketStatus: 400,
  wrongPartUsesTicket: false,
  completionResponse: 'image',
  variantRecord: 'nested',
  variantList: 'map',
  variantWriteResult: 'record',
  variantOptions: 'optional',
  duplicateVariantStatus: 400,
  emptyResult: 'empty',
  configResult: 'record',
  foreignTokenStatus: 401,
  otherAccountStatus: 403,
  privateRefusal: 403,
  deliveredAfterDeletion: false,
  flexibleEffect: true,
  neverRequireSignedEffect: true,
  successLists: 'both',
  failureResult: 'null',
  errorCodes: 'named',
  settleMs: 0,
  movableClock: true,
})
