import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'

/** A client of the authorization server, as the suite knows it. */
export interface Client {
  readonly id: string
  readonly secret: string | undefined
  /** How it proves at /token who it is. */
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post'
  /** Where its users return. */
  readonly redirectUri: string
  /** What it was registered as; undefined for the one of the target file. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined
}

/** A client that was registered, and where the server says that it can be taken back (RFC 7592). */
export interface Registered {
  readonly id: string
  readonly uri: string | undefined
  readonly token: string | undefined
}

/** An address on loopback, as apps have them. Nobody has to listen there: the suite sees where it is sent, and does not go. */
export const redirectUri = 'http://127.0.0.1:8123/touchstone/back'
/** An address of a web page, at which nobody is: the name cannot be had (RFC 2606). */
export const webRedirectUri = 'https://client.touchstone.example/back'

/** The metadata of a client that keeps no secret; other members are added, or take the place of these. */
export function publicMetadata(
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    client_name: 'Touchstone',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // For servers that tell apps from web pages: an app may return to loopback.
    application_type: 'native',
    ...more,
  }
}

export function registration(
  url: string,
  metadata: Readonly<Record<string, unknown>>,
): HttpRequest {
  return {
    operation: 'register',
    method: 'POST',
    url,
    headers: { Accept: 'application/json' },
    body: { kind: 'json', value: metadata },
  }
}

/** The client that an answer tells of; undefined where it tells of none. */
export function clientIn(
  { status, json }: HttpExchange,
  metadata: Readonly<Record<string, unknown>>,
): Client | undefined {
  if (
    status === undefined ||
    status < 200 ||
    status >= 300 ||
    typeof json !== 'object' ||
    json === null
  )
    return undefined
  const {
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: method,
  } = json as Record<string, unknown>
  if (typeof id !== 'string' || id === '') return undefined
  const uris = metadata['redirect_uris'] as readonly string[] | undefined
  const wanted = metadata['token_endpoint_auth_method']
  const told = (method ?? wanted) as Client['method']
  return {
    id,
    secret: typeof secret === 'string' ? secret : undefined,
    method:
      typeof secret !== 'string' || told === 'none'
        ? 'none'
        : told === 'client_secret_post'
          ? told
          : 'client_secret_basic',
    redirectUri: uris?.[0] ?? redirectUri,
    metadata,
  }
}

/** The client that an answer tells of, with how it can be taken back where that is told; none where none was registered. */
export function registeredIn({
  operation,
  status = 0,
  json,
  request: { url },
}: HttpExchange): Registered[] {
  const {
    client_id: id,
    registration_client_uri: uri,
    registration_access_token: token,
  } = (json ?? {}) as Record<string, unknown>
  if (operation !== 'register' || status < 200 || status >= 300 || typeof id !== 'string') return []
  // Nobody is to be led elsewhere with a token.
  const isOwn =
    typeof uri === 'string' && URL.canParse(uri) && new URL(uri).origin === new URL(url).origin
  return [
    { id, uri: isOwn ? uri : undefined, token: typeof token === 'string' ? token : undefined },
  ]
}

/**
 * The client of a target file; undefined where it names none. Its secret stands in the body, which every server has to take (OAuth 2.1 §2.4.1), unless metadata
 * name the header alone.
 */
export function givenClient(
  { clientId, clientSecret, redirectUri: given }: AuthTarget,
  methods: unknown,
): Client | undefined {
  if (clientId === undefined || given === undefined) return undefined
  const inHeader =
    Array.isArray(methods) &&
    methods.includes('client_secret_basic') &&
    !methods.includes('client_secret_post')
  return {
    id: clientId,
    secret: clientSecret,
    method:
      clientSecret === undefined ? 'none' : inHeader ? 'client_secret_basic' : 'client_secret_post',
    redirectUri: given,
    metadata: undefined,
  }
}
