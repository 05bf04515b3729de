import type { RuleRequirements } from '../../kit/requirements.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isSecret } from '../http/secret.ts'
import type { OAuthChoices } from './choices.ts'
import type {
  AuthorizationRequest,
  ClientRecord,
  ResourceServer,
  Code,
  PendingAuthorization,
  ResourceOwner,
  Token,
} from './records.ts'
import { isRegisteredRedirectUri, mayRegisterRedirectUri } from './redirects.ts'
import { digestOf, newSecret } from './seal.ts'
import type { UserStore } from './users.ts'

/**
 * The rules by which this server follows OAuth 2.1 (draft-ietf-oauth-v2-1-13) and related RFCs.
 * They include the limits of this server. Faults replace them one by one.
 */
export interface OAuthRules {
  /** Generates codes, tokens, states and other unguessable values. */
  newSecret(
    kind:
      | 'client'
      | 'secret'
      | 'pending'
      | 'state'
      | 'login'
      | 'browser'
      | 'verifier'
      | 'code'
      | 'access'
      | 'refresh',
  ): string
  /** Whether a parameter may occur this often. */
  mayRepeatParameter(name: string, times: number): boolean

  /**
   * Whether a client may register. `setting` is the server's option that allows registration, and
   * `metadata` the metadata of the client.
   */
  mayRegister(setting: boolean, metadata: Readonly<Record<string, unknown>>): boolean
  /** Whether redirect_uris is a non-empty list. */
  hasRedirectUris(uris: unknown): boolean
  /** Whether a redirect URI may be registered. */
  mayRegisterRedirectUri(uri: string, choices: OAuthChoices): boolean
  /** Whether a redirect URI is registered for the client. */
  isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean
  isResponseType(type: string): boolean
  /** The problem with the PKCE parameters of a request; undefined if they are valid. */
  pkceProblem(
    challenge: string | undefined,
    method: string,
    client: ClientRecord,
    choices: OAuthChoices,
  ): string | undefined
  /** The state to return to the client. */
  stateOf(request: AuthorizationRequest): string | undefined
  /**
   * Whether the user must be asked for consent. `allowed` contains the scopes that the user has
   * allowed this client before. It is undefined if there was no consent, or if consent is not
   * remembered.
   */
  asksUser(
    allowed: readonly string[] | undefined,
    request: AuthorizationRequest,
    browser: string | undefined,
  ): boolean
  /** Whether a client with these redirect URIs may omit redirect_uri. */
  mayOmitRedirectUri(registered: readonly string[]): boolean
  /** Whether a decision is also accepted as a GET request. */
  decidesByLink: boolean
  /** Whether a decision comes from the browser that received the page. */
  isFromConsentPage(
    pending: PendingAuthorization,
    browser: string | undefined,
    request: IncomingMessage,
    origin: string,
  ): boolean

  /** The user with this login and password. */
  authenticateUser(
    login: string,
    password: string,
    users: UserStore,
  ): Promise<ResourceOwner | undefined>

  /** The parameters for the authorization endpoint of the upstream identity provider. */
  upstreamParameters(parameters: Record<string, string>): Record<string, string>
  /** The state for the upstream identity provider; `newState` was just generated. */
  newUpstreamState(request: AuthorizationRequest, newState: string): string
  /** The form fields for the token endpoint of the upstream identity provider. */
  upstreamTokenFields(fields: Record<string, string>): Record<string, string>
  /** Whether the server can use tokens of this type from the upstream identity provider. */
  isUpstreamTokenType(type: unknown): boolean
  /**
   * The user for whom the upstream identity provider issued a code. `browser` is the cookie of the
   * user's browser.
   */
  fetchUpstreamUser(
    code: string,
    fetchUser: () => Promise<ResourceOwner>,
    browser: string | undefined,
  ): Promise<ResourceOwner>
  /** The headers of requests to the token endpoint of the upstream identity provider. */
  upstreamTokenHeaders(
    headers: Record<string, string>,
    fields: Record<string, string>,
  ): Record<string, string>
  /**
   * Whether the browser that returns from the identity provider is the browser that was redirected
   * there.
   */
  isSameBrowser(pending: PendingAuthorization, browser: string | undefined): boolean
  statesAreSingleUse: boolean

  /** The client to use for an unknown client id; undefined refuses the request. */
  clientForUnknownId(id: string | undefined): ClientRecord | undefined
  /** Whether a client's secret is correct. `secret` is undefined if none was sent. */
  isClientSecret(client: ClientRecord, secret: string | undefined): boolean
  /** Whether this is the secret of a server that introspects tokens. */
  isResourceServerSecret(server: ResourceServer, secret: string | undefined): boolean
  /** The grant type of a token request; `type` is the parameter grant_type. */
  grantTypeOf(type: string | undefined): string | undefined
  isCodeOfClient(code: Code, client: ClientRecord): boolean
  /**
   * Whether the redirect URI of a token request, if there is one, is the redirect URI of the code.
   */
  isRedirectUriOfCode(code: Code, redirectUri: string | undefined): boolean
  isCodeValid(code: Code, now: number): boolean
  /**
   * Whether a used code is refused. The choice `usedCodes` decides whether the server also revokes
   * the tokens that it issued for the code.
   */
  codesAreSingleUse: boolean
  isVerifierCorrect(code: Code, verifier: string | undefined): boolean
  isRefreshTokenOfClient(token: Token, client: ClientRecord): boolean
  /** Whether each use of a refresh token replaces the token. */
  rotatesRefreshTokens: boolean
  /** Whether a client may revoke a token. */
  mayRevoke(token: Token, client: ClientRecord): boolean
  /** Whether the requested scopes are within the granted ones. */
  mayRequestScopes(requested: readonly string[], granted: readonly string[]): boolean
  isTokenValid(token: Token, now: number): boolean
  codeSeconds: number
  accessSeconds: number
  refreshSeconds: number
  /** Time limit for the user's decision and for the login at the upstream identity provider. */
  pendingSeconds: number

  /** The bearer token of a request for a resource; undefined if there is none. */
  bearerTokenOf(request: IncomingMessage): string | undefined
  /**
   * Whether a URI in a request to an endpoint identifies one of the server's `resources`, which are
   * in lower case.
   */
  isResource(uri: string, resources: readonly string[], endpoint: 'authorize' | 'token'): boolean
  /** Whether a token is for a resource. */
  isTokenForResource(token: Token, resource: string): boolean
  /** The maximum number of requests of one address at one endpoint per minute. */
  requestsPerMinute: number
  /** The maximum number of registration requests of one address per hour. */
  registrationsPerHour: number
}

/** The URI with its scheme and its host in lower case. */
export const withLowerCase = (uri: string): string =>
  uri.replace(/^[a-z]+:\/\/[^/?#]*/i, (origin) => origin.toLowerCase())

const bearer = /^bearer +([\w.~+/-]+=*) *$/i
const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  )
const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

export const defaultRules: Readonly<OAuthRules> = Object.freeze<OAuthRules>({
  newSecret,
  mayRepeatParameter: (name, times) => times === 1 || name === 'resource',
  mayRegister: (setting) => setting,
  hasRedirectUris: (uris) =>
    Array.isArray(uris) && uris.length > 0 && uris.every((one) => typeof one === 'string'),
  mayRegisterRedirectUri,
  isRegisteredRedirectUri,
  isResponseType: (type) => type === 'code',
  pkceProblem(
    challenge,
    method,
    { method: clientAuthentication },
    { plainPkce, confidentialPkce },
  ) {
    if (challenge === undefined)
      return clientAuthentication === 'none' || confidentialPkce === 'required'
        ? 'code_challenge is missing'
        : undefined
    if (method !== 'S256' && !(method === 'plain' && plainPkce === 'accepted'))
      return 'code_challenge_method must be S256'
    return /^[\w.~-]{43,128}$/.test(challenge)
      ? undefined
      : 'code_challenge must be 43 to 128 unreserved characters'
  },
  stateOf: ({ state }) => state,
  asksUser: (allowed, { scopes }) =>
    allowed === undefined || !scopes.every((scope) => allowed.includes(scope)),
  mayOmitRedirectUri: ({ length }) => length === 1,
  decidesByLink: false,
  isFromConsentPage: ({ browser }, cookie, { headers: { origin } }, ownOrigin) =>
    cookie !== undefined &&
    isEqual(browser, digestOf(cookie)) &&
    (origin === undefined ||
      (URL.canParse(origin) && new URL(origin).host === new URL(ownOrigin).host)),
  authenticateUser: (login, password, users) => users.authenticate(login, password),
  upstreamParameters: (parameters) => parameters,
  newUpstreamState: (_request, newState) => newState,
  upstreamTokenFields: (fields) => fields,
  isUpstreamTokenType: (type) => typeof type === 'string' && type.toLowerCase() === 'bearer',
  fetchUpstreamUser: (_code, fetchUser) => fetchUser(),
  upstreamTokenHeaders: (headers) => headers,
  isSameBrowser: ({ browser }, cookie) =>
    cookie !== undefined && isEqual(browser, digestOf(cookie)),
  statesAreSingleUse: true,
  clientForUnknownId: () => undefined,
  isClientSecret: (client, secret) =>
    secret !== undefined && isSecret(digestOf(secret), client.secret ?? ''),
  isResourceServerSecret: (server, secret) =>
    secret !== undefined && isSecret(digestOf(secret), server.secret),
  grantTypeOf: (type) => type,
  isCodeOfClient: ({ clientId }, { id }) => clientId === id,
  isRedirectUriOfCode: (code, redirectUri) =>
    redirectUri === undefined || redirectUri === code.redirectUri,
  isCodeValid: ({ expiresAt }, now) => now < expiresAt,
  codesAreSingleUse: true,
  isVerifierCorrect({ challenge, method }, verifier) {
    if (challenge === undefined || verifier === undefined) return challenge === verifier
    return (
      /^[\w.~-]{43,128}$/.test(verifier) &&
      isEqual(challenge, method === 'plain' ? verifier : challengeOf(verifier))
    )
  },
  isRefreshTokenOfClient: ({ clientId }, { id }) => clientId === id,
  rotatesRefreshTokens: true,
  mayRevoke: ({ clientId }, { id }) => clientId === id,
  mayRequestScopes: (requested, granted) => requested.every((scope) => granted.includes(scope)),
  isTokenValid: ({ expiresAt }, now) => now < expiresAt,
  codeSeconds: 600,
  accessSeconds: 3600,
  refreshSeconds: 30 * 24 * 3600,
  pendingSeconds: 600,
  bearerTokenOf: ({ headers: { authorization } }) =>
    authorization === undefined ? undefined : bearer.exec(authorization)?.[1],
  isResource: (uri, resources) => resources.includes(withLowerCase(uri)),
  isTokenForResource: ({ resources }, resource) =>
    resources.length === 0 ||
    resources.some((one) => resource === one || resource.startsWith(`${one.replace(/\/$/, '')}/`)),
  requestsPerMinute: 3000,
  registrationsPerHour: 100_000,
})

export const ruleRequirements: RuleRequirements<OAuthRules> = {
  newSecret: ['AUTH-TOKEN-09', 'AUTH-REFRESH-03', 'AUTH-RESOURCE-03', 'AUTH-PROXY-09'],
  mayRepeatParameter: ['AUTH-TOKEN-16', 'AUTH-AUTHORIZE-18'],
  mayRegister: ['AUTH-REGISTER-09'],
  hasRedirectUris: ['AUTH-REGISTER-05'],
  mayRegisterRedirectUri: ['AUTH-REGISTER-06'],
  isRegisteredRedirectUri: ['AUTH-AUTHORIZE-05', 'AUTH-AUTHORIZE-08'],
  isResponseType: ['AUTH-AUTHORIZE-10'],
  pkceProblem: ['AUTH-AUTHORIZE-09'],
  stateOf: ['AUTH-AUTHORIZE-02'],
  asksUser: ['AUTH-CONSENT-01', 'AUTH-CONSENT-11'],
  mayOmitRedirectUri: ['AUTH-AUTHORIZE-07'],
  decidesByLink: ['AUTH-CONSENT-04'],
  isFromConsentPage: ['AUTH-CONSENT-04'],
  authenticateUser: ['AUTH-PROVIDER-02'],
  upstreamParameters: ['AUTH-PROXY-01', 'AUTH-PROXY-03', 'AUTH-PROXY-15'],
  newUpstreamState: ['AUTH-PROXY-09'],
  upstreamTokenFields: ['AUTH-PROXY-02'],
  isUpstreamTokenType: ['AUTH-PROXY-25'],
  upstreamTokenHeaders: ['AUTH-PROXY-22'],
  fetchUpstreamUser: ['AUTH-PROXY-05', 'AUTH-PROXY-16', 'AUTH-PROXY-18', 'AUTH-PROXY-21'],
  isSameBrowser: ['AUTH-PROXY-11'],
  statesAreSingleUse: ['AUTH-PROXY-17'],
  clientForUnknownId: ['AUTH-TOKEN-06'],
  isClientSecret: ['AUTH-TOKEN-07'],
  isResourceServerSecret: { none: 'the contract names no resource servers' },
  grantTypeOf: ['AUTH-TOKEN-15'],
  isCodeOfClient: ['AUTH-TOKEN-08'],
  isRedirectUriOfCode: ['AUTH-TOKEN-19'],
  isCodeValid: ['AUTH-TOKEN-12', 'AUTH-TOKEN-13'],
  codesAreSingleUse: ['AUTH-TOKEN-10', 'AUTH-TOKEN-11'],
  isVerifierCorrect: ['AUTH-TOKEN-04', 'AUTH-TOKEN-05'],
  isRefreshTokenOfClient: ['AUTH-REFRESH-02'],
  rotatesRefreshTokens: ['AUTH-REFRESH-05'],
  mayRevoke: ['AUTH-PROVIDER-09'],
  mayRequestScopes: ['AUTH-REFRESH-04'],
  isTokenValid: ['AUTH-REFRESH-06'],
  codeSeconds: ['AUTH-TOKEN-13'],
  accessSeconds: ['AUTH-TOKEN-03'],
  refreshSeconds: ['AUTH-REFRESH-01'],
  pendingSeconds: { none: 'a limit of this server' },
  bearerTokenOf: ['AUTH-RESOURCE-01', 'AUTH-RESOURCE-02', 'AUTH-RESOURCE-05', 'AUTH-RESOURCE-08'],
  isResource: ['AUTH-RESOURCE-10', 'AUTH-AUTHORIZE-24'],
  isTokenForResource: ['AUTH-RESOURCE-01'],
  requestsPerMinute: ['AUTH-PRACTICE-02'],
  registrationsPerHour: { none: 'a limit of this server' },
}
