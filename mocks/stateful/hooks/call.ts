import type { IncomingMessage } from 'node:http'
import type { EventName, Flag } from '../../deliveries/events.ts'
import type { Header } from '../../deliveries/headers.ts'
import type { Payload } from '../../deliveries/payload.ts'
import type { Reply } from '../http/reply.ts'
import type { Choices } from './choices.ts'
import type { Outbox } from './outbox.ts'
import type { Rules } from './rules.ts'
import type { Hook, HookStore } from './store.ts'

export type Operation =
  'createHook' | 'testHook' | 'listHooks' | 'getHook' | 'deleteHook' | 'listHookEvents'

/** The options with every default filled in. */
export interface ResolvedOptions {
  project: string
  token: string
  basePath: string
  delayMs: number
}

/** What all handlers share: the memory, the deliveries under way, what is demanded and what was chosen. */
export interface Context {
  options: ResolvedOptions
  choices: Choices
  rules: Rules
  store: HookStore
  outbox: Outbox
  /** The base URL, known once the server listens. */
  url: string
  delivering?: Delivering | undefined
}

/** One request, on its way to its handler. A fault may change any field before it calls `next`. */
export interface Call {
  operation: Operation
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
  server: Context
  request: IncomingMessage
}

/** Stands around every handler. `next` does everything from `Prefer` to the action. */
export type Around = (call: Call, next: () => Promise<Reply>) => Promise<Reply>

export type Handler = (call: Call) => Reply | Promise<Reply>

/** One delivery on its way out, before it is written. */
export interface Outgoing {
  event: EventName
  /** The flag that the test call named. */
  trigger: Flag
  hook: Hook
  /** 1 for the first; later ones are retries and duplicates. */
  attempt: number
  method: string
  url: string
  /** In the order in which they go out; those of the connection are added later. */
  headers: Header[]
  body: Payload
  /** Sent in place of the JSON of the body. */
  raw?: string
  rejectUnauthorized: boolean
}

/** Stands before every delivery: what it returns goes out, with undefined nothing does. It may change what it is given. */
export type Delivering = (
  delivery: Outgoing,
) => Outgoing | undefined | Promise<Outgoing | undefined>
