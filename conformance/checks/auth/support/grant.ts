import { encodeFields, type HttpExchange, type HttpRequest } from '../../../wire/index.ts'
import type { Ask, Changes } from './ask.ts'
import type { Client } from './client.ts'
import type { Walk } from './walk.ts'

/** A code, and all that goes with it. */
export interface Grant {
  readonly client: Client
  readonly ask: Ask
  readonly walk: Walk
  readonly code: string
}

/** What a code was exchanged for. */
export interface Tokens {
  readonly grant: Grant
  readonly answer: HttpExchange
  readonly access: string
  readonly refresh: string | undefined
  /** For how many seconds the access token is good; undefined where it is not told. */
  readonly seconds: number | undefined
  readonly scope: string | undefined
}

/** A request of the token endpoint in which a client proves who it is, by its method. */
export function tokenRequest(
  operation: string,
  url: string,
  { id, secret, method }: Client,
  fields: Changes,
): HttpRequest {
  const basic = method === 'client_secret_basic' && secret !== undefined
  const proof: Changes = basic
    ? {}
    : {
        client_id: id,
        ...(secret === undefined || method === 'none' ? {} : { client_secret: secret }),
      }
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(basic ? { Authorization: basicOf(id, secret) } : {}),
  }
  const all = Object.entries({ ...proof, ...fields })
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

/** Id and secret, each encoded as in a form (OAuth 2.1 §2.4.1). */
export function basicOf(id: string, secret: string): string {
  const encoded = (text: string) => encodeFields([['', text]]).slice(1)
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}`
}

/** Exchanges a code. The redirect URI goes along: OAuth 2.1 passes over it, and older servers ask for it. */
export function exchangeOf(
  url: string,
  { code, ask: { verifier, redirectUri } }: Grant,
  client: Client,
  changes: Changes,
): HttpRequest {
  return tokenRequest('token', url, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  })
}

export function refreshOf(
  url: string,
  { refresh }: Tokens,
  client: Client,
  changes: Changes,
): HttpRequest {
  return tokenRequest('refresh', url, client, {
    grant_type: 'refresh_token',
    refresh_token: refresh ?? '',
    ...changes,
  })
}

/** The tokens in an answer; undefined where there is no access token. */
export function tokensIn(answer: HttpExchange, grant: Grant): Tokens | undefined {
  const { status = 0, json } = answer
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
    answer,
    access,
    refresh: typeof refresh === 'string' && refresh !== '' ? refresh : undefined,
    seconds: typeof seconds === 'number' && seconds > 0 ? seconds : undefined,
    scope: typeof scope === 'string' ? scope : undefined,
  }
}
