import type { RuleRequirements } from '../../kit/requirements.ts'
import { planRendition, type Rendition, type Size } from './rendition.ts'
import { parseTimestamp } from './time.ts'
import type { ImagesHost } from './routes.ts'
import type { Image, Ticket, Variant, VariantOptions } from './store.ts'

/** What a token belongs to; undefined for an unknown token. `other` is the other account. */
export type Role = 'api' | 'limited' | 'batch' | 'other' | undefined

/**
 * The rules by which the service meets the contract. They are values and small functions, so that
 * each can be replaced alone. The defaults conform to the contract; faults and variations replace
 * some of them.
 */
export interface ImagesRules {
  /**
   * Returns true if a token of this role may use this host, and otherwise the status of the
   * refusal. `foreign` means the status in the choice foreignTokenStatus, and `other account` the
   * status in the choice otherAccountStatus.
   */
  checkAccess(role: Role, host: ImagesHost): true | 401 | 403 | 'foreign' | 'other account'
  isKnownAccount(account: string, known: string): boolean

  maxMetadataBytes: number
  measureMetadata(text: string): number
  /** Whether a parsed JSON value is accepted as metadata. */
  isMetadata(value: unknown): boolean
  /** Reads a flag from a form part; undefined if it is invalid. */
  parseFlag(text: string): boolean | undefined
  isFlag(value: unknown): boolean
  isImageId(value: unknown): boolean
  /** The URL schemes from which images are fetched. */
  schemes: readonly string[]
  /** The timeout of a fetch. */
  fetchTimeoutMs: number
  /**
   * The timeout between two chunks of an image. To test timeouts quickly, lower this limit instead
   * of `fetchTimeoutMs`. An image that arrives in one piece never exceeds this limit, even on a
   * busy machine.
   */
  fetchStallMs: number
  /** Whether an upload may contain both a file and a URL; the file is then stored. */
  fileAndUrl: 'refuse' | 'accept'
  acceptsEmptyFile: boolean
  /** Whether a form part with this name contains the file of a ticket (a one-time upload URL). */
  isCompletionPart(name: string): boolean

  pageDefault: number
  perPageDefault: number
  perPageMax: number
  /** Reads page and per_page; undefined if the value is invalid. */
  parseCount(text: string): number | undefined

  ticketDefaultMs: number
  ticketMaxMs: number
  parseExpiry(value: unknown): number | undefined
  /** Whether a ticket may set the id of a private image. */
  customIdMayBePrivate: boolean
  ticketIsSpent(ticket: Ticket): boolean
  ticketIsExpired(ticket: Ticket, now: number): boolean

  isVariantId(value: unknown): boolean
  isFit(value: unknown): boolean
  isDimension(value: unknown): boolean
  isMetadataMode(value: unknown): boolean
  mergeOptions(old: VariantOptions, changes: Partial<VariantOptions>): VariantOptions

  /**
   * Whether delivering this image in this variant (undefined: a flexible variant) requires a
   * signature.
   */
  isPrivate(image: Image, variant: Variant | undefined): boolean
  isTransformation(name: string): boolean
  /** How an image of this size is delivered in a variant. */
  planRendition(size: Size, options: VariantOptions): Rendition
}

const fits: readonly unknown[] = ['scale-down', 'contain', 'cover', 'crop', 'pad']
const metadataModes: readonly unknown[] = ['none', 'copyright', 'keep']

export const defaultRules: Readonly<ImagesRules> = Object.freeze<ImagesRules>({
  checkAccess(role, host) {
    if (role === undefined) return 401
    if (host === 'batch') return role === 'batch' ? true : 'foreign'
    if (role === 'limited') return 403
    if (role === 'other') return 'other account'
    return role === 'api' ? true : 'foreign'
  },
  isKnownAccount: (account, known) => account === known,

  maxMetadataBytes: 1024,
  measureMetadata: (text) => Buffer.byteLength(text),
  isMetadata: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  parseFlag: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  isFlag: (value) => typeof value === 'boolean',
  isImageId,
  schemes: ['http:', 'https:'],
  fetchTimeoutMs: 10_000,
  fetchStallMs: 3000,
  fileAndUrl: 'refuse',
  acceptsEmptyFile: false,
  isCompletionPart: (name) => name === 'file',

  pageDefault: 1,
  perPageDefault: 100,
  perPageMax: 100,
  parseCount: (text) => (/^\d+$/.test(text) && Number(text) >= 1 ? Number(text) : undefined),

  ticketDefaultMs: 30 * 60_000,
  ticketMaxMs: 6 * 3_600_000,
  parseExpiry: (value) => (typeof value === 'string' ? parseTimestamp(value) : undefined),
  customIdMayBePrivate: false,
  ticketIsSpent: (ticket) => ticket.state !== 'open',
  ticketIsExpired: (ticket, now) => now >= ticket.expiresAt,

  isVariantId: (value) => typeof value === 'string' && /^[A-Za-z0-9_-]{1,99}$/.test(value),
  isFit: (value) => fits.includes(value),
  isDimension: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  isMetadataMode: (value) => metadataModes.includes(value),
  mergeOptions: (old, changes) => ({ ...old, ...changes }),

  isPrivate: (image, variant) =>
    image.requireSignedURLs && variant?.neverRequireSignedURLs !== true,
  isTransformation: (name) => /^[a-z-]+=[^,=/]+(,[a-z-]+=[^,=/]+)*$/i.test(name),
  planRendition,
})

// Refuses ids that cannot be used in a path: clients remove dot segments, and `variants` is the
// path of another route.
function isImageId(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= 1024 &&
    !/\p{Surrogate}/u.test(value) &&
    !value.startsWith('/') &&
    !value.endsWith('/') &&
    !/[\0-\x1f\x7f]/.test(value) &&
    !value.split('/').some((part) => part === '.' || part === '..') &&
    value !== 'variants'
  )
}

export const ruleRequirements: RuleRequirements<ImagesRules> = {
  checkAccess: [
    'IMG-AUTH-01',
    'IMG-AUTH-03',
    'IMG-AUTH-05',
    'IMG-AUTH-06',
    'IMG-AUTH-09',
    'IMG-AUTH-10',
  ],
  isKnownAccount: ['IMG-ADDRESS-01', 'IMG-ADDRESS-04'],
  maxMetadataBytes: ['IMG-LIMIT-01', 'IMG-LIMIT-02'],
  measureMetadata: ['IMG-LIMIT-01', 'IMG-LIMIT-02'],
  isMetadata: ['IMG-UPLOAD-10', 'IMG-TICKET-07'],
  parseFlag: ['IMG-UPLOAD-06', 'IMG-UPLOAD-08'],
  isFlag: ['IMG-TICKET-15', 'IMG-VARIANT-09', 'IMG-CONFIG-02'],
  isImageId: ['IMG-UPLOAD-05', 'IMG-TICKET-11'],
  schemes: ['IMG-UPLOAD-15'],
  fetchTimeoutMs: ['IMG-UPLOAD-16'],
  fetchStallMs: ['IMG-UPLOAD-16'],
  fileAndUrl: ['IMG-UPLOAD-04'],
  acceptsEmptyFile: ['IMG-UPLOAD-03'],
  isCompletionPart: ['IMG-COMPLETE-02'],
  pageDefault: ['IMG-LIMIT-05'],
  perPageDefault: ['IMG-LIMIT-03'],
  perPageMax: ['IMG-LIMIT-04'],
  parseCount: ['IMG-LIMIT-04', 'IMG-LIMIT-05'],
  ticketDefaultMs: ['IMG-LIMIT-06'],
  ticketMaxMs: ['IMG-LIMIT-07'],
  parseExpiry: ['IMG-TICKET-08', 'IMG-TICKET-09'],
  customIdMayBePrivate: ['IMG-TICKET-12'],
  ticketIsSpent: ['IMG-COMPLETE-03', 'IMG-COMPLETE-04'],
  ticketIsExpired: ['IMG-LIMIT-09'],
  isVariantId: ['IMG-VARIANT-01'],
  isFit: ['IMG-VARIANT-02', 'IMG-VARIANT-03'],
  isDimension: ['IMG-VARIANT-04', 'IMG-VARIANT-05'],
  isMetadataMode: ['IMG-VARIANT-06', 'IMG-VARIANT-07'],
  mergeOptions: ['IMG-VARIANTS-04', 'IMG-VARIANTS-05'],
  isPrivate: ['IMG-IMAGE-08'],
  isTransformation: ['IMG-CONFIG-03'],
  planRendition: ['IMG-DELIVERY-01'],
}
