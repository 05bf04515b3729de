import { randomBytes } from 'node:crypto'
import type { Running, StartOptions } from './entry.ts'
import type { Auth, Guard, JwtGuard } from '../stateful/tools.ts'

interface Prepared {
  auth: Auth
  /** Ends what was started for it. */
  close(): Promise<void>
}

/** What the tool server needs for its pattern of authentication; for a proxy without an identity provider that is one of its own. */
export async function prepared({
  auth = 'none',
  jwt = {},
  identity = {},
  credentials = {},
  oauthKv,
  consentScreen,
  clientRegistration,
  consent,
}: StartOptions): Promise<Prepared> {
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

/** What people have to know of the pattern, and what they send along. */
export async function told(
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
          ['token', 'good for an hour'],
        ],
      }
    }
    case 'oauth-provider': {
      const {
        commonUser: { login, password },
      } = await import('../stateful/tools/auth/oauth.ts')
      return {
        tokens: {},
        notes: [...endpoints, ['user', `${login}, with the password ${password}`]],
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
