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
  /** The value that X-Hook-Token must have. If it is empty, deliveries need no token. */
  secret: string
  delayMs: number
}

export interface ReceiverContext {
  options: ResolvedReceiverOptions
  choices: ReceiverChoices
  rules: ReceiverRules
  /** The latest accepted deliveries. */
  accepted: Ring<Received>
  work: WorkQueue
}

/** One delivery. A fault may change any field before it calls `next`. */
export interface ReceiverCall {
  operation: Operation
  method: string
  /** The path as received, without the query. */
  path: string
  headers: Record<string, string | undefined>
  /** Returns the body, which is read when this is first called. */
  bytes(): Promise<Buffer>
  server: ReceiverContext
  request: IncomingMessage
}

/** Wraps the handling of every delivery. */
export type ReceiverMiddleware = (call: ReceiverCall, next: () => Promise<Reply>) => Promise<Reply>
