import type { IncomingMessage } from 'node:http'
import type { Timers } from '../../kit/timers.ts'
import type { Reply } from '../http/reply.ts'
import type { ImagesChoices } from './choices.ts'
import type { UploadForm } from './form.ts'
import type { ImagesReason } from './refusal.ts'
import type { ImagesHost, ImagesOperation } from './routes.ts'
import type { ImagesRules } from './rules.ts'
import type { Store } from './store.ts'
import type { ImagesClock } from './time.ts'

/** The options with every default filled in. */
export interface ResolvedImagesOptions {
  account: string
  accountHash: string
  /** A second account; its token is `tokens.other`. */
  otherAccount: string
  otherAccountHash: string
  tokens: { api: string; limited: string; batch: string; other: string }
  maxFileBytes: number
  basePath: string
  delayMs: number
}

/** What all handlers share: state, clock, rules and choices. */
export interface ImagesContext {
  store: Store
  clock: ImagesClock
  timers: Timers
  options: ResolvedImagesOptions
  choices: ImagesChoices
  rules: ImagesRules
  /** The base URLs, known once all hosts listen. */
  urls: { account: string; batch: string; upload: string; delivery: string }
  /** The secret that signs delivery URLs. */
  signingKey: Uint8Array
  roleOf(authorization: string | undefined): ReturnType<RoleReader>
  /** The context of the other account. Each account has separate images and variants. */
  other: ImagesContext
}
export type RoleReader = (
  authorization: string | undefined,
) => 'api' | 'limited' | 'batch' | 'other' | undefined

/** One request. A fault may change any field before it calls `next`. */
export interface ImagesCall {
  operation: ImagesOperation
  host: ImagesHost
  method: string
  /** The path as received: still encoded, and without the query. */
  path: string
  /** Path parameters, decoded: `image_id`, `variant_id`, `token`, `hash`, `variant`. */
  params: Record<string, string>
  query: URLSearchParams
  headers: Record<string, string | undefined>
  /** The account in the path. On hosts whose paths contain no account, the account of `server`. */
  account: string
  /** The multipart body, read at the first call. */
  form(): Promise<UploadForm>
  /** The JSON body, read at the first call; undefined if there is none. */
  json(): Promise<unknown>
  /** Replaces the authentication. Returns the refusal; undefined if the call is accepted. */
  authorize?: () => ImagesReply | undefined
  /** Replaces the response to `Prefer: code=…`. */
  forced?: () => ImagesReply | undefined
  server: ImagesContext
  request: IncomingMessage
}

/** Every response has a body: an envelope, or the bytes of an image. */
export interface ImagesReply extends Reply {
  body: unknown
  reason?: ImagesReason | undefined
}

/**
 * Wraps every handler. `next` returns the failure that `Prefer` forces, if any. Otherwise it checks
 * the token and the account in the path, and runs the operation.
 */
export type ImagesMiddleware = (
  call: ImagesCall,
  next: () => Promise<ImagesReply>,
) => Promise<ImagesReply>

export type ImagesHandler = (call: ImagesCall) => ImagesReply | Promise<ImagesReply>
