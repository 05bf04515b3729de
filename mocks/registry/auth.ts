import { randomBytes } from 'node:crypto'
import type { Running, StartOptions } from './entry.ts'
import type { Auth, Guard, JwtGuard } from '../stateful/tools.ts'

const newSecret = (): string => randomBytes(32).toString('base64url')

interface PreparedAuth {
  auth: Auth
  /** Stops the identity provider, if one was started. */
  close(): Promise<void>
}

/**
 * Prepares the settings of the tool server's authentication pattern. For the pattern oauth-proxy,
 * starts an identity provider if the options name none.
 */
export async function prepareAuth({
  auth = 'none',
  jwt = {},
  identity = {},
  credentials = {},
  oauthKv,
  resourceServer = {},
  consentScreen,
  clientRegistration,
  consent,
}: StartOptions): Promise<PreparedAuth> {
  const nothing = async () => {}
  if (auth === 'none') return { auth: { pattern: 'none' }, close: nothing }
  if (auth === 'jwt')
    return {
      auth: { pattern: 'jwt', secret: newSecret(), ...jwt },
      close: nothing,
    }
  const { fileStore } = await import('../stateful/oauth/store.ts')
  const store = oauthKv === undefined ? {} : { OAUTH_KV: await fileStore(oauthKv, Date.now) }
  const common = {
    resourceServers: [{ id: 'shelf-api', secret: newSecret(), ...resourceServer }],
    ...(clientRegistration === undefined
      ? {}
      : { allowDynamicClientRegistration: clientRegistration }),
  }
  if (auth === 'oauth-provider')
    return { auth: { pattern: 'oauth-provider', env: store, ...common }, close: nothing }
  const { startIdentity } = await import('../stateful/identity.ts')
  const { clientId = 'shelf', clientSecret = 'shelf-upstream-secret' } = credentials
  const own =
    identity.url === undefined
      ? await startIdentity({
          clientId,
          clientSecret,
          ...(consent === undefined ? {} : { consent }),
        })
      : undefined
  const base = (identity.url ?? new URL(own!.authorizeUrl).origin).replace(/\/$/, '')
  return {
    auth: {
      pattern: 'oauth-proxy',
      env: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ...store },
      upstream: {
        authorizeUrl: `${base}/authorize`,
        tokenUrl: `${base}/token`,
        userUrl: `${base}/user`,
        scopes: identity.scopes ?? ['read:user', 'user:email'],
      },
      ...common,
      ...(consentScreen === undefined ? {} : { allowConsentScreen: consentScreen }),
    },
    close: async () => own?.close(),
  }
}

/**
 * Describes the pattern in lines of output: its endpoints and settings, and the tokens that clients
 * send.
 */
export async function describeAuth(
  guard: Guard,
  auth: Auth,
  origin: string,
): Promise<Pick<Running, 'identifiers' | 'tokens' | 'notes'>> {
  const endpoints: Running['notes'] = [
    ['authorize', `${origin}/authorize`],
    ['token', `${origin}/token`],
    ['register', `${origin}/register`],
  ]
  switch (auth.pattern) {
    case 'none':
      return { identifiers: {}, tokens: {}, notes: [] }
    case 'jwt': {
      const { secret, issuer, audience, token } = guard as JwtGuard
      return {
        identifiers: {},
        tokens: { bearer: await token(), secret },
        notes: [
          ['issuer', issuer],
          ['audience', audience],
          ['secret', secret],
          ['token', 'valid for one hour'],
        ],
      }
    }
    case 'oauth-provider': {
      const {
        defaultUser: { login, password },
      } = await import('../stateful/tools/auth/oauth.ts')
      return {
        ...describeResourceServer(auth),
        notes: [
          ...endpoints,
          ...introspectionNotes(auth, origin),
          ['user', `${login}, password ${password}`],
        ],
      }
    }
    case 'oauth-proxy':
      return {
        ...describeResourceServer(auth),
        notes: [
          ...endpoints,
          ...introspectionNotes(auth, origin),
          ['identity', auth.upstream.authorizeUrl],
          ['scopes', auth.upstream.scopes.join(' ')],
        ],
      }
  }
}

interface ResourceServers {
  resourceServers?: readonly { id: string; secret: string }[]
}

/** The credentials with which a resource server introspects tokens. */
function describeResourceServer({
  resourceServers: [server] = [],
}: ResourceServers): Pick<Running, 'identifiers' | 'tokens'> {
  return server === undefined
    ? { identifiers: {}, tokens: {} }
    : { identifiers: { resourceServer: server.id }, tokens: { resourceServer: server.secret } }
}

const introspectionNotes = (
  { resourceServers = [] }: ResourceServers,
  origin: string,
): Running['notes'] =>
  resourceServers.map(({ id, secret }) => [
    'introspect',
    `${origin}/introspect, as ${id} with the secret ${secret}`,
  ])
