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
  /** Where deliveries are taken; /hook where it is not given. */
  path?: string
  /** What X-Hook-Token has to be. With an empty secret every token will do. */
  secret?: string
  /** 0 lets the system choose. */
  port?: number
  /** Legal freedoms; what is not given is as in `defaultChoices`. */
  choices?: Partial<ReceiverChoices>
  /** Demands of the document, replaced one by one; for faults. */
  rules?: Partial<ReceiverRules>
  /** Stands around every delivery; for faults. */
  around?: ReceiverMiddleware
  /** How long every answer is held back. */
  delayMs?: number
}

export interface ReceiverServer {
  /** Where deliveries are taken. */
  url: string
  options: ResolvedReceiverOptions
  /** The last deliveries that were taken, the newest first. */
  deliveries(): Received[]
  /** What faults get as `call.server`. */
  context: ReceiverContext
  close(): Promise<void>
}

/**
 * Starts a receiver of deliveries on a port of the loopback address. A taken port rejects with its
 * `code` and `port`.
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
    taken: new Ring(rules.keptDeliveries),
    work: new WorkQueue(),
  }
  const server = newHost(context, options.around)
  const origin = await listen(server, options.port ?? 0)
  const close = async () => {
    context.work.close()
    await closeServer(server)
  }
  return {
    url: origin + path,
    options: context.options,
    deliveries: () => context.taken.newest(),
    context,
    close,
  }
}

/** The part of a target file that gives everything of a started receiver. */
export function targetOf({
  url,
  options: { secret },
  context: {
    choices: { onMismatch },
  },
}: ReceiverServer) {
  return { receiver: { url, secret, events: eventNames, onMismatch } }
}
