import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import type { Ring } from '../http/ring.ts'
import type { Choices } from './choices.ts'
import type { Received } from './received.ts'
import type { Rules } from './rules.ts'
import type { WorkQueue } from './work.ts'

export type Operation = 'receiveDelivery'

/** The options with every default filled in. */
export interface ResolvedOptions {
  path: string
  /** With an empty secret every token will do. */
  secret: string
  delayMs: number
}

export interface Context {
  options: ResolvedOptions
  choices: Choices
  rules: Rules
  /** The last deliveries that were taken. */
  taken: Ring<Received>
  work: WorkQueue
}

/** One delivery, on its way to its handler. A fault may change any field before it calls `next`. */
export interface Call {
  operation: Operation
  method: string
  /** As received, without the query. */
  path: string
  headers: Record<string, string | undefined>
  /** The body, read at the first call. */
  bytes(): Promise<Buffer>
  server: Context
  request: IncomingMessage
}

/** Stands around the handler. */
export type Around = (call: Call, next: () => Promise<Reply>) => Promise<Reply>
