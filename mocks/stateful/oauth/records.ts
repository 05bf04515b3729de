/** How a client proves who it is at the token endpoint. */
export type ClientMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

export interface ClientRecord {
  id: string
  /** Digest of its secret; a public client has none. */
  secret?: string
  method: ClientMethod
  /** What it calls itself. */
  name?: string
  /** Where it says that more about it is to be read. */
  uri?: string
  redirectUris: readonly string[]
  grants: readonly string[]
  /** Seconds since the epoch. */
  issuedAt: number
}

/** On whose behalf tokens are given. */
export interface ResourceOwner {
  login: string
  email?: string
  /** Of the upstream identity provider, where there is one. */
  accessToken?: string
}

/** What a client asked for at /authorize, checked. */
export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  /** Whether it came with the request, or is the only one that was registered. */
  redirectGiven: boolean
  scopes: readonly string[]
  state?: string
  challenge?: string
  method?: 'S256' | 'plain'
  /** The resources that the token is for; none: all of this server. */
  resources: readonly string[]
}

/** A request that waits for its user, and the browser in which it waits. */
export interface Pending {
  request: AuthorizationRequest
  browser: string
}

/** What a user allowed, for as long as one of its tokens works. Holds no secret. */
interface Grant {
  id: string
  clientId: string
  login: string
  ended: boolean
}

interface OfGrant {
  grantId: string
  clientId: string
  subject: ResourceOwner
  scopes: readonly string[]
  resources: readonly string[]
}

export interface Code extends OfGrant {
  redirectUri: string
  redirectGiven: boolean
  challenge?: string
  method?: 'S256' | 'plain'
  /** Milliseconds since the epoch. */
  expiresAt: number
  used: boolean
}

/** An access token or a refresh token. */
export interface Token extends OfGrant {
  /** Milliseconds since the epoch. */
  issuedAt: number
  expiresAt: number
  /** Of a refresh token: whether another has taken its place. */
  used: boolean
}

/** Who signed in, in one browser. */
export interface Login {
  login: string
}

/** Everything that is kept, by the kind of its key. */
export interface Records {
  client: ClientRecord
  pending: Pending
  /** A request that is at the upstream identity provider, by the state that went there; `verifier` proves that it comes from here, where PKCE is used. */
  away: Pending & { verifier?: string }
  login: Login
  grant: Grant
  code: Code
  access: Token
  refresh: Token
}
