import { wallTimers, type Timers } from '../kit/timers.ts'
import { deliveryEntry } from '../serving/log.ts'
import { applyServing, type Serving } from '../serving/serving.ts'
import { allActions } from '../deliveries/actions.ts'
import { flags, type Flag } from '../deliveries/events.ts'
import type { HooksMiddleware, HooksContext, ResolvedHooksOptions } from './hooks/call.ts'
import { defaultChoices, type HooksChoices } from './hooks/choices.ts'
import { newHook } from './hooks/fields.ts'
import { newHost } from './hooks/host.ts'
import { Outbox } from './hooks/outbox.ts'
import type { BeforeDelivery } from './hooks/outgoing.ts'
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
export { failure } from './hooks/replies.ts'
export type { HooksChoices } from './hooks/choices.ts'
export type { BeforeDelivery, OutgoingDelivery } from './hooks/outgoing.ts'
export { defaultRules, type HooksRules } from './hooks/rules.ts'
export { HookStore } from './hooks/store.ts'
export { Refusal, type Reply } from './http/reply.ts'
export { HooksRefusal } from './hooks/refusal.ts'

export interface HooksOptions {
  /** The project in which events happen; by default 42. */
  project?: string | number
  /** Another project, in which no events happen; by default 43. */
  otherProject?: string | number
  /** The access token of the API; by default `hooks-token`. */
  token?: string
  /** The TCP port; by default 0, which lets the system choose a free port. */
  port?: number
  basePath?: string
  /** What the contract leaves open; by default `defaultChoices`. */
  choices?: Partial<HooksChoices>
  /** Replaces rules of the contract, to build a server with a deliberate defect. */
  rules?: Partial<HooksRules>
  /** Wraps every operation, to build a server with a deliberate defect. */
  around?: HooksMiddleware
  /** Called before every delivery, to build a server with a deliberate defect. */
  beforeDelivery?: BeforeDelivery
  /** Delay of every response of the API, in milliseconds. */
  delayMs?: number
  /** The timers of timeouts; by default they run in real time. */
  timers?: Timers
  /** The hooks with which the project starts; by default none. Their fields must be valid. */
  initial?: { hooks: readonly Readonly<Record<string, unknown>>[] }
  /** What `touchstone mock` adds to the server. */
  serving?: Serving
}

export interface HooksServer {
  /** The base URL of the API. */
  url: string
  options: ResolvedHooksOptions
  store: HookStore
  /** Passed to handlers and faults as `call.server`. */
  context: HooksContext
  /** Closes the server at once and cancels all pending deliveries. */
  close(): Promise<void>
}

/**
 * Starts the stateful hook service, which sends deliveries, on a port of the loopback address. If
 * the port is in use, rejects with an error that has a `code` and the `port`.
 */
export async function startHooks(options: HooksOptions = {}): Promise<HooksServer> {
  const context = newContext(options)
  const addInitial = () => {
    for (const fields of options.initial?.hooks ?? [])
      context.store.add(
        newHook({ ...fields }, context),
        context.options.project,
        context.choices.hookIds,
      )
  }
  const reset = () => {
    context.outbox.close()
    context.outbox = new Outbox()
    context.store = new HookStore(context.rules.recentLimit)
    addInitial()
  }
  addInitial()
  const server = applyServing(
    newHost(context, options.around),
    { name: 'hooks', failures: [429], reset, control: ['events'], pageOption: '--no-cors' },
    options.serving,
  )
  const close = async () => {
    context.outbox.close()
    await closeServer(server)
  }
  context.url =
    (await listen(server, options.port ?? 0, options.serving?.hostname)) + context.options.basePath
  return {
    url: context.url,
    options: context.options,
    get store() {
      return context.store
    },
    context,
    close,
  }
}

function newContext({
  project = 42,
  otherProject = 43,
  token = 'hooks-token',
  basePath = '/api/v4',
  delayMs = 0,
  timers = wallTimers,
  ...options
}: HooksOptions): HooksContext {
  const rules = { ...defaultRules, ...options.rules }
  return {
    options: {
      project: String(project),
      otherProject: String(otherProject),
      token,
      basePath,
      delayMs,
    },
    choices: { ...defaultChoices, ...options.choices },
    rules,
    store: new HookStore(rules.recentLimit),
    outbox: new Outbox(),
    url: '',
    beforeDelivery: options.beforeDelivery,
    onDelivery:
      options.serving?.onRequest === undefined
        ? undefined
        : (attempt) => options.serving?.onRequest?.(deliveryEntry(attempt)),
    timers,
  }
}

const testableFlags: Readonly<Record<HooksChoices['testEvents'], readonly Flag[]>> = {
  all: flags,
  listed: flags.filter((flag) => flag !== 'confidential_issues_events'),
  push: ['push_events'],
}

/** The part of a target file that describes a started server. */
export function targetOf({ url, options, context: { choices } }: HooksServer) {
  const { project, otherProject, token } = options
  return {
    hooks: {
      url,
      project,
      otherProject,
      token,
      testEvents: testableFlags[choices.testEvents],
      trigger: {
        url: new URL('/_touchstone/events', url).href,
        actions: allActions,
      },
      state: true,
    },
  }
}
