import { startServer } from '../blind/auth/server.ts'
import { switches } from '../blind/auth/switches.ts'
import type { BlindServer } from './blind-server.ts'

export const authServers: readonly BlindServer[] = (
  ['jwt', 'oauth-proxy', 'oauth-provider'] as const
).map((pattern): BlindServer => ({
  name: pattern,
  contract: 'auth',
  switches: switches.filter((one) => one.pattern === pattern),
  // The author's proxy does not follow the recommendation to use PKCE at the identity provider.
  skipped: pattern === 'oauth-proxy' ? ['AUTH-PROXY-15'] : [],
  realTime: 'all',
  async start(on) {
    const { close, ...server } = await startServer(pattern, on)
    const { mcpUrl, whoami, secret, issuer, audience, form, clockUrl } = server
    const { origin, registration, upstream, identityControlUrl } = server
    return {
      target: {
        tools: {
          http: mcpUrl,
          auth: {
            pattern,
            whoami,
            ...(secret === undefined ? {} : { secret, issuer, audience }),
            ...(form === undefined
              ? {}
              : { url: origin, form, clock: clockUrl, registration, consent: 'form' as const }),
            ...(on.includes('scope-required') ? { scope: 'profile email' } : {}),
            ...(on.includes('resource-required') ? { resource: mcpUrl } : {}),
            ...(upstream === undefined
              ? {}
              : { upstream: { ...upstream, control: identityControlUrl } }),
          },
        },
      },
      close,
    }
  },
}))
