import { isObject } from '../../engine/index.ts'
import { kindOfMessage, type Json, type RpcKind } from './jsonrpc.ts'

/**
 * Why what was sent has no response: `unreachable` there is no connection; `closed` it ended before a response; `silent` nothing came in time, `unfinished`
 * something came and no end; `flood` more bytes came than are read; `status`, `redirect` the HTTP status is none of success; `unanswered` a complete answer
 * has no response in it. Where none is awaited (notifications, bare HTTP requests), only the first five.
 */
export type McpFailure =
  | 'unreachable'
  | 'closed'
  | 'silent'
  | 'unfinished'
  | 'flood'
  | 'status'
  | 'redirect'
  | 'unanswered'

/** On what a message came: the body of an answer to POST, the stream of a GET (of either HTTP transport), standard output. */
export type McpStream = 'post' | 'get' | 'stdout'

/** A message that came. */
export interface McpReceived {
  readonly kind: RpcKind
  /** As it was parsed, whatever it is. */
  readonly message: unknown
  /** Its own members where it is an object: empty otherwise. */
  readonly json: Json
  readonly stream: McpStream
  /** Number of the exchange on whose stream it came; of standard output there is none. */
  readonly exchange?: number | undefined
  /** Milliseconds since the epoch, by the door's clock. */
  readonly at: number
  /** Place in the order in which messages came on the connection, from 1. */
  readonly order: number
  /** Id of the event in which it came. */
  readonly eventId?: string | undefined
  /** Whether it stood in an array. */
  readonly batch: boolean
}

/** How what was sent went out. */
export interface McpSent {
  /** `POST`, `GET` …; `stdio` for a line to a subprocess. */
  readonly method: string
  /** URL, or the command line of the subprocess with the variables that it is given. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What was sent, as text; undefined for a request without a body. */
  readonly text: string | undefined
}

/** Makes what is kept of a message. */
export function receivedOf(
  message: unknown,
  given: Omit<McpReceived, 'kind' | 'message' | 'json'>,
): McpReceived {
  return { kind: kindOfMessage(message), message, json: isObject(message) ? message : {}, ...given }
}
