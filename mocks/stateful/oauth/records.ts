import type { Reply } from '../http/reply.ts'

/** How a client authenticates at the token endpoint. */
export type ClientMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

export interface ClientRecord {
  id: string
  /** The digest of the client's secret; undefined for a public client. */
  secret?: string
  method: ClientMethod
  /** The name that the client registered. */
  name?: string
  /** The website that the client registered. */
  uri?: string
  redirectUris: readonly string[]
  grants: readonly string[]
  /** Seconds since the epoch. */
  issuedAt: number
}

/** A server that accepts access tokens of this server, and introspects them. */
export interface ResourceServer {
  id: string
  /** The digest of the resource server's secret. */
  secret: string
}

/** The user for whom tokens are issued. */
export interface ResourceOwner {
  login: string
  email?: string
  /** The token of the upstream identity provider, if there is one. */
  accessToken?: string
}

/** A validated request at /authorize. */
export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  /**
   * Whether the request contained redirect_uri. If not, `redirectUri` is the only registered URI.
   */
  hasRedirectUri: boolean
  scopes: readonly string[]
  /** The scopes of the request, some of which the server may not know. */
  requestedScopes: readonly string[]
  state?: string
  challenge?: string
  method?: 'S256' | 'plain'
  /** The resources of the token; empty for all resources of this server. */
  resources: readonly string[]
}

/** A request that waits for its user's decision. */
export interface PendingAuthorization {
  request: AuthorizationRequest
  /** The digest of the cookie of the browser that received the page. */
  browser: string
}

/**
 * A request whose user has decided, with the reply. A repeated decision receives the same reply.
 */
interface DecidedAuthorization extends PendingAuthorization {
  decision: string
  reply: Reply
}

/** What a user allowed. Kept while a token of the grant is valid. Contains no secret. */
interface Grant {
  id: string
  clientId: string
  login: string
  ended: boolean
  /** The scopes that the user allowed; only in a record of the user's consent. */
  scopes?: readonly string[]
}

interface GrantDetails {
  grantId: string
  clientId: string
  owner: ResourceOwner
  scopes: readonly string[]
  resources: readonly string[]
}

export interface Code extends GrantDetails {
  requestedScopes: readonly string[]
  redirectUri: string
  hasRedirectUri: boolean
  challenge?: string
  method?: 'S256' | 'plain'
  /** Milliseconds since the epoch. */
  expiresAt: number
  used: boolean
}

/** An access token or a refresh token. */
export interface Token extends GrantDetails {
  /** Milliseconds since the epoch. */
  issuedAt: number
  expiresAt: number
  /** For a refresh token: whether it was replaced. */
  used: boolean
  /** The refresh token that this one replaces. */
  replaces?: string
  /** For a refresh token: whether the one that replaced it was used. */
  superseded?: boolean
}

/** The user who signed in with a browser. */
export interface Login {
  login: string
}

/** All records by kind. */
export interface Records {
  client: ClientRecord
  pending: PendingAuthorization
  decided: DecidedAuthorization
  /**
   * A request whose user is at the upstream identity provider. The key is the state, or the digest
   * of the browser's cookie if no state is sent. `verifier` is set if PKCE is used.
   */
  upstreamLogin: PendingAuthorization & { verifier?: string }
  login: Login
  grant: Grant
  code: Code
  access: Token
  refresh: Token
}
