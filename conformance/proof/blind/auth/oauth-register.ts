import { jsonAnswer, mediaType, textAnswer, withHeaders } from './http.ts'
import type { Answer, Exchange } from './http.ts'
import { isObject, parseJson, textOf } from './json.ts'
import type { JsonObject } from './json.ts'
import { seconds } from './oauth-env.ts'
import type { Client, OAuthEnv } from './oauth-env.ts'
import { isLoopback } from './oauth-redirects.ts'
import { newClientId, newClientSecret, randomValue } from './oauth-values.ts'

const authMethods = ['none', 'client_secret_basic', 'client_secret_post']
const grantTypes = ['authorization_code', 'refresh_token']
const knownMetadata = [
  'redirect_uris',
  'token_endpoint_auth_method',
  'grant_types',
  'response_types',
  'client_name',
  'client_uri',
  'logo_uri',
  'scope',
  'contacts',
  'tos_uri',
  'policy_uri',
  'jwks_uri',
  'jwks',
  'software_id',
  'software_version',
  'software_statement',
  'application_type',
]

/** Dynamic client registration (RFC 7591). */
export function register(env: OAuthEnv, exchange: Exchange): Answer {
  const { on } = env
  const metadata = mediaType(exchange) === 'application/json' ? parseJson(exchange.body) : undefined
  if (!isObject(metadata)) {
    return fault(env, 'invalid_client_metadata', 'The body must be a JSON object')
  }
  const redirectUris = readRedirectUris(env, metadata['redirect_uris'])
  if (redirectUris === undefined) {
    return fault(env, 'invalid_redirect_uri', 'redirect_uris must list https or loopback URIs')
  }
  const unknown = Object.keys(metadata).find((name) => !knownMetadata.includes(name))
  if (on('unknown-metadata-refused') && unknown !== undefined) {
    return fault(env, 'invalid_client_metadata', `${unknown} is not known`)
  }
  const method = metadata['token_endpoint_auth_method'] ?? 'client_secret_basic'
  if (typeof method !== 'string' || !authMethods.includes(method)) {
    return fault(env, 'invalid_client_metadata', 'token_endpoint_auth_method is not supported')
  }
  const grants = readGrantTypes(env, metadata['grant_types'])
  const responseTypes = metadata['response_types'] ?? ['code']
  if (grants === undefined || !Array.isArray(responseTypes) || !responseTypes.includes('code')) {
    return fault(env, 'invalid_client_metadata', 'grant_types or response_types are not supported')
  }
  const client =
    knownClient(env, metadata) ?? makeClient(env, metadata, redirectUris, method, grants)
  env.OAUTH_KV.clients.set(client.id, client)
  env.OAUTH_KV.clientsByMetadata.set(JSON.stringify(metadata), client)
  return created(env, client, metadata)
}

/** The client configuration endpoint (RFC 7592, read only); served under a switch only. */
export function readRegistration(env: OAuthEnv, exchange: Exchange): Answer {
  const body = env.OAUTH_KV.managed.get(exchange.path)
  if (body === undefined) return textAnswer(404, 'Not found')
  const token = String(body['registration_access_token'])
  return exchange.headers.authorization === `Bearer ${token}`
    ? withHeaders(jsonAnswer(200, body), { 'Cache-Control': 'no-store' })
    : withHeaders(textAnswer(401, 'Unauthorized'), { 'WWW-Authenticate': 'Bearer' })
}

function fault(env: OAuthEnv, error: string, description: string): Answer {
  const { on } = env
  const status = on('register-error-200') ? 200 : 400
  if (on('register-error-text')) return textAnswer(status, description)
  const body = on('plain-errors') ? { error } : { error, error_description: description }
  return withHeaders(jsonAnswer(status, body), { 'Cache-Control': 'no-store' })
}

function readRedirectUris(env: OAuthEnv, value: unknown): readonly string[] | undefined {
  if (value === undefined && env.on('register-without-redirects')) return []
  if (!Array.isArray(value) || value.length === 0) return undefined
  const uris = value.filter((uri): uri is string => typeof uri === 'string')
  const all = uris.length === value.length && uris.every((uri) => redirectUriAllowed(env, uri))
  return all ? uris : undefined
}

function redirectUriAllowed(env: OAuthEnv, uri: string): boolean {
  const { on } = env
  if (!URL.canParse(uri) || /[\s<>"]/.test(uri)) return false
  if (uri.includes('#') && !on('register-fragment')) return false
  const scheme = new URL(uri).protocol
  if (scheme === 'https:') return true
  if (scheme === 'http:') return isLoopback(uri) || on('register-plain-http')
  return (scheme === 'javascript:' || scheme === 'data:') && on('register-script-uris')
}

function readGrantTypes(env: OAuthEnv, value: unknown): readonly string[] | undefined {
  if (value === undefined) {
    const codeOnly = env.on('code-grant-only-by-default') || !refreshOffered(env)
    return codeOnly ? ['authorization_code'] : grantTypes
  }
  if (!Array.isArray(value) || !value.includes('authorization_code')) return undefined
  return grantTypes.filter(
    (type) => value.includes(type) && (type !== 'refresh_token' || refreshOffered(env)),
  )
}

export function refreshOffered(env: OAuthEnv): boolean {
  return !env.on('no-refresh-tokens-at-proxy')
}

/** Under a switch, one public client registers as several instances with one id. */
function knownClient(env: OAuthEnv, metadata: JsonObject): Client | undefined {
  const shared =
    env.on('same-metadata-same-client') && metadata['token_endpoint_auth_method'] === 'none'
  return shared ? env.OAUTH_KV.clientsByMetadata.get(JSON.stringify(metadata)) : undefined
}

function makeClient(
  env: OAuthEnv,
  metadata: JsonObject,
  redirectUris: readonly string[],
  wantedMethod: string,
  grants: readonly string[],
): Client {
  const { on, upstream } = env
  const shared = on('register-returns-upstream-client')
  let method = wantedMethod
  if (on('clients-always-public')) method = 'none'
  if ((on('clients-always-confidential') || shared) && method === 'none')
    method = 'client_secret_post'
  const asked = (textOf(metadata['scope']) ?? '')
    .split(' ')
    .filter((scope) => env.scopes.includes(scope))
  const client: Client = {
    id: shared ? upstream.clientId : newClientId(env),
    secretExpiresAt: on('client-secrets-expire') ? seconds(env.now()) + 30 * 86_400 : 0,
    name: textOf(metadata['client_name']) ?? 'Unnamed client',
    redirectUris,
    anyRedirect: redirectUris.length === 0,
    authMethod: method,
    grantTypes: grants,
    scopes: asked.length > 0 ? asked : env.scopes,
    exchanges: 0,
  }
  const secret = shared ? upstream.clientSecret : newClientSecret(env)
  return method === 'none' ? client : { ...client, secret }
}

function created(env: OAuthEnv, client: Client, metadata: JsonObject): Answer {
  const { on } = env
  const body: JsonObject = { client_id: client.id }
  if (client.secret !== undefined) {
    body['client_secret'] = client.secret
    if (!on('secret-expiry-missing')) body['client_secret_expires_at'] = client.secretExpiresAt
  }
  if (!on('register-answer-bare')) {
    Object.assign(body, {
      client_id_issued_at: seconds(env.now()),
      redirect_uris: client.redirectUris,
      grant_types: client.grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: client.authMethod,
      scope: client.scopes.join(' '),
      ...(metadata['client_name'] === undefined ? {} : { client_name: client.name }),
    })
  }
  if (on('management-fields')) {
    const path = `/register/${randomValue(12)}`
    body['registration_access_token'] = randomValue()
    body['registration_client_uri'] = `${env.origin}${path}`
    env.OAUTH_KV.managed.set(path, body)
  }
  return withHeaders(jsonAnswer(on('register-200') ? 200 : 201, body), {
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
  })
}
