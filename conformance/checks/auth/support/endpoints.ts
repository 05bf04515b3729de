import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'

/**
 * The URLs of the authorization server: those in its metadata, or else /authorize, /token and
 * /register, the paths in the contract.
 */
export interface Endpoints {
  /** `tools.auth.url` of the target file, or the origin of a transport; without a final slash. */
  root: string
  authorize: string
  token: string
  register: string
  introspect: string | undefined
  revoke: string | undefined
  issuer: string | undefined
  /** The metadata response that the URLs are read from; undefined if there is none. */
  metadata: HttpExchange | undefined
}

/** The root URL of the authorization server. */
export function authorizationRootOf(
  { url }: AuthTarget,
  { http, sse }: { http?: string | undefined; sse?: string | undefined },
): string {
  return url ?? new URL(http ?? sse ?? 'http://127.0.0.1').origin
}

/**
 * Returns requests to all well-known URLs of the metadata (RFC 8414 §3, OpenID Connect Discovery).
 * The path of an issuer follows the well-known part or, in OpenID Connect, precedes it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-5
 */
export function newMetadataRequests(root: string): HttpRequest[] {
  const { origin, pathname } = new URL(root)
  const path = pathname === '/' ? '' : pathname
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    ...(path === '' ? [] : [`${origin}/.well-known/openid-configuration${path}`]),
    `${root}/.well-known/openid-configuration`,
  ]
  return urls.map((url) => ({
    operation: 'server metadata',
    method: 'GET',
    url,
    headers: { Accept: 'application/json' },
  }))
}

/**
 * Fetches the metadata of the authorization server at the well-known URLs of its root. If there is
 * none, uses the issuers with the same origin in the metadata of the resources. Returns the issuer,
 * and the responses that contain metadata.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-2
 */
export async function findServerMetadata(
  root: string,
  { http, sse }: { http?: string | undefined; sse?: string | undefined },
  send: (request: HttpRequest) => Promise<HttpExchange>,
): Promise<{ issuer: string; responses: HttpExchange[] }> {
  const fetchFrom = async (issuer: string) => ({
    issuer,
    responses: (await Promise.all(newMetadataRequests(issuer).map(send))).filter(
      (response) => metadataIn(response) !== undefined,
    ),
  })
  const ofRoot = await fetchFrom(root)
  if (ofRoot.responses.length > 0) return ofRoot
  const { origin } = new URL(root)
  const resources = [http, sse].filter((one) => one !== undefined)
  const ofResources = await Promise.all(
    resources.map((one) => send(newResourceMetadataRequestFor(one))),
  )
  const issuers = ofResources
    .flatMap((response) => metadataIn(response)?.['authorization_servers'] ?? [])
    .filter((one): one is string => typeof one === 'string' && URL.canParse(one))
    .map((one) => one.replace(/\/$/, ''))
    // Later requests contain credentials, so no other origin is trusted.
    .filter((one) => new URL(one).origin === origin && one !== root)
  for (const issuer of new Set(issuers)) {
    const found = await fetchFrom(issuer)
    if (found.responses.length > 0) return found
  }
  return ofRoot
}

export const newResourceMetadataRequest = (url: string): HttpRequest => ({
  operation: 'resource metadata',
  method: 'GET',
  url,
  headers: { Accept: 'application/json' },
})

/**
 * Returns a request for the metadata of a protected resource, at its well-known URL.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
export function newResourceMetadataRequestFor(resource: string): HttpRequest {
  const { origin, pathname } = new URL(resource)
  return newResourceMetadataRequest(
    `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`,
  )
}

/** The metadata of a response; undefined if it contains none. */
export function metadataIn({
  status,
  json,
}: HttpExchange): Readonly<Record<string, unknown>> | undefined {
  return status === 200 && typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : undefined
}

/**
 * Reads the endpoints from metadata. If `authorize`, `token` or `register` is missing or not a URL,
 * its path in the contract is used. An optional endpoint is undefined if it is missing.
 */
export function readEndpoints(root: string, metadata: HttpExchange | undefined): Endpoints {
  const declared = metadata === undefined ? undefined : metadataIn(metadata)
  const stringMember = (name: string) =>
    typeof declared?.[name] === 'string' ? declared[name] : undefined
  const urlMember = (name: string) => {
    const value = stringMember(name)
    return value !== undefined && URL.canParse(value) && /^https?:/i.test(value) ? value : undefined
  }
  return {
    root,
    authorize: urlMember('authorization_endpoint') ?? `${root}/authorize`,
    token: urlMember('token_endpoint') ?? `${root}/token`,
    register: urlMember('registration_endpoint') ?? `${root}/register`,
    introspect: urlMember('introspection_endpoint'),
    revoke: urlMember('revocation_endpoint'),
    issuer: stringMember('issuer'),
    metadata,
  }
}
