import type { IncomingMessage } from 'node:http'
import type { Reply as AnyReply } from '../http/reply.ts'
import type { Choices } from './choices.ts'
import type { UploadForm } from './form.ts'
import type { ImagesReason } from './refusal.ts'
import type { Host, Operation } from './routes.ts'
import type { Rules } from './rules.ts'
import type { Store } from './store.ts'
import type { Clock } from './time.ts'

/** The options with every default filled in. */
export interface ResolvedOptions {
  account: string
  accountHash: string
  tokens: { api: string; limited: string; batch: string }
  maxFileBytes: number
  basePath: string
  delayMs: number
}

/** What all handlers share: the memory, the clock, what is demanded and what was chosen. */
export interface Context {
  store: Store
  clock: Clock
  options: ResolvedOptions
  choices: Choices
  rules: Rules
  /** The base URLs, known once all hosts listen. */
  urls: { account: string; batch: string; upload: string; delivery: string }
  /** The secret that signs delivery URLs. */
  signingKey: Uint8Array
  roleOf(authorization: string | undefined): ReturnType<RoleReader>
}
export type RoleReader = (
  authorization: string | undefined,
) => 'api' | 'limited' | 'batch' | undefined

/** One request, on its way to its handler. A fault may change any field before it calls `next`. */
export interface Call {
  operation: Operation
  host: Host
  method: string
  /** As received, still encoded, without the query. */
  path: string
  /** What the path names, decoded: `image_id`, `variant_id`, `token`, `hash`, `variant`. */
  params: Record<string, string>
  query: URLSearchParams
  headers: Record<string, string | undefined>
  /** From the path; on hosts without one the server's own. */
  account: string
  /** The multipart body, read at the first call. */
  form(): Promise<UploadForm>
  /** The JSON body, read at the first call; undefined when there is none. */
  json(): Promise<unknown>
  /** Replaces the check of the token. */
  authorize?: () => Reply | undefined
  /** Replaces the answer to a `Prefer: code=…`. */
  forced?: () => Reply | undefined
  server: Context
  request: IncomingMessage
}

/** Every answer has a body: an envelope, or the bytes of a picture. */
export interface Reply extends AnyReply {
  body: unknown
  reason?: ImagesReason | undefined
}

/** Stands around every handler. `next` does everything from `Prefer` to the action. */
export type Around = (call: Call, next: () => Promise<Reply>) => Promise<Reply>

export type Handler = (call: Call) => Reply | Promise<Reply>
