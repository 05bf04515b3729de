import { encodeFields, type HttpExchange, type HttpRequest } from '../../../wire/index.ts'
import type { FlowRequest, Changes } from './flow-request.ts'
import type { Client } from './client.ts'
import type { AuthorizationFlow } from './authorization-flow.ts'

/** A code, and the flow in which it was issued. */
export interface Grant {
  readonly client: Client
  readonly authorization: FlowRequest
  readonly flow: AuthorizationFlow
  readonly code: string
}

/** The tokens that a code was exchanged for. */
export interface Tokens {
  readonly grant: Grant
  readonly exchange: HttpExchange
  readonly access: string
  readonly refresh: string | undefined
  /** Lifetime of the access token in seconds; undefined if the response does not contain it. */
  readonly seconds: number | undefined
  readonly scope: string | undefined
}

/**
 * Builds a request to the token, introspection or revocation endpoint, with the client's
 * authentication.
 */
export function buildTokenEndpointRequest(
  operation: string,
  url: string,
  { id, secret, method }: Client,
  fields: Changes,
): HttpRequest {
  const usesBasic = method === 'client_secret_basic' && secret !== undefined
  const credentials: Changes = usesBasic
    ? {}
    : {
        client_id: id,
        ...(secret === undefined || method === 'none' ? {} : { client_secret: secret }),
      }
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(usesBasic ? { Authorization: basicCredential(id, secret) } : {}),
  }
  const all = Object.entries({ ...credentials, ...fields })
  return {
    operation,
    method: 'POST',
    url,
    headers,
    body: {
      kind: 'fields',
      fields: all.flatMap(([name, value]) =>
        value === undefined ? [] : [value].flat().map((one) => [name, one] as const),
      ),
    },
  }
}

/**
 * A Basic credential. The id and the secret are form-encoded first (OAuth 2.1 §2.4.1).
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-13#section-2.4.1
 */
export function basicCredential(id: string, secret: string): string {
  const encode = (text: string) => encodeFields([['', text]]).slice(1)
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`
}

/**
 * Builds the request that exchanges a code. It contains the redirect URI, which OAuth 2.0 requires
 * and OAuth 2.1 ignores.
 */
export function buildCodeExchange(
  url: string,
  { code, authorization: { verifier, redirectUri } }: Grant,
  client: Client,
  changes: Changes,
): HttpRequest {
  return buildTokenEndpointRequest('token', url, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  })
}

export function buildRefreshRequest(
  url: string,
  { refresh }: Tokens,
  client: Client,
  changes: Changes,
): HttpRequest {
  return buildTokenEndpointRequest('refresh', url, client, {
    grant_type: 'refresh_token',
    refresh_token: refresh ?? '',
    ...changes,
  })
}

/** The tokens of a response; undefined if it contains no access token. */
export function tokensIn(exchange: HttpExchange, grant: Grant): Tokens | undefined {
  const { status = 0, json } = exchange
  if (status < 200 || status >= 300 || typeof json !== 'object' || json === null) return undefined
  const {
    access_token: access,
    refresh_token: refresh,
    expires_in: seconds,
    scope,
  } = json as Record<string, unknown>
  if (typeof access !== 'string' || access === '') return undefined
  return {
    grant,
    exchange,
    access,
    refresh: typeof refresh === 'string' && refresh !== '' ? refresh : undefined,
    seconds: typeof seconds === 'number' && seconds > 0 ? seconds : undefined,
    scope: typeof scope === 'string' ? scope : undefined,
  }
}
