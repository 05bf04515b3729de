import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import type { Ring } from '../http/ring.ts'
import type { ReceiverChoices } from './choices.ts'
import type { Received } from './received.ts'
import type { ReceiverRules } from './rules.ts'
import type { WorkQueue } from './work.ts'

type Operation = 'receiveDelivery'

/** The options with every default filled in. */
export interface ResolvedReceiverOptions {
  path: string
  /** With an empty secret every token will do. */
  secret: string
  delayMs: number
}

export interface ReceiverContext {
  options: ResolvedReceiverOptions
  choices: ReceiverChoices
  rules: ReceiverRules
  /** The last deliveries that were taken. */
  taken: Ring<Received>
  work: WorkQueue
}

/** One delivery, on its way to its handler. A fault may change any field before it calls `next`. */
export interface ReceiverCall {
  operation: Operation
  method: string
  /** As received, without the query. */
  path: string
  headers: Record<string, string | undefined>
  /** The body, read at the first call. */
  bytes(): Promise<Buffer>
  server: ReceiverContext
  request: IncomingMessage
}

/** Stands around the handler. */
export type ReceiverMiddleware = (call: ReceiverCall, next: () => Promise<Reply>) => Promise<Reply>
