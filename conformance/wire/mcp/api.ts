import type { McpExchange, McpFailure, McpReceived, McpTransport } from './exchange.ts'
import type { McpProblem, RpcErrorObject, RpcId } from './framing.ts'
import type { Pipes, StdioCommand } from './process.ts'

/** In a target file, a command. Code may also pass a function that returns the server's streams. */
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
 * Answers requests of the server. If it returns undefined, ping is answered with an empty result,
 * and any other request with error -32601 (method not found).
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
   * Milliseconds for opening the connection (over HTTP+SSE until the endpoint event), and for each
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
   * The ids of the awaited responses. The exchange is over when a response to each id was received,
   * or when the HTTP response is complete. By default these are the ids of the requests in the
   * message. If the message is not JSON-RPC, it is null, because an error about such a message has
   * no id. With an empty list, the exchange awaits no response.
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
  /** `head` ends the exchange after status and headers, and closes the connection. */
  until?: 'head' | 'end' | undefined
}

/**
 * How a subprocess ended, and how many milliseconds that took. `itself`: it had ended before it was
 * closed. `input`: it ended because its input was closed. Otherwise a signal of the suite ended it.
 */
export interface McpExit {
  readonly by: 'itself' | 'input' | 'SIGTERM' | 'SIGKILL'
  readonly code?: number | undefined
  readonly signal?: string | undefined
  readonly milliseconds: number
}

/**
 * The connection of one client to a server. Any number of requests may be pending on it. No member
 * throws or rejects because of what a target does.
 */
export interface McpConnection {
  readonly transport: McpTransport
  /**
   * Why nothing can be sent any more: the process or the event stream has ended or was never
   * opened, or the connection was closed. Undefined while messages can be sent. Over streamable
   * HTTP only `close` sets it, because there is no lasting connection that could fail.
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
   * Responses that no pending request awaits: with an unknown id, with an id of another type,
   * second responses, or late ones.
   */
  readonly unmatchedResponses: readonly McpReceived[]
  /**
   * Violations of the framing on streams that all exchanges share. Each is also added to all
   * pending exchanges, or to the next exchange if none is pending.
   */
  readonly problems: readonly McpProblem[]
  /** What a subprocess wrote to its standard error, the latest 65,536 characters. */
  readonly stderr: string
  /**
   * The GET exchange that opened the event stream. Over HTTP+SSE it exists from the beginning, over
   * streamable HTTP after `listen`.
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
   * initialize; `onExchange` is called with both.
   */
  initialize(options?: McpInitializeOptions): Promise<McpExchange>
  /** Sends a request. Resolves when the response was received, or when none can follow. */
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
   * Closes the connection: pending exchanges fail, streams are closed, and a session that is still
   * open is ended. For a subprocess, its input is closed. If it still runs after 5 s, it gets
   * SIGTERM, and after 5 s more SIGKILL.
   */
  close(): Promise<void>
}
