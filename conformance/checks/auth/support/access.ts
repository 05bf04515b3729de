import type { NamedCall } from '../../tools/support/access.ts'

/** How a tool server knows who comes. */
export type Pattern = 'none' | 'jwt' | 'oauth-proxy' | 'oauth-provider'

/** What the checks need to know of a target's authentication: the keys of `tools.auth`. */
export interface AuthAccess {
  pattern: Pattern

  // jwt
  secret?: string | undefined
  issuer?: string | undefined
  audience?: string | undefined
  claims?: Readonly<Record<string, unknown>> | undefined
  token?: string | undefined

  // oauth-proxy and oauth-provider
  url?: string | undefined
  registration?: boolean | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
  redirectUri?: string | undefined
  scope?: string | undefined
  resource?: string | undefined
  consent?: 'auto' | 'form' | 'command' | undefined
  form?: Readonly<Record<string, string>> | undefined
  approve?: string | undefined
  deny?: string | undefined
  command?: { command: string; args?: readonly string[] | undefined } | undefined
  whoami?: NamedCall | undefined
  clock?: string | undefined
  attempts?: number | undefined

  // oauth-proxy
  upstream?:
    | {
        clientId: string
        clientSecret?: string | undefined
        scopes?: readonly string[] | undefined
        hook?: string | undefined
      }
    | undefined
}
