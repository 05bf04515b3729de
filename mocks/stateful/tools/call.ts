import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Audit } from '../audit.ts'
import type { Guard, User } from './auth/guard.ts'
import type { ToolsChoices } from './choices.ts'
import type { MovableClock } from './clock.ts'
import type { ToolDescription } from './description.ts'
import type { Definition, JsonRpc, LogLevel, ToolResult } from './protocol.ts'
import type { ToolsRules } from './rules.ts'
import type { Library } from './library/data.ts'
import type { LibraryApi } from './upstream.ts'

export type TransportName = 'http' | 'sse' | 'stdio'
export type HttpTransportName = Exclude<TransportName, 'stdio'>

/** What all sessions share. Made once, when the server starts. */
export interface ToolsContext {
  /** The name that clients see: shelf_mcp. */
  readonly name: string
  choices: ToolsChoices
  rules: ToolsRules
  clock: MovableClock
  /** What the server offers in addition to the tools and resources of the library. */
  readonly fixtures: Fixtures | undefined
  /** The tools in the order of their list. */
  tools: readonly RunnableTool[]
  library: Library
  /** Restores the initial readers and loans, the clock and the upstream. */
  reset(): void
  upstream: LibraryApi
  deviations: DeviationPoints
  /** Logs tool calls, logins and requests for tokens. */
  readonly audit: Audit
  /** Authenticates requests over HTTP. */
  guard: Guard
  /** The transports that the HTTP server offers. */
  readonly transports: readonly HttpTransportName[]
  /** When the server started, in milliseconds since the epoch. */
  startedAt: number
  /** Sessions that have not ended, by their ids. */
  readonly sessions: Map<string, ToolsSession>
}

/** Tools, resources and methods that a server offers in addition to those of the library. */
export interface Fixtures {
  readonly tools: readonly RunnableTool[]
  readonly choices: Readonly<Partial<ToolsChoices>>
  readonly capabilities: Readonly<Record<string, object>>
  /** Resources and templates, as they are listed. */
  readonly resources: readonly object[]
  readonly templates: readonly object[]
  /** The content at a URI; undefined if there is none. */
  contentAt(uri: string): ResourceContent | undefined
  /** Handles a method that the fixtures add; undefined for all others. */
  handle(context: ToolsContext, method: string, params: Record<string, unknown>): object | undefined
}

/** The content of a resource: text, or bytes in Base64. */
export type ResourceContent = { mimeType: string } & ({ text: string } | { blob: string })

/** The session of one client. */
export interface ToolsSession {
  /** The session id in headers and URLs; undefined on stdio and without sessions. */
  id: string | undefined
  readonly transport: TransportName
  /** The login of the user who opened the session; undefined without authentication. */
  owner: string | undefined
  /** The capabilities of the client; empty before `initialize` and without sessions. */
  capabilities: Record<string, unknown>
  protocolVersion: string | undefined
  /** The minimum log level; undefined until the client sets it. */
  level: LogLevel | undefined
  /** Number of open streams for messages that are not responses; always 1 on stdio and sse. */
  openStreams: number
  /** Closes the session and all its streams. */
  close(): Promise<void>
}

/**
 * Messages that a tool can send besides its result. Nothing here throws if the client has
 * disconnected.
 */
export interface ClientMessages {
  /** Reports progress, if the caller sent a progress token: `done` of `all` steps. */
  progress(done: number, all: number, message: string): Promise<void>
  log(level: LogLevel, text: string): Promise<void>
  /** Asks the user; undefined if the client does not support elicitation. */
  elicit(
    message: string,
    requestedSchema: Record<string, unknown>,
  ): Promise<ElicitationResponse | undefined>
  /**
   * Sends `sampling/createMessage`, and returns the result; undefined if the client does not
   * support sampling, or refuses.
   */
  sample(params: Record<string, unknown>): Promise<Record<string, unknown> | undefined>
  /** Returns the text of one of the server's own resources. */
  read(uri: string): Promise<string>
}

export interface ElicitationResponse {
  action: string
  content?: Record<string, unknown> | undefined
}

/**
 * One tool call. A deviation may change any field before it calls `next`, or return a result
 * instead.
 */
export interface ToolCall<Args = Record<string, unknown>> {
  readonly tool: RunnableTool
  /** The arguments as received, without the nesting in `params`. */
  rawArguments: unknown
  /** The arguments with all defaults; empty before validation. */
  args: Args
  session: ToolsSession
  server: ToolsContext
  client: ClientMessages
  /** The user who calls; undefined without authentication. */
  readonly user: User | undefined
  /** Aborted when the client cancels the call. */
  signal: AbortSignal
}

export interface RunnableTool extends ToolDescription {
  run(call: ToolCall): Promise<ToolResult> | ToolResult
}

/**
 * Wraps calls of known tools: as `around`, the run of calls with valid input; as
 * `aroundValidation`, the validation and the run of every call. If the middleware throws, the
 * result is an unexpected error.
 */
export type ToolsMiddleware = (
  call: ToolCall,
  next: () => Promise<ToolResult>,
) => Promise<ToolResult>

/**
 * Called with every JSON-RPC message on every transport. Returns what replaces the message, which
 * may be invalid. Undefined drops the message; the caller of a dropped request or response waits.
 * If it returns several messages, all of them are sent in this order. If the original message is a
 * response, the stream of its request ends after the last of them. An HTTP response in JSON
 * contains only the last message.
 */
type MessageRewriter = (
  direction: 'in' | 'out',
  message: JsonRpc,
  source: MessageSource,
) => JsonRpc | JsonRpc[] | undefined

export interface MessageSource {
  transport: TransportName
  /** Undefined for the `initialize` request itself, on stdio, and without sessions. */
  session: string | undefined
}

/**
 * Intercepts HTTP requests. It may change headers of `request` (with `setHeader`), replace methods
 * of `response`, or respond itself.
 */
type HttpMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Handles a request. A thrown `Refusal` becomes a JSON-RPC error with its status. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Called with every line for stdout, without its line break. A returned string is written as a
 * line, bytes are written unchanged, undefined writes nothing.
 */
export type LineRewriter = (line: string) => string | Buffer | undefined

/** The functions by which deviations change the server. */
export interface DeviationPoints {
  /** Changes each entry of `tools/list` before it is sent. */
  definition?: (definition: Definition) => Definition
  /** Wraps calls whose input is valid. */
  around?: ToolsMiddleware
  /** Wraps the validation of the input, and the run that follows it. */
  aroundValidation?: ToolsMiddleware
  message?: MessageRewriter
  intercept?: HttpMiddleware
  lines?: LineRewriter
}
