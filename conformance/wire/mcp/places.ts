import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../engine/index.ts'

/** How a server is reached: streamable HTTP, HTTP+SSE (2024-11-05), or a subprocess with newline-delimited messages. */
export type McpTransport = 'http' | 'sse' | 'stdio'

/** A subprocess to start, without a shell. It has the environment of the suite, and what is given here. */
export interface StdioCommand {
  command: string
  args?: readonly string[] | undefined
  env?: Readonly<Record<string, string>> | undefined
  cwd?: string | undefined
}

/** How a subprocess, or what stands for one, came to its end. */
export interface PipesEnd {
  /** Exit code, where it ended by itself. */
  code?: number | undefined
  /** The signal that ended it. */
  signal?: string | undefined
  /** Why it never began. */
  failure?: string | undefined
}

/** A subprocess that speaks on its streams, or what stands for one. */
export interface Pipes {
  /** Its standard input. */
  readonly input: Writable
  /** Its standard output. */
  readonly output: Readable
  /** Its standard error. */
  readonly errors?: Readable | undefined
  /** Resolves when it has ended; never rejects. */
  readonly closed: Promise<PipesEnd>
  /** Ends it by force, the first time gently. Whoever speaks with it has ended its input before that. */
  close(force?: boolean): void | Promise<void>
}

/** In a target file a command; in code also a function that gives the streams. */
export type StdioPlace = StdioCommand | { connect(): Pipes }

/** What the door needs of a target file. */
export interface McpAccess {
  /** URL of the one endpoint of streamable HTTP. */
  http?: string | undefined
  /** URL of the event stream of HTTP+SSE. */
  sse?: string | undefined
  stdio?: StdioPlace | undefined
  /** Sent with every HTTP request. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** What a connection has from its door. */
export interface McpSettings {
  readonly access: McpAccess
  readonly clock: Clock
  /** Milliseconds for an exchange that says nothing else. */
  readonly timeout: number
  /** Bytes that are read at most: of one HTTP body, one line, one event. */
  readonly maxBytes: number
  readonly number: () => number
  readonly redact: (text: string) => string
}
