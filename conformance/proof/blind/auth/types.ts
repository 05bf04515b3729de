/** The three authentication patterns that a server can be started with. */
export type Pattern = 'jwt' | 'oauth-proxy' | 'oauth-provider'

export interface SwitchEntry {
  readonly name: string
  readonly kind: 'choice' | 'violation'
  readonly pattern: Pattern
  /** The heading of the document, or the section of the standard. */
  readonly where: string
  readonly does: string
}

export interface ToolCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** How this server is known to the upstream identity provider. */
export interface UpstreamClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
}

export interface Started {
  readonly mcpUrl: string
  readonly origin: string
  /** The tool that returns the login and email of the caller. */
  readonly whoami: ToolCall
  close(): Promise<void>

  /** Pattern jwt only. */
  readonly secret?: string
  readonly issuer?: string
  readonly audience?: string

  /** Patterns oauth-proxy and oauth-provider only. */
  readonly form?: Readonly<Record<string, string>>
  readonly clockUrl?: string
  readonly registration?: boolean

  /** Pattern oauth-proxy only. */
  readonly upstream?: UpstreamClient
  readonly identityControlUrl?: string
}

/** What a tool knows about its caller. */
export interface User {
  readonly login: string
  readonly email: string
  /** The access token of the upstream provider; never shown to a client. */
  readonly accessToken?: string
}
