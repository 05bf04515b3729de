import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Guard, User } from './auth/guard.ts'
import type { ToolsChoices } from './choices.ts'
import type { MovableClock } from './clock.ts'
import type { ToolDescription } from './description.ts'
import type { Definition, JsonRpc, LogLevel, ToolResult } from './protocol.ts'
import type { ToolsRules } from './rules.ts'
import type { Shelf } from './shelf/data.ts'
import type { LibraryApi } from './upstream.ts'

export type TransportName = 'http' | 'sse' | 'stdio'

/** What all sessions share: it is made once, when the server starts. */
export interface ToolsContext {
  /** As it is told to clients: shelf_mcp. */
  readonly name: string
  choices: ToolsChoices
  rules: ToolsRules
  clock: MovableClock
  /** The tools in the order of their list. */
  tools: readonly RunnableTool[]
  shelf: Shelf
  upstream: LibraryApi
  places: DeviationPoints
  /** Who may use the tools over HTTP. */
  guard: Guard
  /** When the server started, in milliseconds since the epoch. */
  startedAt: number
  /** Sessions that have not ended, by their ids. */
  readonly sessions: Map<string, ToolsSession>
}

/** One client. */
export interface ToolsSession {
  /** What it is called in headers and addresses; undefined on stdio, and without sessions. */
  id: string | undefined
  readonly transport: TransportName
  /** The login of the user who opened it; undefined where nobody was asked. */
  owner: string | undefined
  /** What the client said that it can do; empty before `initialize`, and without sessions. */
  capabilities: Record<string, unknown>
  protocolVersion: string | undefined
  /** The least severe level that it wants to hear of; undefined until it says so. */
  level: LogLevel | undefined
  /** Streams that it holds open to hear of what is no answer: always one on stdio and sse. */
  listening: number
  /** Ends it, with all its streams. */
  close(): Promise<void>
}

/** What a tool can do beside answering. Nothing here throws when the client has gone. */
export interface ClientMessages {
  /** Tells how far the call is, where its caller gave a token; `done` of `all` steps. */
  progress(done: number, all: number, message: string): Promise<void>
  log(level: LogLevel, text: string): Promise<void>
  /** Asks the user; undefined where the client cannot be asked. */
  elicit(message: string, requestedSchema: Record<string, unknown>): Promise<Elicited | undefined>
  /** Reads one of the server's own resources, as text. */
  read(uri: string): Promise<string>
}

export interface Elicited {
  action: string
  content?: Record<string, unknown> | undefined
}

/**
 * A tool call on its way to its handler. A deviation may change any field before it goes on, or
 * answer without going on.
 */
export interface ToolCall<Args = Record<string, unknown>> {
  readonly tool: RunnableTool
  /** The arguments as they came, taken out of `params` where they are nested. */
  given: unknown
  /** The arguments with all defaults; empty in front of validation. */
  args: Args
  session: ToolsSession
  server: ToolsContext
  talk: ClientMessages
  /** On whose behalf the call is made; undefined where nobody was asked. */
  readonly user: User | undefined
  /** Aborted when the client cancels the call. */
  signal: AbortSignal
}

export interface RunnableTool extends ToolDescription {
  run(call: ToolCall): Promise<ToolResult> | ToolResult
}

/**
 * Stands around every call that names a tool: with valid input, or (`before`) with any. What it
 * throws becomes an unexpected error.
 */
export type ToolsMiddleware = (
  call: ToolCall,
  next: () => Promise<ToolResult>,
) => Promise<ToolResult>

/**
 * Is shown every JSON-RPC message on every transport, and gives what takes its place. Nothing: it
 * is lost, and where it was a request or a response, its caller waits. Several: all go out, in
 * their order; where the message is a response, the stream of its request ends with the last of
 * them. Framed as JSON a response has room for one message only: the last. What goes out need be no
 * legal message.
 */
type Message = (
  direction: 'in' | 'out',
  message: JsonRpc,
  where: MessageSource,
) => JsonRpc | JsonRpc[] | undefined

export interface MessageSource {
  transport: TransportName
  /** Undefined for `initialize` itself on its way in, on stdio, and without sessions. */
  session: string | undefined
}

/**
 * Stands before the HTTP server. It may change headers of `request` (by `setHeader`), replace
 * methods of `response`, or answer alone.
 */
type Door = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * Serves what it is shown. What it throws as a `Refusal` becomes an error of JSON-RPC with that
 * status.
 */
export type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Is shown every line to stdout, without its end. A string goes out as a line, bytes as they are,
 * undefined not at all.
 */
export type LineRewriter = (line: string) => string | Buffer | undefined

/** Where deviations of the server stand. */
export interface DeviationPoints {
  /** Changes each entry of `tools/list` before it goes out. */
  definition?: (definition: Definition) => Definition
  around?: ToolsMiddleware
  before?: ToolsMiddleware
  message?: Message
  intercept?: Door
  lines?: LineRewriter
}
