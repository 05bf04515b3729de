import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import type { Provider } from 'oidc-provider'
import { resourcesOf, scope } from './provider.ts'

export type Known = IncomingMessage & { auth?: AuthInfo }

const metadataPath = '/.well-known/oauth-protected-resource'

/** Answers whoever brings no token of this provider for this shelf. True where somebody may go on. */
export function newGuard(
  provider: Provider,
  origin: string,
): (request: Known, response: ServerResponse, path: string) => Promise<boolean> {
  const resources = resourcesOf(origin)
  return async (request, response, path) => {
    const [, token] = /^bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '') ?? []
    const metadata = `resource_metadata="${origin}${metadataPath}${path === '/sse' ? path : '/mcp'}"`
    const refuse = (status: number, error: string | undefined, says: string): false => {
      response
        .writeHead(status, {
          'content-type': 'application/json',
          'www-authenticate': `Bearer ${error === undefined ? '' : `error="${error}", error_description="${says}", `}scope="${scope}", ${metadata}`,
        })
        .end(JSON.stringify({ error: error ?? 'unauthorized', error_description: says }))
      return false
    }
    if (token === undefined) return refuse(401, undefined, 'a bearer token is needed')
    const found = await provider.AccessToken.find(token)
    if (
      found === undefined ||
      !found.isValid ||
      ![found.aud].flat().some((one) => one !== undefined && resources.includes(one))
    )
      return refuse(
        401,
        'invalid_token',
        'the token is unknown, has ended, or is for another place',
      )
    if (!found.scopes.has(scope))
      return refuse(403, 'insufficient_scope', 'the token does not allow this')
    request.auth = {
      token,
      clientId: found.clientId ?? '',
      scopes: [...found.scopes],
      extra: { user: found.accountId },
    }
    return true
  }
}

/** Metadata of the shelf as a protected resource (RFC 9728), under each of its names. */
export function describeResource(origin: string, path: string): object | undefined {
  if (!path.startsWith(metadataPath)) return undefined
  const place = path.slice(metadataPath.length)
  if (!['', '/mcp', '/sse'].includes(place)) return undefined
  return {
    resource: `${origin}${place}`,
    authorization_servers: [origin],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Shelf',
  }
}
