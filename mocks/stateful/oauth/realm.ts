import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import type { Audit } from '../audit.ts'
import type { OAuthChoices } from './choices.ts'
import { escapeHtml, page } from './page.ts'
import type { Parameters } from './parameters.ts'
import type { AuthorizationRequest, ResourceServer } from './records.ts'
import type { OAuthRules } from './rules.ts'
import type { UpstreamProvider } from './upstream.ts'
import type { UserStore } from './users.ts'
import type { Vault } from './vault.ts'

export type Endpoint =
  | 'authorize'
  | 'consent'
  | 'callback'
  | 'token'
  | 'register'
  | 'introspect'
  | 'revoke'
  | 'server metadata'
  | 'resource metadata'
  | 'resource'

/**
 * Called with every reply of every endpoint; for the endpoint `resource`, only with refusals.
 * Returns the reply to send instead. `request` contains the parameters of the query or form, if
 * they could be read.
 */
export type ReplyMiddleware = (
  endpoint: Endpoint,
  reply: Reply,
  request: { incoming: IncomingMessage; parameters: Parameters | undefined },
) => Reply | Promise<Reply>

/** A scope, and a description for users. */
export interface Scope {
  name: string
  description: string
}

/** Where users come from: the server's own store, or an upstream identity provider. */
export type IdentitySource =
  | { kind: 'own'; users: UserStore }
  | { kind: 'upstream'; upstream: UpstreamProvider; consentScreen: boolean }

/** What all endpoints share. */
export interface Realm {
  /** The issuer: the server's origin, without a trailing slash. */
  origin: string
  /** The server's name on its pages. */
  name: string
  /** Milliseconds since the epoch. */
  now(): number
  choices: OAuthChoices
  rules: OAuthRules
  changeReply: ReplyMiddleware | undefined
  vault: Vault
  audit: Audit
  identity: IdentitySource
  scopes: readonly Scope[]
  /** The paths of the protected resources. */
  resources: readonly string[]
  /** The servers that may introspect every access token. */
  resourceServers: readonly ResourceServer[]
  /** Whether clients may register dynamically. */
  registration: boolean
}

/** The time `seconds` from now, as milliseconds since the epoch. */
export const expiryIn = ({ now }: Realm, seconds: number): number => now() + seconds * 1000

/** The issuer in metadata and responses. */
export const issuerOf = ({
  origin,
  choices: { issuerSlash },
}: Pick<Realm, 'origin' | 'choices'>): string => (issuerSlash ? `${origin}/` : origin)

/** Redirects the user's browser to the client. */
export function redirectToClient(
  realm: Realm,
  request: AuthorizationRequest,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
  separator: '?' | '#' = '?',
): Reply {
  const { choices, rules } = realm
  const reply = redirect(
    choices,
    request.redirectUri,
    {
      ...parameters,
      state: rules.stateOf(request),
      ...(choices.includesIssuer ? { iss: issuerOf(realm) } : {}),
    },
    headers,
    separator,
  )
  return choices.redirectMethod === 'by a redirect' ? reply : redirectPage(reply)
}

/** Replaces a redirect with a page that redirects. */
function redirectPage({ headers: { Location = '', ...headers } = {} }: Reply): Reply {
  const url = escapeHtml(String(Location))
  return page(
    200,
    'One moment',
    `<meta http-equiv="refresh" content="0;url=${url}">\n<p><a href="${url}">Go back to the application</a></p>`,
    headers as Record<string, string>,
  )
}

export function redirect(
  { redirectStatus, normalisesRedirect }: OAuthChoices,
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  headers: Record<string, string> = {},
  separator: '?' | '#' = '?',
): Reply {
  const query = new URLSearchParams(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const [base = '', fragment = ''] = uri.split(/(?=#)/s)
  const inQuery = `${base}${base.includes('?') ? '&' : '?'}${query}${fragment}`
  const url = separator === '#' ? `${base}#${query}` : inQuery
  const location = normalisesRedirect ? new URL(url).href : url
  return {
    status: redirectStatus,
    headers: {
      Location: location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      ...headers,
    },
  }
}
