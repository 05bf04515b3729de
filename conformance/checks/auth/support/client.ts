import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import type { Undo } from '../../shared/journal.ts'
import type { AuthTarget } from '../../tools/authentication.ts'

/** A client of the authorization server, as the suite knows it. */
export interface Client {
  readonly id: string
  readonly secret: string | undefined
  /** How the client authenticates at the token endpoint. */
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post'
  /** The redirect URI of its requests. */
  readonly redirectUri: string
  /** The metadata of its registration; undefined for the client in the target file. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined
}

/** A registered client, and its configuration endpoint, if the server returned one (RFC 7592). */
export interface RegisteredClient {
  readonly id: string
  readonly uri: string | undefined
  readonly token: string | undefined
}

/**
 * A redirect URI on loopback, like those of native apps. No server needs to listen there, because
 * the suite does not follow the redirect.
 */
export const redirectUri = 'http://127.0.0.1:8123/touchstone/back'
/** A redirect URI like `redirectUri`, on the loopback address of IPv6. */
export const redirectUriOfIpv6 = 'http://[::1]:8123/touchstone/back'
/** A redirect URI of a web client. Its host cannot exist: the domain is reserved (RFC 2606). */
export const webRedirectUri = 'https://client.touchstone.example/back'

/** A part of each client name in a run, so that people can find and delete the clients. */
export const clientName = `Touchstone ts${randomBytes(4).toString('hex')}`

/** The metadata of a client without a secret. `more` is merged in. */
export function publicMetadata(
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    client_name: clientName,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // Some servers distinguish native and web clients, and allow loopback redirect URIs only for
    // native clients.
    application_type: 'native',
    ...more,
  }
}

/** How the journal shows a client. It omits the token for the deletion, which is a secret. */
export const undoOfRegistration = ({ id, uri = '' }: RegisteredClient): Undo => ({
  method: 'DELETE',
  url: `${uri}#${id}`,
  name: `the OAuth client ${id} whose name contains ${clientName}`,
})

export function newClientRegistration(
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

/** The client of a registration response; undefined if the response contains none. */
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
  const requested = metadata['token_endpoint_auth_method']
  const declared = (method ?? requested) as Client['method']
  return {
    id,
    secret: typeof secret === 'string' ? secret : undefined,
    method:
      typeof secret !== 'string' || declared === 'none'
        ? 'none'
        : declared === 'client_secret_post'
          ? declared
          : 'client_secret_basic',
    redirectUri: uris?.[0] ?? redirectUri,
    metadata,
  }
}

/**
 * The registered client in a registration response, with its configuration endpoint. An empty array
 * if no client was registered.
 */
export function registeredIn({
  operation,
  status = 0,
  json,
  request: { url },
}: HttpExchange): RegisteredClient[] {
  const {
    client_id: id,
    registration_client_uri: uri,
    registration_access_token: token,
  } = (json ?? {}) as Record<string, unknown>
  if (operation !== 'register' || status < 200 || status >= 300 || typeof id !== 'string') return []
  // The access token must not be sent to another origin.
  const isSameOrigin =
    typeof uri === 'string' && URL.canParse(uri) && new URL(uri).origin === new URL(url).origin
  return [
    {
      id,
      uri: isSameOrigin ? uri : undefined,
      token: typeof token === 'string' ? token : undefined,
    },
  ]
}

/**
 * The client in the target file; undefined if the target file names none. Its secret is sent in the
 * body, which every server must accept (OAuth 2.1 §2.4.1), unless the metadata lists only
 * `client_secret_basic`.
 */
export function configuredClient(
  { clientId, clientSecret, redirectUri: configuredUri }: AuthTarget,
  methods: unknown,
): Client | undefined {
  if (clientId === undefined || configuredUri === undefined) return undefined
  const inHeader =
    Array.isArray(methods) &&
    methods.includes('client_secret_basic') &&
    !methods.includes('client_secret_post')
  return {
    id: clientId,
    secret: clientSecret,
    method:
      clientSecret === undefined ? 'none' : inHeader ? 'client_secret_basic' : 'client_secret_post',
    redirectUri: configuredUri,
    metadata: undefined,
  }
}
