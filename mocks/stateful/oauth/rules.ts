import type { RuleRequirements } from '../../kit/requirements.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isSecret } from '../http/secret.ts'
import type { OAuthChoices } from './choices.ts'
import type {
  AuthorizationRequest,
  ClientRecord,
  Code,
  Pending,
  ResourceOwner,
  Token,
} from './records.ts'
import { isRegistered, mayBeRegistered } from './redirects.ts'
import { digestOf, newSecret } from './seal.ts'
import type { UserStore } from './users.ts'

/** What OAuth 2.1 (draft-ietf-oauth-v2-1-13) and the RFCs beside it demand, and the bounds of this server; replaced one by one by faults. */
export interface OAuthRules {
  /** Codes, tokens, states, and whatever else nobody may guess. */
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
  /** Whether a parameter may come this often. */
  mayRepeat(name: string, times: number): boolean

  /** Whether a client may register, by the setting and by what it says of itself. */
  mayRegister(setting: boolean, metadata: Readonly<Record<string, unknown>>): boolean
  /** Whether redirect_uris is a list with something in it. */
  hasRedirects(uris: unknown): boolean
  /** Whether a redirect URI may be registered. */
  mayBeRegistered(uri: string, choices: OAuthChoices): boolean
  /** Whether a redirect URI is one of the client's. */
  isRegistered(given: string, registered: readonly string[]): boolean
  responseType(type: string): boolean
  /** What is wrong with the PKCE of a request; undefined where nothing is. */
  pkce(
    challenge: string | undefined,
    method: string,
    client: ClientRecord,
    choices: OAuthChoices,
  ): string | undefined
  /** The state that goes back to the client. */
  state(request: AuthorizationRequest): string | undefined
  /** Whether a user has to be asked. `allowed`: the same user has allowed the same client before, and servers may remember that. */
  asks(allowed: boolean, request: AuthorizationRequest, browser: string | undefined): boolean
  /** Whether a request may go without redirect_uri, of a client with these. */
  mayOmitRedirect(registered: readonly string[]): boolean
  /** Whether a decision may be made by a link. */
  decidesByLink: boolean
  /** Whether a decision comes from the browser that was shown the page. */
  decides(
    pending: Pending,
    browser: string | undefined,
    request: IncomingMessage,
    origin: string,
  ): boolean

  /** Who signs in with a login and a password. */
  signsIn(login: string, password: string, users: UserStore): Promise<ResourceOwner | undefined>

  /** What the upstream identity provider is asked, as the parameters of its authorization endpoint. */
  sentUpstream(parameters: Record<string, string>): Record<string, string>
  /** The state with which it is asked, of one that was just made. */
  stateUpstream(request: AuthorizationRequest, fresh: string): string
  /** With what a code is brought to its token endpoint. */
  broughtUpstream(fields: Record<string, string>): Record<string, string>
  /** The user for whom it gave a code. */
  userUpstream(code: string, ask: () => Promise<ResourceOwner>): Promise<ResourceOwner>
  /** Whether whoever comes back from there is the browser that left. */
  comesBack(pending: Pending, browser: string | undefined): boolean
  statesWorkOnce: boolean

  /** Who a client is that is not known. */
  stranger(id: string | undefined): ClientRecord | undefined
  /** Whether a client's secret is the right one; undefined where none came. */
  authenticates(client: ClientRecord, secret: string | undefined): boolean
  /** What a request at the token endpoint asks for. */
  grantOf(type: string | undefined): string | undefined
  codeIsFor(code: Code, client: ClientRecord): boolean
  /** Whether a redirect URI at the token endpoint, where one is given, is that of the code. */
  codeReturnsTo(code: Code, given: string | undefined): boolean
  codeLasts(code: Code, now: number): boolean
  /** Whether a used code is refused, and ends what it gave. */
  codesWorkOnce: boolean
  verifies(code: Code, verifier: string | undefined): boolean
  refreshIsFor(token: Token, client: ClientRecord): boolean
  /** Whether each use of a refresh token replaces it. */
  rotates: boolean
  /** The scopes of a new token, where others may not be had. */
  mayNarrow(asked: readonly string[], granted: readonly string[]): boolean
  tokenLasts(token: Token, now: number): boolean
  codeSeconds: number
  accessSeconds: number
  refreshSeconds: number
  /** How long a user may take to decide, and to come back from the upstream identity provider. */
  pendingSeconds: number

  /** The token with which a resource is asked for; undefined where there is none. */
  bearerOf(request: IncomingMessage): string | undefined
  /** Whether a token is for a resource. */
  isFor(token: Token, resource: string): boolean
  /** Requests that one address may make at one endpoint in a minute. */
  requestsPerMinute: number
}

const bearer = /^bearer +([\w.~+/-]+=*) *$/i
const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  )
const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

export const defaultRules: Readonly<OAuthRules> = Object.freeze<OAuthRules>({
  newSecret,
  mayRepeat: (name, times) => times === 1 || name === 'resource',
  mayRegister: (setting) => setting,
  hasRedirects: (uris) =>
    Array.isArray(uris) && uris.length > 0 && uris.every((one) => typeof one === 'string'),
  mayBeRegistered,
  isRegistered,
  responseType: (type) => type === 'code',
  pkce(challenge, method, { method: proof }, { plainPkce, confidentialPkce }) {
    if (challenge === undefined)
      return proof === 'none' || confidentialPkce === 'required'
        ? 'code_challenge is missing'
        : undefined
    if (method !== 'S256' && !(method === 'plain' && plainPkce === 'taken'))
      return 'code_challenge_method has to be S256'
    return /^[\w.~-]{43,128}$/.test(challenge)
      ? undefined
      : 'code_challenge has to be 43 to 128 characters of the unreserved ones'
  },
  state: ({ state }) => state,
  asks: (allowed) => !allowed,
  mayOmitRedirect: ({ length }) => length === 1,
  decidesByLink: false,
  decides: ({ browser }, given, { headers: { origin } }, own) =>
    given !== undefined &&
    sameText(browser, digestOf(given)) &&
    (origin === undefined || (URL.canParse(origin) && new URL(origin).host === new URL(own).host)),
  signsIn: (login, password, users) => users.find(login, password),
  sentUpstream: (parameters) => parameters,
  stateUpstream: (_request, fresh) => fresh,
  broughtUpstream: (fields) => fields,
  userUpstream: (_code, ask) => ask(),
  comesBack: ({ browser }, given) => given !== undefined && sameText(browser, digestOf(given)),
  statesWorkOnce: true,
  stranger: () => undefined,
  authenticates: ({ secret }, given) =>
    given !== undefined && isSecret(digestOf(given), secret ?? ''),
  grantOf: (type) => type,
  codeIsFor: ({ clientId }, { id }) => clientId === id,
  codeReturnsTo: ({ redirectUri }, given) => given === undefined || given === redirectUri,
  codeLasts: ({ expiresAt }, now) => now < expiresAt,
  codesWorkOnce: true,
  verifies({ challenge, method }, verifier) {
    if (challenge === undefined || verifier === undefined) return challenge === verifier
    return (
      /^[\w.~-]{43,128}$/.test(verifier) &&
      sameText(challenge, method === 'plain' ? verifier : challengeOf(verifier))
    )
  },
  refreshIsFor: ({ clientId }, { id }) => clientId === id,
  rotates: true,
  mayNarrow: (asked, granted) => asked.every((scope) => granted.includes(scope)),
  tokenLasts: ({ expiresAt }, now) => now < expiresAt,
  codeSeconds: 60,
  accessSeconds: 3600,
  refreshSeconds: 30 * 24 * 3600,
  pendingSeconds: 600,
  bearerOf: ({ headers: { authorization } }) =>
    authorization === undefined ? undefined : bearer.exec(authorization)?.[1],
  isFor: ({ resources }, resource) =>
    resources.length === 0 ||
    resources.some((one) => resource === one || resource.startsWith(`${one.replace(/\/$/, '')}/`)),
  requestsPerMinute: 3000,
})

export const ruleRequirements: RuleRequirements<OAuthRules> = {
  newSecret: ['AUTH-TOKEN-09', 'AUTH-REFRESH-03', 'AUTH-RESOURCE-03', 'AUTH-PROXY-09'],
  mayRepeat: ['AUTH-TOKEN-16'],
  mayRegister: ['AUTH-REGISTER-09'],
  hasRedirects: ['AUTH-REGISTER-05'],
  mayBeRegistered: ['AUTH-REGISTER-06'],
  isRegistered: ['AUTH-AUTHORIZE-05', 'AUTH-AUTHORIZE-08'],
  responseType: ['AUTH-AUTHORIZE-10'],
  pkce: ['AUTH-AUTHORIZE-09'],
  state: ['AUTH-AUTHORIZE-02'],
  asks: ['AUTH-CONSENT-01'],
  mayOmitRedirect: ['AUTH-AUTHORIZE-07'],
  decidesByLink: ['AUTH-CONSENT-04'],
  decides: ['AUTH-CONSENT-04'],
  signsIn: ['AUTH-PROVIDER-02'],
  sentUpstream: ['AUTH-PROXY-01', 'AUTH-PROXY-03', 'AUTH-PROXY-15'],
  stateUpstream: ['AUTH-PROXY-09'],
  broughtUpstream: ['AUTH-PROXY-02'],
  userUpstream: ['AUTH-PROXY-05', 'AUTH-PROXY-16', 'AUTH-PROXY-18'],
  comesBack: ['AUTH-PROXY-11'],
  statesWorkOnce: ['AUTH-PROXY-17'],
  stranger: ['AUTH-TOKEN-06'],
  authenticates: ['AUTH-TOKEN-07'],
  grantOf: ['AUTH-TOKEN-15'],
  codeIsFor: ['AUTH-TOKEN-08'],
  codeReturnsTo: ['AUTH-TOKEN-19'],
  codeLasts: ['AUTH-TOKEN-12', 'AUTH-TOKEN-13'],
  codesWorkOnce: ['AUTH-TOKEN-10', 'AUTH-TOKEN-11'],
  verifies: ['AUTH-TOKEN-04', 'AUTH-TOKEN-05'],
  refreshIsFor: ['AUTH-REFRESH-02'],
  rotates: ['AUTH-REFRESH-05'],
  mayNarrow: ['AUTH-REFRESH-04'],
  tokenLasts: ['AUTH-REFRESH-06'],
  codeSeconds: ['AUTH-TOKEN-13'],
  accessSeconds: ['AUTH-TOKEN-03'],
  refreshSeconds: ['AUTH-REFRESH-01'],
  pendingSeconds: { none: 'a bound of this server' },
  bearerOf: ['AUTH-RESOURCE-01', 'AUTH-RESOURCE-02', 'AUTH-RESOURCE-05', 'AUTH-RESOURCE-08'],
  isFor: ['AUTH-RESOURCE-01'],
  requestsPerMinute: ['AUTH-PRACTICE-02'],
}
