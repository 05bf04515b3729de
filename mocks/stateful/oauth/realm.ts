import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import type { Audit } from './audit.ts'
import type { OAuthChoices } from './choices.ts'
import { escaped, page } from './page.ts'
import type { Parameters } from './parameters.ts'
import type { AuthorizationRequest } from './records.ts'
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
 * Is shown every answer of every endpoint (of `resource`: refusals only), and gives what takes its place. `request` has the parameters of
 * its query or form, where it has any that could be read.
 */
export type ReplyMiddleware = (
  endpoint: Endpoint,
  reply: Reply,
  request: { incoming: IncomingMessage; parameters: Parameters | undefined },
) => Reply | Promise<Reply>

/** A scope, and what it lets a client do, in words for its user. */
export interface Scope {
  name: string
  says: string
}

/** How users are known: from a store of one's own, or by an upstream identity provider. */
export type IdentitySource =
  | { kind: 'own'; users: UserStore }
  | { kind: 'upstream'; upstream: UpstreamProvider; consentScreen: boolean }

/** What all endpoints share. */
export interface Realm {
  /** The issuer: where the server is, without a slash at its end. */
  origin: string
  /** What the server is called on its pages. */
  name: string
  /** Milliseconds since the epoch. */
  now(): number
  choices: OAuthChoices
  rules: OAuthRules
  answered: ReplyMiddleware | undefined
  vault: Vault
  audit: Audit
  identity: IdentitySource
  scopes: readonly Scope[]
  /** The paths at which there is something to use tokens for. */
  resources: readonly string[]
  /** Whether clients may register by themselves. */
  registration: boolean
}

/** Milliseconds since the epoch, so many seconds from now. */
export const inSeconds = ({ now }: Realm, seconds: number): number => now() + seconds * 1000

/** The issuer, as the metadata and the answers tell it. */
export const issuerOf = ({
  origin,
  choices: { issuerSlash },
}: Pick<Realm, 'origin' | 'choices'>): string => (issuerSlash ? `${origin}/` : origin)

/** Sends the browser of a user to where the client waits. */
export function sendBack(
  realm: Realm,
  request: AuthorizationRequest,
  told: Record<string, string>,
  headers: Record<string, string> = {},
  mark: '?' | '#' = '?',
): Reply {
  const { choices, rules } = realm
  const reply = redirect(
    choices,
    request.redirectUri,
    {
      ...told,
      state: rules.state(request),
      ...(choices.tellsIssuer ? { iss: issuerOf(realm) } : {}),
    },
    headers,
    mark,
  )
  return choices.returns === 'by a redirect' ? reply : leadingOn(reply)
}

/** The same way, by a page that leads on by itself. */
function leadingOn({ headers: { Location = '', ...headers } = {} }: Reply): Reply {
  const url = escaped(String(Location))
  return page(
    200,
    'One moment',
    `<meta http-equiv="refresh" content="0;url=${url}">\n<p><a href="${url}">Go back to the application</a></p>`,
    headers as Record<string, string>,
  )
}

export function redirect(
  { redirectStatus, writtenAnew }: OAuthChoices,
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  headers: Record<string, string> = {},
  mark: '?' | '#' = '?',
): Reply {
  const given = new URLSearchParams(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const [place = '', fragment = ''] = uri.split(/(?=#)/s)
  const inQuery = `${place}${place.includes('?') ? '&' : '?'}${given}${fragment}`
  const written = mark === '#' ? `${place}#${given}` : inQuery
  const location = writtenAnew ? new URL(written).href : written
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
