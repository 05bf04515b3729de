import type { IncomingHttpHeaders } from 'node:http'

export interface Switch {
  name: string
  kind: 'choice' | 'violation'
  where: string
  does: string
}

export interface Connection {
  url: string
  secret: string
  onMismatch: 'refuse' | 'drop'
  events: string[]
}

export type Doc = { [key: string]: any }

/** What the receiver remembers between deliveries. */
export interface Memory {
  deliveries: number
  accepted: number
  wrongTokens: number
  lastWasWrong: boolean
  sawBadBody: boolean
  sawTagDeletion: boolean
  bodies: Set<string>
  open: number
  /** When the work of all accepted deliveries is done, in epoch milliseconds. */
  workUntil: number
}

export interface Delivery {
  headers: IncomingHttpHeaders
  rawHeaders: readonly string[]
  text: string
  doc: Doc
  kind: string
  onSocket: number
  socketTrusted: boolean
}

/** What a rule makes of a delivery that is in order; nothing means that it is taken. */
export interface Verdict {
  status?: number
  waits?: number
  hangsUp?: boolean
  neverEnds?: boolean
  location?: string
}

/** A switch that takes a token that it should refuse. */
export interface TokenRule extends Switch {
  takes: (given: string | undefined, secret: string, d: Delivery, m: Memory) => boolean
}

/** A switch that spoils the answer to a delivery that is in order. */
export interface AnswerRule extends Switch {
  spoils: (d: Delivery, m: Memory) => Verdict | undefined
}

export const kinds = [
  'push',
  'tag_push',
  'issue',
  'merge_request',
  'pipeline',
  'build',
  'deployment',
  'wiki_page',
  'release',
] as const
