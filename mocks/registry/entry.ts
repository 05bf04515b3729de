import type { Timers } from '../kit/timers.ts'
import type { InitialData } from './initial-data.ts'
import type { Serving } from '../serving/serving.ts'
import type { AuditEntry } from '../stateful/audit.ts'

/**
 * Contract mocks generate responses from the OpenAPI documents and keep no state. Stateful mocks
 * keep state.
 */
export type MockKind = 'contract' | 'stateful'

export interface StartOptions {
  /** Ignored by mocks that have only one kind. */
  kind: MockKind
  /** One port for each host; 0 lets the system choose a free port. */
  ports: Record<string, number>
  /** Images only: the id of the account. */
  account?: string
  /** Hooks only: the id of the project. */
  project?: string
  /** Receiver only: the value that X-Hook-Token must have. */
  secret?: string
  /** Greeting only: the bearer token that callers must send. */
  token?: string
  /**
   * Greeting only, with TLS: the certificate authority (PEM) that must have signed the certificates
   * of callers.
   */
  clientCa?: string
  /** Tools only: the URL of the upstream API, instead of the built-in one. */
  upstream?: string
  /** Tools only: the transport to offer; by default both streamable HTTP and HTTP+SSE. */
  transport?: 'streamable_http' | 'sse'
  /** Tools only: whether streamable HTTP works without sessions. */
  stateless?: boolean
  /**
   * Tools only: whether to also offer the tools, resources and prompts that the MCP project's
   * conformance tool needs.
   */
  everything?: boolean
  /** Tools only: called with each entry of the audit log. */
  onAuditEntry?: (entry: AuditEntry) => void
  /** Tools only: the authentication pattern. */
  auth?: AuthPattern
  /**
   * Tools with jwt only: the secret that signs tokens, and the required values of `iss` and `aud`.
   */
  jwt?: { secret?: string; issuer?: string; audience?: string }
  /**
   * Tools with oauth-proxy only: the URL of the identity provider, instead of a built-in one, and
   * the scopes to request.
   */
  identity?: { url?: string; scopes?: readonly string[] }
  /**
   * Identity, and tools with oauth-proxy: the credentials of the tool server at the identity
   * provider.
   */
  credentials?: { clientId?: string; clientSecret?: string }
  /**
   * Tools with oauth-proxy or oauth-provider only: the file that keeps the state. If it is missing,
   * the state is kept in memory.
   */
  oauthKv?: string
  /**
   * Tools with oauth-proxy or oauth-provider only: the credentials of a server that may introspect
   * every access token.
   */
  resourceServer?: { id?: string; secret?: string }
  /** Tools with oauth-proxy only: false leaves consent to the identity provider. */
  consentScreen?: boolean
  /** Tools with oauth-proxy or oauth-provider only: whether clients may register dynamically. */
  clientRegistration?: boolean
  /** Identity only: whether to approve every login at once, or to show a sign-in page. */
  consent?: 'auto' | 'form'
  /** Stateful images only: the largest file that is accepted, in bytes. */
  maxFileBytes?: number
  /** Stateful images, hooks and tools: what the mock stores when it starts. */
  initial?: InitialData
  /** The address and certificate of the mock, which pages may use it, and which requests fail. */
  serving?: Serving
}

export const authPatterns = ['none', 'jwt', 'oauth-proxy', 'oauth-provider'] as const
export type AuthPattern = (typeof authPatterns)[number]

/** A running mock, and everything that is needed to use it or to test it. */
export interface Running {
  kind: MockKind
  /** Overrides the description of the mock's kind. */
  summary?: string
  /** For each host, its base URL, or its address and port if it has no URL. */
  urls: Record<string, string>
  /** Identifiers that requests need, such as the account of images and the project of hooks. */
  identifiers: Record<string, string>
  /** Tokens and secrets by purpose. */
  tokens: Record<string, string>
  /** For each host that requires a token, the key of that token in `tokens`. */
  tokenOf: Record<string, string>
  /** Whether clients get their tokens with OAuth. */
  usesOAuth?: boolean
  /** The names of its paths below `/_touchstone/`, except `reset`. */
  control?: readonly string[]
  /** Further lines of output, each with a heading. */
  notes: readonly [heading: string, text: string][]
  /**
   * Returns an example request, for curl or for another program. `others` are the mocks that were
   * started together with this one: the hooks mock, for example, delivers to their receiver.
   */
  example(others: StartedMocks): Example
  /** The section of a target file that describes the mock. */
  target?: Record<string, unknown>
  close(): Promise<void>
}

/** The running mocks by name. */
export type StartedMocks = ReadonlyMap<string, Running>

export type Example =
  | {
      url: string
      headers: Record<string, string>
      /** The body, as JSON or as the fields of a form. */
      json?: unknown
      form?: Record<string, string>
      /** Whether the response has no body, so that only its headers show something. */
      hasNoBody?: boolean
    }
  | { command: string; args: readonly string[] }

/** Options of the servers that `touchstone test` starts itself. */
export interface BundledOptions {
  auth: AuthPattern
  /**
   * The arguments of `node` that run the command `touchstone`, for a server that is a subprocess.
   */
  touchstoneArguments: readonly string[]
  /** Runs the timeouts of the server. */
  timers: Timers & {
    /** The time of these timers, in milliseconds. */
    now(): number
  }
}

/** A conforming server, with a target section in which every key is set. */
export interface Bundled {
  /** The target section that describes the server, as a parsed object: durations are numbers. */
  target: object
  /** Default settings of the suite: shorter waits, because everything runs on one machine. */
  suite?: object
  close(): Promise<void>
}

export interface Mock {
  title: string
  /** The names of its hosts, in the order of their ports. */
  hosts: readonly string[]
  firstPort: number
  /**
   * Loads the modules of the mock, and starts it. If a port is in use, rejects with an error that
   * has a `code` and the `port`.
   */
  start(options: StartOptions): Promise<Running>
  /**
   * Starts the mock on free ports, for `touchstone test` without a target. Missing if
   * `touchstone test` does not test this mock.
   */
  bundled?(options: BundledOptions): Promise<Bundled>
}
