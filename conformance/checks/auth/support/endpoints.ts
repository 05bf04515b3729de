import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'

/** Where the authorization server is. Its metadata tells, where it is served; else the paths of the document hold. */
export interface Endpoints {
  /** The root that the target file gives, or the origin of a transport, without a slash at its end. */
  root: string
  authorize: string
  token: string
  register: string
  introspect: string | undefined
  revoke: string | undefined
  issuer: string | undefined
  /** The answer that is followed; undefined where no metadata is served. */
  metadata: HttpExchange | undefined
}

/** The root of the three endpoints. */
export function rootOf(
  { url }: AuthTarget,
  { http, sse }: { http?: string | undefined; sse?: string | undefined },
): string {
  return url ?? new URL(http ?? sse ?? 'http://127.0.0.1').origin
}

/** Where metadata may stand (RFC 8414 §3, OpenID Connect Discovery): a path of the issuer comes after the well-known part, or, in OpenID Connect, before it. */
export function metadataRequests(root: string): HttpRequest[] {
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

/** Metadata as it was answered; undefined where there is none. */
export function metadataIn({
  status,
  json,
}: HttpExchange): Readonly<Record<string, unknown>> | undefined {
  return status === 200 && typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : undefined
}

/** What metadata says, and where it says nothing usable, the paths of the document. */
export function endpointsOf(root: string, metadata: HttpExchange | undefined): Endpoints {
  const told = metadata === undefined ? undefined : metadataIn(metadata)
  const text = (name: string) => (typeof told?.[name] === 'string' ? told[name] : undefined)
  const url = (name: string) => {
    const value = text(name)
    return value !== undefined && URL.canParse(value) && /^https?:/i.test(value) ? value : undefined
  }
  return {
    root,
    authorize: url('authorization_endpoint') ?? `${root}/authorize`,
    token: url('token_endpoint') ?? `${root}/token`,
    register: url('registration_endpoint') ?? `${root}/register`,
    introspect: url('introspection_endpoint'),
    revoke: url('revocation_endpoint'),
    issuer: text('issuer'),
    metadata,
  }
}
