import type { Outbound } from './outbound.ts'
import type { IsOn } from './switches.ts'
import type { UpstreamClient, User } from './types.ts'

export interface Client {
  readonly id: string
  readonly secret?: string
  /** Seconds since 1970, or 0 when the secret does not expire. */
  readonly secretExpiresAt: number
  readonly name: string
  redirectUris: readonly string[]
  /** Set by switches only: every redirect URI is accepted. */
  readonly anyRedirect: boolean
  readonly authMethod: string
  readonly grantTypes: readonly string[]
  readonly scopes: readonly string[]
  exchanges: number
}

/** An authorization request that waits for the user. */
export interface Transaction {
  readonly id: string
  browser: string
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
  readonly responseType: string
  scopes: readonly string[]
  /** The request named its scopes itself. */
  readonly scopesRequested: boolean
  readonly challenge: string | undefined
  readonly challengeMethod: string
  readonly resource: string
  readonly expiresAt: number
  welcomed: boolean
  user: User | undefined
  approved: boolean
  wrongPasswords: number
  upstreamVerifier: string | undefined
}

/** What a user allowed to a client: the root of a code and its tokens. */
export interface Grant {
  readonly id: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly scopesRequested: boolean
  readonly resource: string
  readonly user: User
  revoked: boolean
  refreshes: number
}

export interface Code {
  readonly value: string
  readonly grant: Grant
  readonly redirectUri: string
  readonly challenge: string | undefined
  readonly challengeMethod: string
  readonly expiresAt: number
  usedAt: number | undefined
}

export interface AccessToken {
  readonly value: string
  readonly grant: Grant
  user: User
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number
  revoked: boolean
}

export interface RefreshToken {
  readonly value: string
  readonly grant: Grant
  scopes: readonly string[]
  rotated: boolean
  usesAfterRotation: number
}

/** What the server remembers of one browser (cookie). */
export interface Browser {
  user: User | undefined
  /** Approved scopes by client id. */
  readonly approvals: Map<string, Set<string>>
  latest: Transaction | undefined
}

/** The key-value store for the OAuth state. */
export class OAuthStore {
  readonly clients = new Map<string, Client>()
  readonly transactions = new Map<string, Transaction>()
  readonly upstreamStates = new Map<string, Transaction>()
  readonly browsers = new Map<string, Browser>()
  readonly codes = new Map<string, Code>()
  readonly accessTokens = new Map<string, AccessToken>()
  readonly refreshTokens = new Map<string, RefreshToken>()
  /** Registration responses by the path of their client configuration endpoint. */
  readonly managed = new Map<string, Record<string, unknown>>()
  /** Public clients by their metadata; used by a switch only. */
  readonly clientsByMetadata = new Map<string, Client>()
  readonly tokenRequestTimes: number[] = []
  firstUser: User | undefined
  latestUser: User | undefined
  counter = 1000

  browser(id: string): Browser {
    let browser = this.browsers.get(id)
    if (browser === undefined) {
      browser = { user: undefined, approvals: new Map(), latest: undefined }
      this.browsers.set(id, browser)
    }
    return browser
  }
}

export interface Account {
  readonly username: string
  readonly password: string
  readonly user: User
}

export interface OAuthEnv {
  readonly on: IsOn
  readonly pattern: 'oauth-proxy' | 'oauth-provider'
  readonly origin: string
  readonly mcpUrl: string
  /** The server's clock in milliseconds. */
  readonly now: () => number
  readonly registration: boolean
  readonly scopes: readonly string[]
  readonly accounts: readonly Account[]
  /** The store is bound under this name. */
  readonly OAUTH_KV: OAuthStore
  readonly upstream: UpstreamClient
  /** The base URL of the upstream identity provider at this moment. */
  readonly identityBase: () => string
  readonly outbound: Outbound
}

export const cookieName = 'desk_browser'

export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

export function isConfidential(client: Client): boolean {
  return client.secret !== undefined
}
