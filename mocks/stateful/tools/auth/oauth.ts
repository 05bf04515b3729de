import type { IncomingMessage } from 'node:http'
import { note } from '../../../serving/notes.ts'
import type { Reply } from '../../http/reply.ts'
import { defaultChoices, type OAuthChoices } from '../../oauth/choices.ts'
import { resourceMetadataUrl } from '../../oauth/metadata.ts'
import type { ReplyMiddleware, IdentitySource, Realm, Scope } from '../../oauth/realm.ts'
import type { ClientRecord } from '../../oauth/records.ts'
import { defaultRules, type OAuthRules } from '../../oauth/rules.ts'
import { newEndpoints } from '../../oauth/server.ts'
import { digestOf } from '../../oauth/seal.ts'
import { isActive } from '../../oauth/token-status.ts'
import { memoryStore, type KeyValueStore } from '../../oauth/store.ts'
import { newUpstream, type UpstreamProviderOptions } from '../../oauth/upstream.ts'
import { newUsers, type NewUser } from '../../oauth/users.ts'
import { newVault } from '../../oauth/vault.ts'
import { pathOf, type Admission, type Guard, type GuardContext } from './guard.ts'

/** The options of both OAuth patterns. */
interface OAuthOptions {
  /** The store of all OAuth state; by default in memory. */
  env?: { OAUTH_KV?: KeyValueStore }
  /** Preregistered clients. */
  clients?: readonly ClientRecord[]
  /** The credentials of servers that may introspect every access token; by default none. */
  resourceServers?: readonly { id: string; secret: string }[]
  /** Whether clients may register dynamically; by default true. */
  allowDynamicClientRegistration?: boolean
  choices?: Partial<OAuthChoices>
  rules?: Partial<OAuthRules>
  /** Changes replies, to build a server with a deliberate defect. */
  changeReply?: ReplyMiddleware
}

/** The pattern oauth-provider: the server has its own users. */
export interface ProviderOptions extends OAuthOptions {
  pattern: 'oauth-provider'
  users?: readonly NewUser[]
  /** The cost of hashing a password, scrypt's N; by default 16384. */
  passwordCost?: number
}

/** The pattern oauth-proxy: users sign in at an upstream identity provider. */
export interface ProxyOptions extends OAuthOptions {
  pattern: 'oauth-proxy'
  /**
   * The store of all OAuth state, and the credentials of this server at the upstream identity
   * provider.
   */
  env: { OAUTH_KV?: KeyValueStore; CLIENT_ID: string; CLIENT_SECRET: string }
  upstream: Omit<UpstreamProviderOptions, 'clientId' | 'clientSecret'>
  /**
   * Whether a consent page is shown before the login at the upstream identity provider; by default
   * true.
   */
  allowConsentScreen?: boolean
}

export interface OAuthGuard extends Guard {
  readonly pattern: 'oauth-proxy' | 'oauth-provider'
  /**
   * Changes the identity provider: the new one has the endpoints /authorize, /token and /user below
   * this URL. Undefined restores the initial provider. Does nothing in the pattern oauth-provider.
   */
  useIdentityProvider(url: string | undefined): void
}

/** The default user of a mock. */
export const defaultUser: NewUser = {
  login: 'ada',
  email: 'ada@shelf.example',
  password: 'ada-password',
}

const scopes: readonly Scope[] = [
  { name: 'shelf:read', description: 'See books, readers, loans and rules' },
  { name: 'shelf:write', description: 'Lend books, end loans and change readers' },
]

export async function newOAuthGuard(
  options: ProviderOptions | ProxyOptions,
  { clock: { now }, audit, resources }: GuardContext,
): Promise<OAuthGuard> {
  const realm: Realm = {
    origin: 'http://127.0.0.1',
    name: 'shelf_mcp',
    now,
    audit,
    scopes,
    choices: { ...defaultChoices, ...options.choices },
    rules: { ...defaultRules, ...options.rules },
    changeReply: options.changeReply,
    vault: newVault(options.env?.OAUTH_KV ?? memoryStore(now)),
    identity: await identityOf(options),
    resources,
    resourceServers: (options.resourceServers ?? []).map(({ id, secret }) => ({
      id,
      secret: digestOf(secret),
    })),
    registration: options.allowDynamicClientRegistration ?? true,
  }
  for (const client of options.clients ?? []) await realm.vault.put('client', client.id, client)
  return {
    pattern: options.pattern,
    setOrigin(origin) {
      realm.origin = origin
    },
    useIdentityProvider(url) {
      if (options.pattern !== 'oauth-proxy' || realm.identity.kind !== 'upstream') return
      const urls =
        url === undefined
          ? {}
          : { authorizeUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userUrl: `${url}/user` }
      realm.identity = {
        ...realm.identity,
        upstream: upstreamOf({ ...options, upstream: { ...options.upstream, ...urls } }),
      }
    },
    handleEndpoint: newEndpoints(realm),
    admit: (request) => admit(realm, request),
  }
}

async function identityOf(options: ProviderOptions | ProxyOptions): Promise<IdentitySource> {
  if (options.pattern === 'oauth-provider')
    return {
      kind: 'own',
      users: await newUsers(options.users ?? [defaultUser], options.passwordCost),
    }
  if (options.env.CLIENT_ID === '' || options.env.CLIENT_SECRET === '')
    throw new RangeError(
      'CLIENT_ID and CLIENT_SECRET must contain the credentials of this server at the identity provider',
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

/**
 * Authenticates a request by a bearer token. Only the Authorization header may contain it (RFC
 * 6750).
 */
async function admit(realm: Realm, request: IncomingMessage): Promise<Admission> {
  const { rules, vault, audit, origin } = realm
  const path = pathOf(request)
  const resource = path === '/messages' ? '/sse' : path
  const bearerToken = rules.bearerTokenOf(request)
  const token = bearerToken === undefined ? undefined : await vault.get('access', bearerToken)
  if (
    token !== undefined &&
    rules.isTokenForResource(token, `${origin}${resource}`) &&
    (await isActive(realm, token))
  ) {
    const {
      owner: { login, email, accessToken },
      scopes: allowed,
    } = token
    return { user: { login, email, accessToken, scopes: allowed, client: token.clientId } }
  }
  audit.record({
    event: 'resource',
    outcome: 'refused',
    client: token?.clientId,
    reason: bearerToken === undefined ? 'no token' : 'invalid_token',
  })
  note(request, {
    requirement: bearerToken === undefined ? 'AUTH-RESOURCE-02' : 'AUTH-RESOURCE-03',
  })
  const reply = challengeReply(realm, resource, bearerToken !== undefined)
  return {
    reply:
      (await realm.changeReply?.('resource', reply, {
        incoming: request,
        parameters: undefined,
      })) ?? reply,
  }
}

function challengeReply(realm: Realm, resource: string, isInvalid: boolean): Reply {
  const parameters = [
    ...(isInvalid
      ? [
          'error="invalid_token"',
          'error_description="The token is unknown, has expired, or is for another resource"',
        ]
      : []),
    ...(realm.choices.resourceMetadata
      ? [`resource_metadata="${resourceMetadataUrl(realm, resource)}"`]
      : []),
  ]
  return {
    status: 401,
    headers: { 'WWW-Authenticate': ['Bearer', parameters.join(', ')].join(' ').trim() },
    body: isInvalid
      ? {
          error: 'invalid_token',
          error_description: 'The token is unknown, has expired, or is for another resource',
        }
      : { error: 'unauthorized', error_description: 'A token is required' },
  }
}
