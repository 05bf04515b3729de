import type { ServerResponse } from 'node:http'
import type { Random } from '../../engine/index.ts'
import type { NullTarget } from '../null-targets/common.ts'

/** A complete response of the server behind the proxy. */
export interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

/** The request to which a response belongs. */
export interface Turn {
  /** Counted from 1, in the order in which the responses are ready. */
  readonly number: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly random: Random
}

/** How a hostile target behaves. Each behavior has one of `serve`, `change` and `send`. */
export interface Behavior {
  readonly name: string
  /** What the target does, as a sentence without a subject. */
  readonly description: string
  /** Handles a connection instead of the server. */
  readonly serve?: NullTarget['serve']
  /** Changes the responses of the server. */
  readonly change?: (answer: Answer, turn: Turn) => Answer
  /** Sends the response of the server in its own way. */
  readonly send?: (answer: Answer, response: ServerResponse, turn: Turn) => void
  /**
   * Whether the target may be conformant, for example because clients may ignore the behavior. By
   * default, the run must exit with a status other than 0.
   */
  readonly isHarmless?: boolean
}

/** Sends a response as it is. */
export function sendPlainly(answer: Answer, response: ServerResponse): void {
  response.writeHead(answer.status, answer.headers.flat())
  response.end(answer.body)
}
