import type { IncomingMessage } from 'node:http'
import type { Reply } from '../../http/reply.ts'
import { newAudit, type Audit, type Entry } from '../../oauth/audit.ts'
import { defaultChoices, type OAuthChoices } from '../../oauth/choices.ts'
import { resourceMetadataUrl } from '../../oauth/metadata.ts'
import type { ReplyMiddleware, IdentitySource, Realm, Scope } from '../../oauth/realm.ts'
import type { ClientRecord } from '../../oauth/records.ts'
import { defaultRules, type OAuthRules } from '../../oauth/rules.ts'
import { newEndpoints } from '../../oauth/server.ts'
import { works } from '../../oauth/status.ts'
import { memoryStore, type KeyValueStore } from '../../oauth/store.ts'
import { newUpstream, type UpstreamProviderOptions } from '../../oauth/upstream.ts'
import { newUsers, type NewUser } from '../../oauth/users.ts'
import { newVault } from '../../oauth/vault.ts'
import type { ToolsClock } from '../clock.ts'
import { pathOf, type Admission, type Guard } from './guard.ts'

/** What patterns 3 and 4 have in common. */
interface OAuthOptions {
  /** Where all state is kept; in memory where it is not given. */
  env?: { OAUTH_KV?: KeyValueStore }
  /** Clients that need not register. */
  clients?: readonly ClientRecord[]
  /** Whether clients may register by themselves; they may where it is not given. */
  allowDynamicClientRegistration?: boolean
  choices?: Partial<OAuthChoices>
  rules?: Partial<OAuthRules>
  /** Where faults stand that change answers. */
  answered?: ReplyMiddleware
  /** Is shown what happens, without secrets. */
  heard?: (entry: Entry) => void
}

/** Pattern 4: the server knows its users itself. */
export interface ProviderOptions extends OAuthOptions {
  pattern: 'oauth-provider'
  users?: readonly NewUser[]
  /** What hashing one password costs, as scrypt's N; 16384 where it is not given. */
  passwordCost?: number
}

/** Pattern 3: an upstream identity provider knows them. */
export interface ProxyOptions extends OAuthOptions {
  pattern: 'oauth-proxy'
  /** The state's store, and who this server is at the upstream identity provider. */
  env: { OAUTH_KV?: KeyValueStore; CLIENT_ID: string; CLIENT_SECRET: string }
  upstream: Omit<UpstreamProviderOptions, 'clientId' | 'clientSecret'>
  /** Whether users are asked before they go there; they are where it is not given. */
  allowConsentScreen?: boolean
}

export interface OAuthGuard extends Guard {
  readonly pattern: 'oauth-proxy' | 'oauth-provider'
  readonly audit: Audit
  /** Sends users to another identity provider, with /authorize, /token and /user; without a URL to the first one again. Nothing happens where there is none. */
  sendTo(url: string | undefined): void
}

/** The user of a mock to which nobody gave others. */
export const commonUser: NewUser = {
  login: 'ada',
  email: 'ada@shelf.example',
  password: 'ada-password',
}

const scopes: readonly Scope[] = [
  { name: 'shelf:read', says: 'See books, readers, loans and rules' },
  { name: 'shelf:write', says: 'Lend books, end loans and change readers' },
]

export async function newOAuthGuard(
  options: ProviderOptions | ProxyOptions,
  { now }: ToolsClock,
): Promise<OAuthGuard> {
  const audit = newAudit(now, options.heard)
  const realm: Realm = {
    origin: 'http://127.0.0.1',
    name: 'shelf_mcp',
    now,
    audit,
    scopes,
    choices: { ...defaultChoices, ...options.choices },
    rules: { ...defaultRules, ...options.rules },
    answered: options.answered,
    vault: newVault(options.env?.OAUTH_KV ?? memoryStore(now)),
    identity: await identityOf(options),
    resources: ['/mcp', '/sse'],
    registration: options.allowDynamicClientRegistration ?? true,
  }
  for (const client of options.clients ?? []) await realm.vault.put('client', client.id, client)
  return {
    pattern: options.pattern,
    audit,
    opened(origin) {
      realm.origin = origin
    },
    sendTo(url) {
      if (options.pattern !== 'oauth-proxy' || realm.identity.kind !== 'upstream') return
      const other =
        url === undefined
          ? {}
          : { authorizeUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userUrl: `${url}/user` }
      realm.identity = {
        ...realm.identity,
        upstream: upstreamOf({ ...options, upstream: { ...options.upstream, ...other } }),
      }
    },
    own: newEndpoints(realm),
    admit: (request) => admitted(realm, request),
  }
}

async function identityOf(options: ProviderOptions | ProxyOptions): Promise<IdentitySource> {
  if (options.pattern === 'oauth-provider')
    return {
      kind: 'own',
      users: await newUsers(options.users ?? [commonUser], options.passwordCost),
    }
  if (options.env.CLIENT_ID === '' || options.env.CLIENT_SECRET === '')
    throw new RangeError(
      'CLIENT_ID and CLIENT_SECRET have to be those of this server at the identity provider',
    )
  return {
    kind: 'upstream',
    upstream: upstreamOf(options),
    consentScreen: options.allowConsentScreen ?? true,
  }
}

const upstreamOf = ({
  env: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
  upstream,
}: ProxyOptions) => newUpstream({ ...upstream, clientId, clientSecret })

/** RFC 6750: a token in the header, and nowhere else. */
async function admitted(realm: Realm, request: IncomingMessage): Promise<Admission> {
  const { rules, vault, audit, origin } = realm
  const path = pathOf(request)
  const resource = path === '/messages' ? '/sse' : path
  const given = rules.bearerOf(request)
  const token = given === undefined ? undefined : await vault.get('access', given)
  if (
    token !== undefined &&
    rules.isFor(token, `${origin}${resource}`) &&
    (await works(realm, token))
  ) {
    const {
      subject: { login, email, accessToken },
      scopes: allowed,
    } = token
    return { user: { login, email, accessToken, scopes: allowed } }
  }
  audit.note({
    event: 'resource',
    outcome: 'refused',
    client: token?.clientId,
    reason: given === undefined ? 'no token' : 'invalid_token',
  })
  const reply = refusal(realm, resource, given !== undefined)
  return {
    reply:
      (await realm.answered?.('resource', reply, { incoming: request, parameters: undefined })) ??
      reply,
  }
}

function refusal(realm: Realm, resource: string, isInvalid: boolean): Reply {
  const told = [
    ...(isInvalid
      ? [
          'error="invalid_token"',
          'error_description="The token is not known, has ended, or is for something else"',
        ]
      : []),
    ...(realm.choices.resourceMetadata
      ? [`resource_metadata="${resourceMetadataUrl(realm, resource)}"`]
      : []),
  ]
  return {
    status: 401,
    headers: { 'WWW-Authenticate': ['Bearer', told.join(', ')].join(' ').trim() },
    body: isInvalid
      ? {
          error: 'invalid_token',
          error_description: 'The token is not known, has ended, or is for something else',
        }
      : { error: 'unauthorized', error_description: 'A token is needed' },
  }
}
