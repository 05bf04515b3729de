import { jsonAnswer, withHeaders } from './http.ts'
import type { Answer, Exchange } from './http.ts'
import { isConfidential } from './oauth-env.ts'
import type { Client, OAuthEnv } from './oauth-env.ts'

/** An error of the token, revocation or introspection endpoint (RFC 6749 section 5.2). */
export function endpointError(
  env: OAuthEnv,
  status: number,
  error: string,
  description: string,
): Answer {
  const { on } = env
  const fields: Record<string, string> = on('token-errors-unnamed') ? { message: error } : { error }
  if (!on('plain-errors')) fields['error_description'] = description
  if (on('error-uri-sent')) fields['error_uri'] = 'https://desk.example/errors'
  const answer = jsonAnswer(on('token-errors-200') ? 200 : status, fields)
  return withHeaders(answer, { 'Cache-Control': 'no-store', Pragma: 'no-cache' })
}

interface Credentials {
  readonly id: string | undefined
  readonly secret: string | undefined
  readonly byHeader: boolean
}

/** The authenticated client, or the answer that refuses it. */
export function authenticateClient(
  env: OAuthEnv,
  exchange: Exchange,
  form: URLSearchParams,
  options: { readonly secretOptional?: boolean } = {},
): { readonly client: Client } | { readonly refusal: Answer } {
  const { on } = env
  const credentials = readCredentials(env, exchange, form)
  if (credentials === undefined) {
    return { refusal: invalidClient(env, true, 'The Authorization header cannot be read') }
  }
  const { id, secret, byHeader } = credentials
  if (byHeader && form.has('client_secret')) {
    return {
      refusal: endpointError(env, 400, 'invalid_request', 'Two ways of client authentication'),
    }
  }
  const client = id === undefined ? undefined : env.OAUTH_KV.clients.get(id)
  if (client === undefined || (byHeader && on('basic-refused'))) {
    return { refusal: invalidClient(env, byHeader, 'The client is not known') }
  }
  if (byHeader && form.has('client_id') && form.get('client_id') !== id) {
    return { refusal: endpointError(env, 400, 'invalid_request', 'Two different client ids') }
  }
  const accepted = isConfidential(client)
    ? secretAccepted(env, client, secret, options.secretOptional === true)
    : !on('public-client-needs-secret') || secret !== undefined
  if (!accepted || !methodAccepted(env, client, credentials)) {
    return { refusal: invalidClient(env, byHeader, 'The client authentication failed') }
  }
  return { client }
}

function methodAccepted(env: OAuthEnv, client: Client, credentials: Credentials): boolean {
  if (!env.on('registered-method-enforced') || credentials.secret === undefined) return true
  return credentials.byHeader === (client.authMethod === 'client_secret_basic')
}

function secretAccepted(
  env: OAuthEnv,
  client: Client,
  secret: string | undefined,
  optional: boolean,
): boolean {
  const { on } = env
  if (secret === undefined) return optional || on('secret-optional')
  if (client.secretExpiresAt !== 0 && env.now() / 1000 >= client.secretExpiresAt) return false
  if (on('secret-unchecked')) return true
  if (on('secret-start-compared')) return secret.slice(0, 8) === client.secret?.slice(0, 8)
  if (on('secret-of-any-client')) {
    return [...env.OAUTH_KV.clients.values()].some((other) => other.secret === secret)
  }
  return secret === client.secret
}

function invalidClient(env: OAuthEnv, byHeader: boolean, description: string): Answer {
  const { on } = env
  const status =
    (byHeader && on('invalid-client-basic-400')) || (!byHeader && on('invalid-client-400'))
      ? 400
      : 401
  const answer = endpointError(env, status, 'invalid_client', description)
  return status === 400 || on('invalid-client-without-challenge')
    ? answer
    : withHeaders(answer, { 'WWW-Authenticate': 'Basic realm="token"' })
}

/** Undefined when there is an Authorization header that cannot be read. */
function readCredentials(
  env: OAuthEnv,
  exchange: Exchange,
  form: URLSearchParams,
): Credentials | undefined {
  const header = exchange.headers.authorization
  if (header === undefined) {
    return {
      id: valueOf(form, 'client_id'),
      secret: valueOf(form, 'client_secret'),
      byHeader: false,
    }
  }
  const match = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(header)
  const pair = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 0) return undefined
  const decode = env.on('basic-not-form-decoded') ? (text: string) => text : formDecode
  const secret = decode(pair.slice(colon + 1))
  return {
    id: decode(pair.slice(0, colon)),
    secret: secret === '' ? undefined : secret,
    byHeader: true,
  }
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The value of a parameter; one without a value counts as left out. */
export function valueOf(form: URLSearchParams, name: string): string | undefined {
  const value = form.getAll(name).at(-1)
  return value === undefined || value === '' ? undefined : value
}

/** The name of a parameter that occurs more than once. */
export function repeatedName(form: URLSearchParams, except: readonly string[]): string | undefined {
  const names = [...form.keys()]
  return names.find((name, at) => names.indexOf(name) < at && !except.includes(name))
}
