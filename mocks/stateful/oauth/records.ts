import type { Reply } from '../http/reply.ts'

/** How a client authenticates at the token endpoint. */
export type ClientMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

export interface ClientRecord {
  id: string
  /** The digest of its secret; undefined for a public client. */
  secret?: string
  method: ClientMethod
  /** The name that it registered. */
  name?: string
  /** The website that it registered. */
  uri?: string
  redirectUris: readonly string[]
  grants: readonly string[]
  /** Seconds since the epoch. */
  issuedAt: number
}

/** A server that accepts tokens of this server, and asks about them. */
export interface ResourceServer {
  id: string
  /** The digest of its secret. */
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
  /** Whether the request contained redirect_uri; otherwise it is the only registered one. */
  hasRedirectUri: boolean
  scopes: readonly string[]
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

/** A request whose user has decided, and the reply, which a repeated decision receives as well. */
interface DecidedAuthorization extends PendingAuthorization {
  decision: string
  reply: Reply
}

/** What a user allowed, kept while one of its tokens is valid. Contains no secret. */
interface Grant {
  id: string
  clientId: string
  login: string
  ended: boolean
  /** The scopes that the user allowed, if it records consent. */
  scopes?: readonly string[]
}

interface GrantDetails {
  grantId: string
  clientId: string
  subject: ResourceOwner
  scopes: readonly string[]
  resources: readonly string[]
}

export interface Code extends GrantDetails {
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
   * A request whose user is at the upstream identity provider, by its state; `verifier` is set if
   * PKCE is used.
   */
  upstreamLogin: PendingAuthorization & { verifier?: string }
  login: Login
  grant: Grant
  code: Code
  access: Token
  refresh: Token
}
