/** Contract mocks answer from the documents and remember nothing; stateful mocks remember. */
export type MockKind = 'contract' | 'stateful'

export interface StartOptions {
  /** A mock that there is in one kind only is started in that kind. */
  kind: MockKind
  /** One port for each host; 0 lets the system choose. */
  ports: Record<string, number>
  /** Images only. */
  account?: string
  /** Hooks only. */
  project?: string
  /** The receiver only: what X-Hook-Token has to be. */
  secret?: string
  /** Greeting only: what callers have to send as a bearer token. */
  token?: string
  /** Greeting only: whether it is served over TLS, and the authority of callers' certificates as PEM where they have to show one. */
  tls?: boolean | { clientCa: string }
  /** Tools only: the URL of the API behind them, in place of the built-in one. */
  upstream?: string
  /** Tools only: whether streamable HTTP does without sessions. */
  stateless?: boolean
  /** Tools only: which pattern of authentication. */
  auth?: AuthPattern
  /** Tools with jwt only: what tokens are signed with, and what `iss` and `aud` have to be. */
  jwt?: { secret?: string; issuer?: string; audience?: string }
  /** Tools with oauth-proxy only: where the identity provider is, in place of a built-in one, and what is asked for there. */
  identity?: { url?: string; scopes?: readonly string[] }
  /** Identity, and tools with oauth-proxy: who the tool server is at the identity provider. */
  credentials?: { clientId?: string; clientSecret?: string }
  /** Tools with oauth-proxy or oauth-provider only: the file in which the state is kept; in memory where it is not given. */
  oauthKv?: string
  /** Tools with oauth-proxy only: false leaves the question to the identity provider. */
  consentScreen?: boolean
  /** Tools with oauth-proxy or oauth-provider only: whether clients may register by themselves. */
  clientRegistration?: boolean
  /** Identity only: whether everybody is let in at once, or signs in on a page. */
  consent?: 'auto' | 'form'
  /** Stateful images only. */
  maxFileBytes?: number
  /** Stateful mocks only: how long every answer is held back. */
  delayMs?: number
}

export const authPatterns = ['none', 'jwt', 'oauth-proxy', 'oauth-provider'] as const
export type AuthPattern = (typeof authPatterns)[number]

/** A mock that runs, and what somebody has to know to use or to judge it. */
export interface Running {
  kind: MockKind
  /** What it does, where the words for its kind do not fit. */
  says?: string
  /** The base URL of each host; host and port where there is none. */
  urls: Record<string, string>
  /** What there is of its own by name: the account of images, the project of hooks. */
  owns: Record<string, string>
  /** Tokens and secrets, each by what it is for. */
  tokens: Record<string, string>
  /** For each host that takes a token, which of them. */
  tokenOf: Record<string, string>
  /** Further lines for people, each with a heading. */
  notes: readonly [heading: string, text: string][]
  /** A request that shows that it works, by curl or by another program. */
  example:
    | { url: string; headers: Record<string, string>; json?: unknown }
    | { command: string; args: readonly string[] }
  /** The section of a target file that describes it, where there is one. */
  target?: Record<string, unknown>
  close(): Promise<void>
}

/** How `touchstone test` wants the servers that it starts itself. */
export interface BundledOptions {
  auth: AuthPattern
  /** The arguments with which Node.js starts the command `touchstone`, for a server that is a subprocess. */
  touchstone: readonly string[]
}

/** A correct server that has everything a target can name. */
export interface Bundled {
  /** The section of a target that describes it, as code gives one. */
  target: object
  /** Settings of the suite, where nothing else is given: waits that are long enough on one machine. */
  suite?: object
  close(): Promise<void>
}

export interface Mock {
  title: string
  /** Its hosts in the order of their ports. */
  hosts: readonly string[]
  firstPort: number
  /** Starts it, loading what it needs only now. A taken port rejects with `code`, and `port` says which. */
  start(options: StartOptions): Promise<Running>
  /** Starts it on free ports for `touchstone test` without a target; missing for what is not judged. */
  bundled?(options: BundledOptions): Promise<Bundled>
}
