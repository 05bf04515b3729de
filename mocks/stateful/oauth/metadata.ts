import type { Reply } from '../http/reply.ts'
import { issuerOf, type Realm } from './realm.ts'

const serverPaths = {
  oauth: ['/.well-known/oauth-authorization-server'],
  openid: ['/.well-known/openid-configuration'],
}
const resourcePath = '/.well-known/oauth-protected-resource'

/**
 * The URL of a resource's metadata (RFC 9728): the well-known path, followed by the resource's
 * path.
 */
export const resourceMetadataUrl = (
  { origin, choices: { resourceMetadataAt } }: Realm,
  path: string,
): string => `${origin}${resourcePath}${resourceMetadataAt === 'origin' ? '' : path}`

/**
 * Which metadata a path returns: that of the server, or of a resource; undefined for other paths.
 */
export function metadataAt(
  { resources, choices }: Realm,
  path: string,
): 'server' | { resource: string } | undefined {
  const { serverMetadataAt, resourceMetadataAt } = choices
  const server =
    serverMetadataAt === 'both'
      ? [...serverPaths.oauth, ...serverPaths.openid]
      : serverPaths[serverMetadataAt]
  if (server.includes(path)) return choices.serverMetadata ? 'server' : undefined
  if (!choices.resourceMetadata || !path.startsWith(resourcePath)) return undefined
  const resource = path.slice(resourcePath.length)
  return (
    resource === ''
      ? resourceMetadataAt !== 'paths'
      : resourceMetadataAt !== 'origin' && resources.includes(resource)
  )
    ? { resource }
    : undefined
}

/**
 * The metadata of the authorization server (RFC 8414). The issuer has no path, so nothing follows
 * the well-known path.
 */
export function serverMetadata(realm: Realm): Reply {
  const { origin, choices, scopes, registration } = realm
  const methods = [
    'none',
    ...(choices.basic === 'accepted' ? ['client_secret_basic'] : []),
    'client_secret_post',
  ]
  return metadataReply({
    issuer: issuerOf(realm),
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    ...(registration ? { registration_endpoint: `${origin}/register` } : {}),
    ...(choices.introspection
      ? {
          introspection_endpoint: `${origin}/introspect`,
          introspection_endpoint_auth_methods_supported: methods.slice(1),
        }
      : {}),
    ...(choices.revocable
      ? {
          revocation_endpoint: `${origin}/revoke`,
          revocation_endpoint_auth_methods_supported: methods,
        }
      : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      ...(choices.refreshTokens ? ['refresh_token'] : []),
    ],
    token_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: [
      'S256',
      ...(choices.plainPkce === 'accepted' ? ['plain'] : []),
    ],
    scopes_supported: scopes.map(({ name }) => name),
    authorization_response_iss_parameter_supported: choices.includesIssuer,
  })
}

/** The metadata of a resource (RFC 9728). */
export function resourceMetadata(realm: Realm, path: string): Reply {
  const { origin, scopes, name } = realm
  return metadataReply({
    resource: `${origin}${path}`,
    authorization_servers: [issuerOf(realm)],
    scopes_supported: scopes.map((scope) => scope.name),
    bearer_methods_supported: ['header'],
    resource_name: name,
  })
}

const metadataReply = (body: object): Reply => ({
  status: 200,
  body,
  headers: { 'Cache-Control': 'max-age=3600' },
})
