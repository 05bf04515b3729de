import { applyServing, type Serving } from '../serving/serving.ts'
import { eventNames } from '../deliveries/events.ts'
import { Ring } from './http/ring.ts'
import { listen, closeServer } from './http/server.ts'
import type {
  ReceiverMiddleware,
  ReceiverContext,
  ResolvedReceiverOptions,
} from './receiver/call.ts'
import { defaultChoices, type ReceiverChoices } from './receiver/choices.ts'
import { newHost } from './receiver/host.ts'
import type { Received } from './receiver/received.ts'
import { defaultRules, type ReceiverRules } from './receiver/rules.ts'
import { WorkQueue } from './receiver/work.ts'

export type {
  ReceiverMiddleware,
  ReceiverCall,
  ReceiverContext,
  ResolvedReceiverOptions,
} from './receiver/call.ts'
export type { ReceiverChoices } from './receiver/choices.ts'
export type { Received } from './receiver/received.ts'
export { defaultRules, type ReceiverRules } from './receiver/rules.ts'
export { Refusal, type Reply } from './http/reply.ts'

export interface ReceiverOptions {
  /** The path that receives deliveries; by default /hook. */
  path?: string
  /** The value that X-Hook-Token must have. If it is empty, deliveries need no token. */
  secret?: string
  /** The TCP port; by default 0, which lets the system choose a free port. */
  port?: number
  /** What the contract leaves open; by default `defaultChoices`. */
  choices?: Partial<ReceiverChoices>
  /** Replaces rules of the contract, to build a server with a deliberate defect. */
  rules?: Partial<ReceiverRules>
  /** Wraps the handling of every delivery, to build a server with a deliberate defect. */
  around?: ReceiverMiddleware
  /** Delay of every response, in milliseconds. */
  delayMs?: number
  /** What `touchstone mock` adds to the server. */
  serving?: Serving
}

export interface ReceiverServer {
  /** The URL that receives deliveries. */
  url: string
  options: ResolvedReceiverOptions
  /** The latest accepted deliveries, newest first. */
  deliveries(): Received[]
  /** Passed to faults as `call.server`. */
  context: ReceiverContext
  close(): Promise<void>
}

/**
 * Starts a receiver of deliveries on a port of the loopback address. If the port is in use, rejects
 * with an error that has a `code` and the `port`.
 */
export async function startReceiver({
  path = '/hook',
  secret = 'receiver-secret',
  delayMs = 0,
  ...options
}: ReceiverOptions = {}): Promise<ReceiverServer> {
  const rules = { ...defaultRules, ...options.rules }
  const context: ReceiverContext = {
    options: { path, secret, delayMs },
    choices: { ...defaultChoices, ...options.choices },
    rules,
    accepted: new Ring(rules.keptDeliveries),
    work: new WorkQueue(),
  }
  const reset = () => {
    context.work.close()
    context.work = new WorkQueue()
    context.accepted = new Ring(rules.keptDeliveries)
  }
  const server = applyServing(
    newHost(context, options.around),
    { name: 'receiver', reset, control: ['deliveries'] },
    options.serving,
  )
  const origin = await listen(server, options.port ?? 0, options.serving?.hostname)
  const close = async () => {
    context.work.close()
    await closeServer(server)
  }
  return {
    url: origin + path,
    options: context.options,
    deliveries: () => context.accepted.newestFirst(),
    context,
    close,
  }
}

/** The part of a target file that describes a started receiver. */
export function targetOf({
  url,
  options: { secret },
  context: {
    choices: { onMismatch },
  },
}: ReceiverServer) {
  return { receiver: { url, secret, events: eventNames, onMismatch } }
}
