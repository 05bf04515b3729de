import { randomBytes } from 'node:crypto'
import type { Running, StartOptions } from './entry.ts'
import type { Auth, Guard, JwtGuard } from '../stateful/tools.ts'

interface PreparedAuth {
  auth: Auth
  /** Stops the identity provider, if one was started. */
  close(): Promise<void>
}

/**
 * Prepares the settings of the tool server's authentication pattern. Starts an identity provider
 * for a proxy that has none.
 */
export async function prepareAuth({
  auth = 'none',
  jwt = {},
  identity = {},
  credentials = {},
  oauthKv,
  consentScreen,
  clientRegistration,
  consent,
}: StartOptions): Promise<PreparedAuth> {
  const nothing = async () => {}
  if (auth === 'none') return { auth: { pattern: 'none' }, close: nothing }
  if (auth === 'jwt')
    return {
      auth: { pattern: 'jwt', secret: randomBytes(32).toString('base64url'), ...jwt },
      close: nothing,
    }
  const { fileStore } = await import('../stateful/oauth/store.ts')
  const store = oauthKv === undefined ? {} : { OAUTH_KV: await fileStore(oauthKv, Date.now) }
  const registration =
    clientRegistration === undefined ? {} : { allowDynamicClientRegistration: clientRegistration }
  if (auth === 'oauth-provider')
    return { auth: { pattern: 'oauth-provider', env: store, ...registration }, close: nothing }
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
      ...registration,
      ...(consentScreen === undefined ? {} : { allowConsentScreen: consentScreen }),
    },
    close: async () => own?.close(),
  }
}

/**
 * Describes the pattern for people: its endpoints and settings, and the tokens that clients send.
 */
export async function describeAuth(
  guard: Guard,
  auth: Auth,
  origin: string,
): Promise<Pick<Running, 'tokens' | 'notes'>> {
  const endpoints: Running['notes'] = [
    ['authorize', `${origin}/authorize`],
    ['token', `${origin}/token`],
    ['register', `${origin}/register`],
  ]
  switch (auth.pattern) {
    case 'none':
      return { tokens: {}, notes: [] }
    case 'jwt': {
      const { secret, issuer, audience, token } = guard as JwtGuard
      return {
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
        tokens: {},
        notes: [...endpoints, ['user', `${login}, password ${password}`]],
      }
    }
    case 'oauth-proxy':
      return {
        tokens: {},
        notes: [
          ...endpoints,
          ['identity', auth.upstream.authorizeUrl],
          ['scopes', auth.upstream.scopes.join(' ')],
        ],
      }
  }
}
