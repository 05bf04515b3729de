import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import type { Provider } from 'oidc-provider'
import { resourceIdentifiers, scope } from './provider.ts'
import { userOf } from './users.ts'

export type AuthenticatedRequest = IncomingMessage & { auth?: AuthInfo }

const metadataPath = '/.well-known/oauth-protected-resource'

/**
 * Returns a function that refuses requests without a valid token of this provider. It returns true
 * if the request may continue.
 */
export function newTokenGuard(
  provider: Provider,
  origin: string,
): (request: AuthenticatedRequest, response: ServerResponse, path: string) => Promise<boolean> {
  const resources = resourceIdentifiers(origin)
  return async (request, response, path) => {
    const [, token] = /^bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '') ?? []
    const metadata = `resource_metadata="${origin}${metadataPath}${path === '/sse' ? path : '/mcp'}"`
    const refuse = (status: number, error: string | undefined, description: string): false => {
      response
        .writeHead(status, {
          'content-type': 'application/json',
          'www-authenticate': `Bearer ${error === undefined ? '' : `error="${error}", error_description="${description}", `}scope="${scope}", ${metadata}`,
        })
        .end(JSON.stringify({ error: error ?? 'unauthorized', error_description: description }))
      return false
    }
    if (token === undefined) return refuse(401, undefined, 'a bearer token is required')
    const found = await provider.AccessToken.find(token)
    if (
      found === undefined ||
      !found.isValid ||
      ![found.aud].flat().some((audience) => audience !== undefined && resources.includes(audience))
    )
      return refuse(
        401,
        'invalid_token',
        'the token is unknown, has expired, or is for another resource',
      )
    if (!found.scopes.has(scope))
      return refuse(403, 'insufficient_scope', 'the token does not allow this')
    request.auth = {
      token,
      clientId: found.clientId ?? '',
      scopes: [...found.scopes],
      extra: { user: found.accountId, profile: userOf(found.accountId) },
    }
    return true
  }
}

/**
 * The metadata of the tool server as a protected resource (RFC 9728), for each of its resource
 * identifiers.
 */
export function describeResource(origin: string, path: string): object | undefined {
  if (!path.startsWith(metadataPath)) return undefined
  const suffix = path.slice(metadataPath.length)
  if (!['', '/mcp', '/sse'].includes(suffix)) return undefined
  return {
    resource: `${origin}${suffix}`,
    authorization_servers: [origin],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Shelf',
  }
}
