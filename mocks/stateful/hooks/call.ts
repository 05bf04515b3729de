import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import type { Outbox } from './outbox.ts'
import type { DeliverySender } from './outgoing.ts'

export type HooksOperation =
  'createHook' | 'testHook' | 'listHooks' | 'getHook' | 'deleteHook' | 'listHookEvents'

/** The options with every default filled in. */
export interface ResolvedHooksOptions {
  project: string
  otherProject: string
  token: string
  basePath: string
  delayMs: number
}

/** What all handlers share: state, pending deliveries, rules and choices. */
export interface HooksContext extends DeliverySender {
  options: ResolvedHooksOptions
  outbox: Outbox
  /** The base URL, known once the server listens. */
  url: string
}

/** One request. A fault may change any field before it calls `next`. */
export interface HooksCall {
  operation: HooksOperation
  method: string
  /** The path as received: still encoded, and without the query. */
  path: string
  /** Path parameters, decoded: `id`, `hook_id`, `event`. */
  params: Record<string, string>
  headers: Record<string, string | undefined>
  /**
   * The fields of the body, which is JSON or a form. The body is read when this is first called.
   * Flags in a form become booleans.
   */
  fields(): Promise<Record<string, unknown>>
  /** Replaces the authentication. */
  authorize?: () => Reply | undefined
  /** Replaces the response to `Prefer: code=…`. */
  forced?: () => Reply | undefined
  server: HooksContext
  request: IncomingMessage
}

/**
 * Wraps every handler. `next` returns the failure that `Prefer` forces, if any. Otherwise it checks
 * the token and the project, and runs the operation.
 */
export type HooksMiddleware = (call: HooksCall, next: () => Promise<Reply>) => Promise<Reply>

export type HooksHandler = (call: HooksCall) => Reply | Promise<Reply>
