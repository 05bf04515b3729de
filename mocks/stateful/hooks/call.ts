import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import type { Outbox } from './outbox.ts'
import type { DeliverySender } from './outgoing.ts'

export type HooksOperation =
  'createHook' | 'testHook' | 'listHooks' | 'getHook' | 'deleteHook' | 'listHookEvents'

/** The options with every default filled in. */
export interface ResolvedHooksOptions {
  project: string
  token: string
  basePath: string
  delayMs: number
}

/** What all handlers share: the memory, the deliveries under way, what is demanded and what was chosen. */
export interface HooksContext extends DeliverySender {
  options: ResolvedHooksOptions
  outbox: Outbox
  /** The base URL, known once the server listens. */
  url: string
}

/** One request, on its way to its handler. A fault may change any field before it calls `next`. */
export interface HooksCall {
  operation: HooksOperation
  method: string
  /** As received, still encoded, without the query. */
  path: string
  /** What the path names, decoded: `id`, `hook_id`, `event`. */
  params: Record<string, string>
  headers: Record<string, string | undefined>
  /** The body's members, read at the first call from JSON or from a form, where flags are texts no more. */
  fields(): Promise<Record<string, unknown>>
  /** Replaces the check of the token. */
  authorize?: () => Reply | undefined
  /** Replaces the answer to a `Prefer: code=…`. */
  forced?: () => Reply | undefined
  server: HooksContext
  request: IncomingMessage
}

/** Stands around every handler. `next` does everything from `Prefer` to the action. */
export type HooksMiddleware = (call: HooksCall, next: () => Promise<Reply>) => Promise<Reply>

export type HooksHandler = (call: HooksCall) => Reply | Promise<Reply>
