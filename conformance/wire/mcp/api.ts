import type { McpExchange, McpFailure, McpReceived, McpTransport } from './exchange.ts'
import type { McpProblem, RpcErrorObject, RpcId } from './framing.ts'
import type { Pipes, StdioCommand } from './process.ts'

/** A target file has a command; code may also pass a function that returns the streams. */
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

/** The reply to a request of the server. `silence` sends none. */
export type McpReply = { result: unknown } | { error: RpcErrorObject } | 'silence'

/** A request of the server, such as elicitation/create. */
export interface McpServerRequest {
  readonly id: RpcId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Answers requests of the server. If it returns undefined, ping is answered with an empty result,
 * and everything else with -32601.
 */
export type McpHandler = (
  request: McpServerRequest,
) => McpReply | undefined | Promise<McpReply | undefined>

export interface McpConnectOptions {
  onRequest?: McpHandler | undefined
  /**
   * Called with every exchange when it is over, including those that the connection sends by
   * itself: initialized, replies, the event stream, the end of a session.
   */
  onExchange?: ((exchange: McpExchange) => void) | undefined
  /**
   * Milliseconds for opening the connection (the endpoint event of HTTP+SSE), and for each
   * exchange. The client's timeout by default.
   */
  timeout?: number | undefined
  /** Sent with every HTTP request of the connection. `undefined` removes a header of the client. */
  headers?: McpHeaders | undefined
}

/** Headers that are added to, or replace, those of the connection. `undefined` removes a header. */
export type McpHeaders = Readonly<Record<string, string | undefined>>

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
   * The ids of the awaited responses: the exchange is over when there is one for each. By default
   * the ids of the requests in the message, or null if the message is not JSON, since an error for
   * it has no id. An empty list waits for nothing. A complete HTTP response ends the exchange
   * anyway.
   */
  awaits?: readonly RpcId[] | undefined
}

export interface McpInitializeOptions extends McpRequestOptions {
  /** 2025-11-25 by default. */
  protocolVersion?: string | undefined
  /** None by default. */
  capabilities?: Readonly<Record<string, unknown>> | undefined
  clientInfo?: Readonly<Record<string, unknown>> | undefined
  /** False does not send notifications/initialized after a result. */
  initialized?: boolean | undefined
}

/** A bare HTTP request: no headers but `headers`, those of the client, and Accept-Encoding. */
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
  /** `head` ends the exchange after status and headers, and closes the connection. */
  until?: 'head' | 'end' | undefined
}

/** What ended a subprocess when it was closed, and how long that took in milliseconds. */
export interface McpExit {
  readonly by: 'itself' | 'input' | 'SIGTERM' | 'SIGKILL'
  readonly code?: number | undefined
  readonly signal?: string | undefined
  readonly milliseconds: number
}

/**
 * The connection of one client to a server. Any number of requests may be under way on it. No
 * member throws or rejects because of what a target does.
 */
export interface McpConnection {
  readonly transport: McpTransport
  /**
   * Why nothing can be sent any more: no process, no event stream, closed. Undefined while messages
   * can be sent. Streamable HTTP has no connection that could fail.
   */
  readonly failure: McpFailure | undefined
  /** The failure in words. */
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
  /** Every notification and request that was received, on any stream; the latest 100,000. */
  readonly received: readonly McpReceived[]
  /**
   * Responses that no pending request awaits: unknown ids, ids of another type, second or late
   * ones.
   */
  readonly unmatchedResponses: readonly McpReceived[]
  /**
   * What breaks the framing on streams that belong to no single exchange. The pending exchanges
   * have these problems too, or the next exchange if none is pending.
   */
  readonly problems: readonly McpProblem[]
  /** What a subprocess wrote to its standard error, the latest 64 KiB. */
  readonly stderr: string
  /**
   * The GET of the event stream: of HTTP+SSE from the beginning, of streamable HTTP after `listen`.
   */
  readonly stream: McpExchange | undefined
  /** The data of the endpoint event (HTTP+SSE), as received. */
  readonly endpoint: string | undefined
  /** How the subprocess ended. */
  readonly exit: McpExit | undefined
  /** What `onRequest` threw: an error of the suite, not of the target. */
  readonly mistake: unknown

  /**
   * Sends initialize and, after a result, notifications/initialized. Resolves with the exchange of
   * initialize; `onExchange` is called with both.
   */
  initialize(options?: McpInitializeOptions): Promise<McpExchange>
  /** Sends a request; resolves with its response, or when there will be none. */
  request(method: string, params?: unknown, options?: McpRequestOptions): Promise<McpExchange>
  /**
   * Sends a notification; resolves when it is sent or, over HTTP, when the response is received.
   */
  notify(method: string, params?: unknown, options?: McpExchangeOptions): Promise<McpExchange>
  /**
   * Sends anything: strings and bytes as they are (plus a line feed over stdio), everything else as
   * JSON.
   */
  send(message: unknown, options?: McpSendOptions): Promise<McpExchange>
  /**
   * Opens the GET stream of streamable HTTP; resolves when its status is known. Over HTTP+SSE it
   * resolves with the stream that is open already, over stdio with undefined.
   */
  listen(
    options?: McpExchangeOptions & { lastEventId?: string | undefined },
  ): Promise<McpExchange | undefined>
  /**
   * Asks the server to end the session (DELETE); the session id is still sent after that. Undefined
   * if the transport has no sessions.
   */
  terminate(options?: McpExchangeOptions): Promise<McpExchange | undefined>
  /**
   * Resolves with true as soon as the condition holds, which is evaluated after each message; with
   * false after `within` milliseconds, or when the connection is over.
   */
  until(condition: () => boolean, within: number): Promise<boolean>
  /**
   * Closes the connection: pending exchanges fail, streams are closed, a session that is still open
   * is ended. The input of a subprocess is closed, then it is sent SIGTERM and SIGKILL, after 5 s
   * each.
   */
  close(): Promise<void>
}
