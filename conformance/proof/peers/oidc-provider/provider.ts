import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Configuration, Provider } from 'oidc-provider'
import { newAdapter } from './adapter.ts'
import { loadLibrary } from './library.ts'
import { problemPage } from './pages.ts'
import { userOf } from './users.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The scope for reading. */
export const scope = 'shelf:read'

/** The resource identifiers of the tool server: its endpoints and its origin. */
export const resourceIdentifiers = (origin: string): string[] => [
  `${origin}/mcp`,
  `${origin}/sse`,
  origin,
  `${origin}/`,
]

/**
 * Configures an authorization server as its documentation recommends, for one resource and dynamic
 * registration.
 */
export async function newProvider(origin: string): Promise<Provider> {
  const library = await loadLibrary()
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const resources = resourceIdentifiers(origin)
  const configuration: Configuration = {
    adapter: newAdapter(),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      introspection: '/introspect',
      revocation: '/revoke',
    },
    // Clients can register only with scopes of the server.
    scopes: ['openid', 'offline_access', scope],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => false,
    // Clients of a tool server work without a browser session, so their refresh tokens remain valid
    // after the end of the session.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      registration: { enabled: true },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' || token.clientId === client.clientId,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, candidates) => candidates?.[0] ?? resources[0]!,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (!resources.includes(resource)) throw new library.errors.InvalidTarget()
          return { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: hour }
        },
      },
    },
    findAccount: (_ctx, id) => {
      const user = userOf(id)
      return user === undefined
        ? undefined
        : { accountId: user.id, claims: () => ({ sub: user.id }) }
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: minute,
      IdToken: hour,
      Interaction: hour,
      Session: day,
      Grant: 14 * day,
      RefreshToken: 14 * day,
    },
    renderError(ctx, { error, error_description: description }) {
      ctx.type = 'html'
      ctx.body = problemPage(`${error}${description === undefined ? '' : `: ${description}`}`)
    },
  }
  return new library.Provider(origin, configuration)
}
