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

/**
 * How a hostile target behaves. It has one of `serve`, `change` and `send`, unless its subject has
 * its own server.
 */
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
   * Whether a client may take no notice: then the target can be conformant. By default, the run
   * must end with another exit status than 0.
   */
  readonly isHarmless?: boolean
}

/** Sends a response as it is. */
export function sendPlainly(answer: Answer, response: ServerResponse): void {
  response.writeHead(answer.status, answer.headers.flat())
  response.end(answer.body)
}
