import { wallTimers, type Timers } from '../kit/timers.ts'
import { flags, type Flag } from '../deliveries/events.ts'
import type { HooksMiddleware, HooksContext, ResolvedHooksOptions } from './hooks/call.ts'
import { defaultChoices, type HooksChoices } from './hooks/choices.ts'
import { newHost } from './hooks/host.ts'
import { Outbox } from './hooks/outbox.ts'
import type { Delivering } from './hooks/outgoing.ts'
import { defaultRules, type HooksRules } from './hooks/rules.ts'
import { HookStore } from './hooks/store.ts'
import { listen, closeServer } from './http/server.ts'

export type {
  HooksMiddleware,
  HooksCall,
  HooksContext,
  HooksOperation,
  ResolvedHooksOptions,
} from './hooks/call.ts'
export { failure } from './hooks/answers.ts'
export type { HooksChoices } from './hooks/choices.ts'
export type { Delivering, OutgoingDelivery } from './hooks/outgoing.ts'
export { defaultRules, type HooksRules } from './hooks/rules.ts'
export { HookStore } from './hooks/store.ts'
export { Refusal, type Reply } from './http/reply.ts'
export { HooksRefusal } from './hooks/refusal.ts'

export interface HooksOptions {
  /** The only project that there is; 42 where it is not given. */
  project?: string | number
  token?: string
  /** 0 lets the system choose. */
  port?: number
  basePath?: string
  /** Legal freedoms; what is not given is as in `defaultChoices`. */
  choices?: Partial<HooksChoices>
  /** Demands of the document, replaced one by one; for faults. */
  rules?: Partial<HooksRules>
  /** Stands around every operation; for faults. */
  around?: HooksMiddleware
  /** Stands before every delivery; for faults. */
  delivering?: Delivering
  /** How long every answer of the API is held back. */
  delayMs?: number
  /** What timeouts run by; the wall's clock if it is not given. */
  timers?: Timers
}

export interface HooksServer {
  /** The base URL of the API. */
  url: string
  options: ResolvedHooksOptions
  store: HookStore
  /** What handlers and faults get as `call.server`. */
  context: HooksContext
  /** Ends it at once, with all deliveries under way. */
  close(): Promise<void>
}

/**
 * Starts the hook service that remembers and delivers, on a port of the loopback address. A taken
 * port rejects with its `code` and `port`.
 */
export async function startHooks(options: HooksOptions = {}): Promise<HooksServer> {
  const context = newContext(options)
  const server = newHost(context, options.around)
  const close = async () => {
    context.outbox.close()
    await closeServer(server)
  }
  context.url = (await listen(server, options.port ?? 0)) + context.options.basePath
  return { url: context.url, options: context.options, store: context.store, context, close }
}

function newContext({
  project = 42,
  token = 'hooks-token',
  basePath = '/api/v4',
  delayMs = 0,
  timers = wallTimers,
  ...options
}: HooksOptions): HooksContext {
  const rules = { ...defaultRules, ...options.rules }
  return {
    options: { project: String(project), token, basePath, delayMs },
    choices: { ...defaultChoices, ...options.choices },
    rules,
    store: new HookStore(rules.recentLimit),
    outbox: new Outbox(),
    url: '',
    delivering: options.delivering,
    timers,
  }
}

/** The part of a target file that gives everything of a started server. */
export function targetOf({ url, options: { project, token }, context: { choices } }: HooksServer) {
  const triggers: readonly Flag[] = choices.testEvents === 'push' ? ['push_events'] : flags
  return { hooks: { url, project, token, triggers, state: true } }
}
