import { noAuthenticationGuard, type Guard, type GuardContext } from './guard.ts'
import { newJwtGuard, type JwtOptions } from './jwt/guard.ts'
import { newOAuthGuard, type ProviderOptions, type ProxyOptions } from './oauth.ts'

/** The authentication pattern of a server, with its options. */
export type Auth = { pattern: 'none' } | JwtOptions | ProxyOptions | ProviderOptions

export async function newGuard(auth: Auth, context: GuardContext): Promise<Guard> {
  switch (auth.pattern) {
    case 'none':
      return noAuthenticationGuard
    case 'jwt':
      return newJwtGuard(auth, context)
    case 'oauth-proxy':
    case 'oauth-provider':
      return newOAuthGuard(auth, context)
  }
}
