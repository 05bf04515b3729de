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

/** What clients ask for to read the shelf. */
export const scope = 'shelf:read'

/** The names under which the shelf may be asked for as a resource: itself, and the places where it speaks. */
export const resourcesOf = (origin: string): string[] => [
  `${origin}/mcp`,
  `${origin}/sse`,
  origin,
  `${origin}/`,
]

/** An authorization server at `origin`, set up as its documentation recommends for one resource and for clients that nobody knows beforehand. */
export async function newProvider(origin: string): Promise<Provider> {
  const library = await loadLibrary()
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const resources = resourcesOf(origin)
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
    // A client may register with the shelf's scope only where it is among those of the server itself.
    scopes: ['openid', 'offline_access', scope],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => false,
    // Whoever registered for them gets refresh tokens, and they outlive the session of the browser: clients of a tool server run without one.
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
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? resources[0]!,
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
    renderError(ctx, { error, error_description: says }) {
      ctx.type = 'html'
      ctx.body = problemPage(`${error}${says === undefined ? '' : `: ${says}`}`)
    },
  }
  return new library.Provider(origin, configuration)
}
