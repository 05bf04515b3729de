import type { McpExchange } from './exchange.ts'
import type { RpcError, RpcId } from './jsonrpc.ts'

/** What a request of the server is answered with. `silence` leaves it without an answer. */
export type McpReply = { result: unknown } | { error: RpcError } | 'silence'

/** A request of the server, such as elicitation/create. */
export interface McpServerRequest {
  readonly id: RpcId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Answers requests of the server. Where it gives undefined, ping is answered with an empty result, and everything else with -32601. */
export type McpHandler = (
  request: McpServerRequest,
) => McpReply | undefined | Promise<McpReply | undefined>

export interface McpConnectOptions {
  onRequest?: McpHandler | undefined
  /** Told of every exchange when it is over, also of those that the connection makes by itself: initialized, replies, the event stream, the end of a session. */
  heard?: ((exchange: McpExchange) => void) | undefined
  /** Milliseconds until the connection must stand (the endpoint event of HTTP+SSE), and for its exchanges; the door's where it is not given. */
  timeout?: number | undefined
  /** Sent with every HTTP request of the connection. A name without a value takes a header of the door away. */
  headers?: McpHeaders | undefined
}

/** Headers beside, or in place of, those that the connection sends. A name without a value takes a header away. */
export type McpHeaders = Readonly<Record<string, string | undefined>>

/** How long an exchange may take, and what it is called. */
export interface McpPatience {
  operation?: string | undefined
  /** Milliseconds for the whole of it. */
  timeout?: number | undefined
  /** Milliseconds for which nothing may come; as many as the whole may take where it is not given. */
  idle?: number | undefined
  headers?: McpHeaders | undefined
}

export interface McpRequestOptions extends McpPatience {
  /** Sent as it is. A number that counts where it is not given. */
  id?: RpcId | undefined
}

export interface McpSendOptions extends McpPatience {
  /**
   * The ids with which responses are awaited; the exchange is over when there is one for each. Where nothing is given: the ids of the requests in what is
   * sent; or null where it is no JSON at all, since an error for it has no id. An empty list waits for nothing. Over HTTP, a complete answer ends it anyway.
   */
  awaits?: readonly RpcId[] | undefined
}

export interface McpInitializeOptions extends McpRequestOptions {
  /** 2025-11-25 where it is not given. */
  protocolVersion?: string | undefined
  /** None where it is not given. */
  capabilities?: Readonly<Record<string, unknown>> | undefined
  clientInfo?: Readonly<Record<string, unknown>> | undefined
  /** False to leave out notifications/initialized, which else follows a result. */
  initialized?: boolean | undefined
}

/** A bare HTTP request, with no header but the given ones, those of the door, and Accept-Encoding. */
export interface McpHttpRequest extends McpPatience {
  /** Whose URL; `http` where it is not given. */
  transport?: 'http' | 'sse' | undefined
  /** In place of that URL. */
  url?: string | undefined
  method: string
  /** Text and bytes go out as they are, everything else as JSON. Content-Type is for whoever asks to give. */
  body?: unknown
  /** `head` to be content with status and headers: the rest is not read, and the connection ends. */
  until?: 'head' | 'end' | undefined
}

/** How a subprocess was brought to its end, and how long that took in milliseconds: it ended by itself, when its input was closed, or by a signal. */
export interface McpExit {
  readonly by: 'itself' | 'input' | 'SIGTERM' | 'SIGKILL'
  readonly code?: number | undefined
  readonly signal?: string | undefined
  readonly milliseconds: number
}
