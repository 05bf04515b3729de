import type {
  McpExit,
  McpHandler,
  McpInitializeOptions,
  McpPatience,
  McpRequestOptions,
  McpSendOptions,
} from './api.ts'
import type { McpExchange, McpFailure, McpReceived } from './exchange.ts'
import type { McpProblem } from './jsonrpc.ts'
import type { McpTransport } from './places.ts'

/** One client's connection to a server. Any number of requests may be under way on it. Nothing of it throws or rejects for what a target does. */
export interface McpConnection {
  readonly transport: McpTransport
  /** Why nothing can be sent any more (no process, no event stream, closed); undefined while it can. Streamable HTTP has no connection that could fail. */
  readonly failure: McpFailure | undefined
  /** The same in words. */
  readonly why: string | undefined
  /** From the answer to initialize, and sent ever after (streamable HTTP only). Set it to undefined, or to another, to see what the server says. */
  sessionId: string | undefined
  /** From the result of initialize; sent as MCP-Protocol-Version ever after (streamable HTTP only). */
  protocolVersion: string | undefined
  onRequest: McpHandler | undefined
  /** Every notification and request that came, on whatever stream; the latest 100,000. */
  readonly received: readonly McpReceived[]
  /** Responses that no request under way was waiting for: foreign ids, ids of another type, second ones, late ones. */
  readonly strays: readonly McpReceived[]
  /** What breaks the framing on streams that belong to no single exchange; exchanges that were under way have it too, and so has the next one where none was. */
  readonly problems: readonly McpProblem[]
  /** What a subprocess wrote to its standard error, the latest 64 KiB. */
  readonly stderr: string
  /** The event stream's own GET: of HTTP+SSE from the beginning, of streamable HTTP after `listen`. */
  readonly stream: McpExchange | undefined
  /** The data of the endpoint event (HTTP+SSE), as it came. */
  readonly endpoint: string | undefined
  /** How the subprocess ended. */
  readonly exit: McpExit | undefined
  /** What went wrong in `onRequest`: an error of the suite, not of the target. */
  readonly mistake: unknown

  /** Sends initialize and, after a result, notifications/initialized. Gives the first of them; `heard` is told of both. */
  initialize(options?: McpInitializeOptions): Promise<McpExchange>
  /** Sends a request; resolves with its response, or when there will be none. */
  request(method: string, params?: unknown, options?: McpRequestOptions): Promise<McpExchange>
  /** Sends a notification; resolves when it is sent, over HTTP when it is answered. */
  notify(method: string, params?: unknown, options?: McpPatience): Promise<McpExchange>
  /** Sends anything: text and bytes as they are (a line feed is added for stdio), everything else as JSON. */
  send(message: unknown, options?: McpSendOptions): Promise<McpExchange>
  /** Opens the GET stream of streamable HTTP, with Last-Event-ID where one is given; resolves when its status is known. Over the others it gives the stream that there is, if any. */
  listen(
    options?: McpPatience & { lastEventId?: string | undefined },
  ): Promise<McpExchange | undefined>
  /** Asks the server to end the session (DELETE), whose id is still sent after that. Undefined where the transport has none. */
  terminate(options?: McpPatience): Promise<McpExchange | undefined>
  /** Resolves with true as soon as the condition holds, looked at after each message that comes; with false after so many milliseconds, or when the connection is over. */
  until(condition: () => boolean, within: number): Promise<boolean>
  /**
   * Ends it: whatever is under way has failed, streams are closed, a session that nobody has terminated is ended. A subprocess has its input closed, and is
   * sent SIGTERM and SIGKILL after 5 s each. Resolves when all that is done.
   */
  close(): Promise<void>
}
