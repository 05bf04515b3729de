import type { McpExchange, McpFailure, McpReceived, McpTransport } from './exchange.ts'
import type { McpProblem, RpcErrorObject, RpcId } from './framing.ts'
import type { Pipes, StdioCommand } from './process.ts'

/**
 * How to start a server over stdio. A target file contains a command. Code may also pass a function
 * that returns the streams of the server.
 */
export type StdioServer = StdioCommand | { connect(): Pipes }

/** What the client needs from a target file. */
export interface McpAccess {
  /** URL of the endpoint of streamable HTTP. */
  http?: string | undefined
  /** URL of the event stream of HTTP+SSE. */
  sse?: string | undefined
  stdio?: StdioServer | undefined
  /** Sent with every HTTP request. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The reply to a request of the server. `silence` sends no reply. */
export type McpReply = { result: unknown } | { error: RpcErrorObject } | 'silence'

/** A request of the server, such as elicitation/create. */
export interface McpServerRequest {
  readonly id: RpcId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Replies to requests of the server. If the handler returns undefined, the client replies to ping
 * with an empty result, and to any other request with error -32601 (method not found).
 */
export type McpHandler = (
  request: McpServerRequest,
) => McpReply | undefined | Promise<McpReply | undefined>

export interface McpConnectOptions {
  onRequest?: McpHandler | undefined
  /**
   * Called with every exchange when it is over, including those that the connection starts without
   * a caller: initialized, replies, the event stream, the end of a session.
   */
  onExchange?: ((exchange: McpExchange) => void) | undefined
  /**
   * The default timeout of each exchange, and the timeout for opening the connection (over HTTP+SSE
   * until the endpoint event), in milliseconds. By default, that of the client.
   */
  timeout?: number | undefined
  /** Sent with every HTTP request of the connection. `undefined` removes a header of the client. */
  headers?: McpHeaders | undefined
}

/** Headers that are added to, or replace, those of the connection. `undefined` removes a header. */
export type McpHeaders = Readonly<Record<string, string | undefined>>

/**
 * Returns the timeout of an exchange that sets no other, in milliseconds. `timeout` is that of its
 * connection.
 */
export type ShortenTimeout = (
  message: Pick<McpExchange, 'transport' | 'operation'>,
  timeout: number,
) => number

/** The timeouts of an exchange, the name of its operation, and its headers. */
export interface McpExchangeOptions {
  operation?: string | undefined
  /** Milliseconds for the whole exchange. */
  timeout?: number | undefined
  /** Maximum milliseconds in which nothing is received; `timeout` by default. */
  idle?: number | undefined
  headers?: McpHeaders | undefined
}

export interface McpRequestOptions extends McpExchangeOptions {
  /** Sent as it is; by default the next number. */
  id?: RpcId | undefined
}

export interface McpSendOptions extends McpExchangeOptions {
  /**
   * The ids of the awaited responses. The exchange is over when each of them was received, or when
   * the HTTP response is complete. The default is the ids of the requests in the message, but
   * null if the message is not JSON-RPC, because an error about such a message has no id. With an
   * empty list, the exchange awaits no response.
   */
  awaits?: readonly RpcId[] | undefined
}

export interface McpInitializeOptions extends McpRequestOptions {
  /** 2025-11-25 by default. */
  protocolVersion?: string | undefined
  /** None by default. */
  capabilities?: Readonly<Record<string, unknown>> | undefined
  clientInfo?: Readonly<Record<string, unknown>> | undefined
  /** If false, notifications/initialized is not sent after a result. */
  initialized?: boolean | undefined
}

/**
 * An HTTP request without the usual headers of MCP. It has only `headers`, the headers of the
 * client, Accept-Encoding and Content-Length.
 */
export interface McpHttpRequest extends McpExchangeOptions {
  /** The transport whose URL is used; `http` by default. */
  transport?: 'http' | 'sse' | undefined
  /** Replaces the URL of the transport. */
  url?: string | undefined
  method: string
  /**
   * Strings and bytes are sent as they are, everything else as JSON. The caller sets Content-Type.
   */
  body?: unknown
  /** `head` ends the exchange after the status and headers, and closes the connection. */
  until?: 'head' | 'end' | undefined
}

/** The end of a subprocess by itself, while requests had no response. */
export interface McpEndInRequests {
  /** The operations of these requests, without secrets. */
  readonly operations: readonly string[]
  /** How it ended, as a sentence for people. */
  readonly why: string
}

/**
 * How a subprocess ended, and how many milliseconds that took:
 *
 * - `itself`: it ended before the suite closed it;
 * - `input`: it ended because its input was closed;
 * - `SIGTERM`, `SIGKILL`: this signal of the suite ended it.
 */
export interface McpExit {
  readonly by: 'itself' | 'input' | 'SIGTERM' | 'SIGKILL'
  readonly code?: number | undefined
  readonly signal?: string | undefined
  readonly milliseconds: number
}

/**
 * The connection of one client to a server. Several requests may be pending on it. No member throws
 * or rejects because of what a target does.
 */
export interface McpConnection {
  readonly transport: McpTransport
  /**
   * Why messages can no longer be sent; undefined while they can. Possible reasons: the process or
   * the event stream ended or could not be opened, or the connection was closed. Over streamable
   * HTTP, only `close` sets this, because there is no lasting connection that could fail.
   */
  readonly failure: McpFailure | undefined
  /** The failure as a sentence for people. */
  readonly why: string | undefined
  /**
   * The session id in the response to `initialize`, which all later requests contain (streamable
   * HTTP only). Checks may set it to undefined or to another id.
   */
  sessionId: string | undefined
  /**
   * The version in the result of `initialize`, which all later requests contain as
   * MCP-Protocol-Version (streamable HTTP only).
   */
  protocolVersion: string | undefined
  onRequest: McpHandler | undefined
  /** The latest 100,000 notifications and requests that were received, on any stream. */
  readonly received: readonly McpReceived[]
  /**
   * Responses that no pending request awaits: second or late ones, and those with an unknown id or
   * an id of another type.
   */
  readonly unmatchedResponses: readonly McpReceived[]
  /** Whether the process of the server ended by itself while a message had no response. */
  readonly hasEndedInMessage: boolean
  /** The call in which the server hangs, as `McpExchange.heldUpBy` describes. */
  readonly hangsIn: McpExchange | undefined
  /**
   * Violations of the framing on streams that all exchanges share. Each violation is also added to
   * all pending exchanges, or to the next exchange if none is pending.
   */
  readonly problems: readonly McpProblem[]
  /** The latest 65,536 characters of a subprocess's standard error. */
  readonly stderr: string
  /**
   * The GET exchange that opened the event stream. Over HTTP+SSE it exists from the beginning, over
   * streamable HTTP after `listen` was called.
   */
  readonly stream: McpExchange | undefined
  /** The data of the endpoint event (HTTP+SSE), as received. */
  readonly endpoint: string | undefined
  /** How the subprocess ended; undefined until the connection is closed. */
  readonly exit: McpExit | undefined
  /** What `onRequest` threw: an error of the suite, not of the target. */
  readonly mistake: unknown

  /**
   * Sends initialize and, after a result, notifications/initialized. Resolves with the exchange of
   * initialize. `onExchange` is called with both exchanges.
   */
  initialize(options?: McpInitializeOptions): Promise<McpExchange>
  /** Sends a request. Resolves when the response was received, or can no longer be received. */
  request(method: string, params?: unknown, options?: McpRequestOptions): Promise<McpExchange>
  /**
   * Sends a notification. Resolves when it is sent or, over HTTP, when the response is received.
   */
  notify(method: string, params?: unknown, options?: McpExchangeOptions): Promise<McpExchange>
  /**
   * Sends anything: strings and bytes as they are (plus a line feed over stdio), everything else as
   * JSON.
   */
  send(message: unknown, options?: McpSendOptions): Promise<McpExchange>
  /**
   * Opens the GET stream of streamable HTTP. Resolves when its status is known. Over HTTP+SSE,
   * resolves with the stream that is already open; over stdio, with undefined.
   */
  listen(
    options?: McpExchangeOptions & { lastEventId?: string | undefined },
  ): Promise<McpExchange | undefined>
  /**
   * Asks the server to end the session (DELETE). Later requests still contain the session id.
   * Resolves to undefined if the transport has no sessions.
   */
  terminate(options?: McpExchangeOptions): Promise<McpExchange | undefined>
  /**
   * Resolves with true as soon as the condition holds. Resolves with false after `within`
   * milliseconds, or when the connection is over. The condition is evaluated after each message.
   */
  until(condition: () => boolean, within: number): Promise<boolean>
  /**
   * Closes the connection. Pending exchanges fail, streams are closed, and an open session is
   * ended. The input of a subprocess is closed. If it still runs after 5 s, it gets SIGTERM, and
   * after 5 s more SIGKILL.
   */
  close(): Promise<void>
}
