import type { HttpTransport } from '../call.ts'
import type { ToolsClock } from '../clock.ts'
import { openGuard, type Guard } from './guard.ts'
import { newJwtGuard, type JwtOptions } from './jwt/guard.ts'
import { newOAuthGuard, type ProviderOptions, type ProxyOptions } from './oauth.ts'

/** The authentication pattern of a server, with its options. */
export type Auth = { pattern: 'none' } | JwtOptions | ProxyOptions | ProviderOptions

export async function newGuard(
  auth: Auth,
  clock: ToolsClock,
  transports: readonly HttpTransport[],
): Promise<Guard> {
  switch (auth.pattern) {
    case 'none':
      return openGuard
    case 'jwt':
      return newJwtGuard(auth, clock)
    case 'oauth-proxy':
    case 'oauth-provider':
      return newOAuthGuard(auth, clock, transports)
  }
}
