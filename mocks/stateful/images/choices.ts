import { defaultForm, type ReplyForm } from '../http/reply.ts'

/**
 * What the document leaves open, one field for each freedom. The value named first is the default.
 * Whatever is chosen here, the server keeps the document.
 */
export interface ImagesChoices extends ReplyForm {
  // Listing
  /** In which order pictures are listed. */
  listOrder: 'oldest' | 'newest'
  /** Whether pictures that only have a ticket so far are listed. */
  listsDrafts: false | true
  /** What a page after the last one gives. */
  pastEnd: 'empty' | 'refuse'
  /** The status of that refusal. */
  pastEndStatus: 400 | 404
  /** What becomes of a per_page above the maximum. */
  perPageAboveMax: 'refuse' | 'clamp'
  /** Whether a list also says how many there are and which page it is. */
  listInfo: false | true

  // The picture's record
  /** What `draft` is once the picture is stored. */
  draftWhenStored: 'false' | 'absent'
  /** What stands for metadata that was never given. */
  metadataWhenNone: 'absent' | 'empty'
  /** Whether results of uploads and lists carry metadata too. */
  resultsCarryMetadata: false | true
  /** Whether results of uploads and lists carry `draft` too. */
  resultsCarryDraft: false | true
  /** How generated ids look. */
  idForm: 'uuid' | 'short' | 'slashes'
  /** In which of the forms of ISO 8601 moments are written. */
  timestampForm: 'ms' | 'seconds' | 'offset' | 'basic'
  /** What a picture that came from a URL is called. */
  filenameOfUrl: 'basename' | 'url' | 'fixed'
  /** Whether a picture is private when the caller does not say. */
  requireSignedDefault: false | true

  // What is accepted
  /** Whether ids with characters beyond letters, digits, `.`, `_` and `-` are taken. */
  unusualIds: 'accept' | 'refuse'
  /** Whether bytes in no known picture format are taken. */
  notAnImage: 'accept' | 'refuse'
  /** What an id that is in use already leads to. */
  duplicateIdStatus: 400 | 409 | 'replace'
  /** Whether metadata is measured as the text that came or as compact JSON. */
  metadataMeasure: 'sent' | 'compact'
  /** The status for a URL that gives no picture. */
  unfetchableStatus: 400 | 404 | 502

  // Tickets
  /** What becomes of a ticket whose expiry has passed already. */
  expiryInPast: 'refuse' | 'accept'
  /** How far away an expiry must be at least. */
  expiryMinimumMs: number
  /** Status for a ticket that was used. */
  usedTicketStatus: 400 | 404
  /** Status for a ticket that came too late. */
  expiredTicketStatus: 400 | 404
  /** Whether a form without a part named `file` uses the ticket up. */
  burnsTicketOnWrongPart: false | true
  /** What the end user gets back. */
  completionResponse: 'image' | 'empty'

  // Variants, configuration, deletion
  /** How one variant is shown. */
  variantRecord: 'nested' | 'bare' | 'minimal'
  /** How the list of variants is shown. */
  variantList: 'map' | 'array'
  /** Whether creating and changing a variant shows the variant or only says that it worked. */
  variantWriteResult: 'record' | 'empty'
  /** Whether a new variant must give all four options. */
  variantOptions: 'optional' | 'required'
  /** What a variant id that is in use already leads to. */
  duplicateVariantStatus: 400 | 409
  /** What deletions and the configuration give back: an empty object, or what was touched. */
  emptyResult: 'empty' | 'record'

  // Tokens and delivery
  /** The status for a token of the other host. */
  foreignTokenStatus: 401 | 403
  /** The status for a private picture without a signature. */
  privateRefusal: 403 | 401 | 404
  /** Whether a picture is still delivered after its deletion, as a cache would. */
  deliveredAfterDeletion: false | true
  /** Whether the delivery host obeys the flexible switch. */
  flexibleEffect: true | false
  /** Whether the delivery host obeys neverRequireSignedURLs. */
  neverRequireSignedEffect: true | false

  // The envelope
  /** Whether success carries empty `errors` and `messages`. */
  successLists: 'both' | 'errors' | 'absent'
  /** Whether failure carries `result: null` (and `messages`). */
  failureResult: 'null' | 'absent'
  /** Whether failures use the three codes that the document names, or codes of this server's own. */
  errorCodes: 'named' | 'own'

  // Time
  /** For how long, at most, reads still show what was before a write. */
  settleMs: number
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
  metadataWhenNone: 'absent',
  resultsCarryMetadata: false,
  resultsCarryDraft: false,
  idForm: 'uuid',
  timestampForm: 'ms',
  filenameOfUrl: 'basename',
  requireSignedDefault: false,
  unusualIds: 'accept',
  notAnImage: 'accept',
  duplicateIdStatus: 400,
  metadataMeasure: 'sent',
  unfetchableStatus: 400,
  expiryInPast: 'refuse',
  expiryMinimumMs: 0,
  usedTicketStatus: 400,
  expiredTicketStatus: 400,
  burnsTicketOnWrongPart: false,
  completionResponse: 'image',
  variantRecord: 'nested',
  variantList: 'map',
  variantWriteResult: 'record',
  variantOptions: 'optional',
  duplicateVariantStatus: 400,
  emptyResult: 'empty',
  foreignTokenStatus: 401,
  privateRefusal: 403,
  deliveredAfterDeletion: false,
  flexibleEffect: true,
  neverRequireSignedEffect: true,
  successLists: 'both',
  failureResult: 'null',
  errorCodes: 'named',
  settleMs: 0,
})
