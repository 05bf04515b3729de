import type { ToolsServer } from '../server.ts'
import type { JwtGuard } from './jwt/guard.ts'
import { defaultUser } from './oauth.ts'

/** The tool that returns the current user. */
const whoami = { tool: 'shelf_show_status', arguments: {} }

/** The section `tools.auth` of a target file for a server; undefined for the pattern none. */
export function authOf({ auth, clockControl, identityControl, context: { guard } }: ToolsServer) {
  switch (auth.pattern) {
    case 'none':
      return undefined
    case 'jwt': {
      const { secret, issuer, audience } = guard as JwtGuard
      return {
        pattern: auth.pattern,
        secret,
        issuer,
        audience,
        claims: { sub: defaultUser.login, email: defaultUser.email },
        whoami,
      }
    }
    case 'oauth-provider': {
      const [{ login, password } = defaultUser] = auth.users ?? []
      return {
        ...common(auth, clockControl),
        pattern: auth.pattern,
        consent: 'form' as const,
        form: { login, password },
      }
    }
    case 'oauth-proxy': {
      const {
        env: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
        upstream: { scopes },
        allowConsentScreen = true,
      } = auth
      return {
        ...common(auth, clockControl),
        pattern: auth.pattern,
        consent: allowConsentScreen ? ('form' as const) : ('auto' as const),
        upstream: {
          clientId,
          clientSecret,
          scopes,
          ...(identityControl === undefined ? {} : { control: identityControl }),
        },
      }
    }
  }
}

/** The keys that both OAuth patterns share. */
function common(
  {
    allowDynamicClientRegistration: registration = true,
  }: { allowDynamicClientRegistration?: boolean },
  clockControl: string | undefined,
) {
  return {
    registration,
    whoami,
    ...(clockControl === undefined ? {} : { clock: clockControl }),
  }
}
