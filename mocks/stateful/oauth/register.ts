import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { OAuthFailure } from './failure.ts'
import { objectOf } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ClientRecord, ClientMethod } from './records.ts'
import { digestOf } from './seal.ts'

const methods: readonly string[] = ['none', 'client_secret_basic', 'client_secret_post']
const grantTypes: readonly string[] = ['authorization_code', 'refresh_token']

/** POST /register: registers a client dynamically (RFC 7591). */
export async function register(realm: Realm, request: IncomingMessage): Promise<Reply> {
  const { vault, rules, choices, audit, now, registration } = realm
  const clientMetadata = await objectOf(request)
  if (!rules.mayRegister(registration, clientMetadata))
    throw new OAuthFailure(
      'registration-closed',
      'access_denied',
      'Clients are registered by the operator of this server',
      403,
    )
  const { redirect_uris: redirectUris, client_name: name, client_uri: uri } = clientMetadata
  if (!rules.hasRedirectUris(redirectUris))
    throw new OAuthFailure(
      'redirect-uris-missing',
      choices.missingRedirects,
      'redirect_uris must be a non-empty list of strings',
    )
  const list = isStringArray(redirectUris) ? redirectUris : []
  const uris = list.filter((one) => rules.mayRegisterRedirectUri(one, choices))
  if (
    uris.length < (choices.invalidRedirects === 'refused' ? list.length : Math.min(list.length, 1))
  )
    throw new OAuthFailure(
      'redirect-uri-unacceptable',
      'invalid_redirect_uri',
      'Each redirect URI must be absolute, without a fragment, and use https, http on loopback, or the scheme of an app',
    )
  const method =
    clientMetadata['token_endpoint_auth_method'] ??
    (choices.secrets === 'on request' ? 'none' : 'client_secret_basic')
  if (!methods.includes(method as string))
    throw new OAuthFailure(
      'auth-method-unsupported',
      'invalid_client_metadata',
      `token_endpoint_auth_method must be one of ${methods.join(', ')}`,
    )
  const grants =
    clientMetadata['grant_types'] ??
    (choices.defaultGrants === 'all' ? grantTypes : grantTypes.slice(0, 1))
  if (
    !isStringArray(grants) ||
    !grants.includes('authorization_code') ||
    !grants.every((one) => grantTypes.includes(one))
  )
    throw new OAuthFailure(
      'grant-types-unsupported',
      'invalid_client_metadata',
      `grant_types must contain authorization_code, and no value other than ${grantTypes.join(' and ')}`,
    )
  const responses = clientMetadata['response_types'] ?? ['code']
  if (!isStringArray(responses) || responses.length !== 1 || responses[0] !== 'code')
    throw new OAuthFailure(
      'response-types-unsupported',
      'invalid_client_metadata',
      'response_types must contain only code',
    )
  for (const [member, value] of Object.entries({ client_name: name, client_uri: uri })) {
    if (value !== undefined && typeof value !== 'string')
      throw new OAuthFailure(
        'metadata-not-a-string',
        'invalid_client_metadata',
        `${member} must be a string`,
      )
  }
  const secret = method === 'none' ? undefined : rules.newSecret('secret')
  const client: ClientRecord = {
    id:
      choices.sameMetadata === 'one client' && secret === undefined
        ? digestOf(JSON.stringify(clientMetadata))
        : randomUUID(),
    method: method as ClientMethod,
    ...(secret === undefined ? {} : { secret: digestOf(secret) }),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof uri === 'string' && /^https?:/.test(uri) ? { uri } : {}),
    redirectUris: uris,
    grants,
    issuedAt: Math.floor(now() / 1000),
  }
  await vault.put('client', client.id, client)
  audit.record({ event: 'register', outcome: 'done', client: client.id })
  return {
    status: 201,
    headers: { 'Cache-Control': 'no-store' },
    body: describeClient(client, secret),
  }
}

/** The registration response of a client. */
function describeClient(
  { id, method, name, uri, redirectUris, grants, issuedAt }: ClientRecord,
  secret: string | undefined,
): object {
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    ...(name === undefined ? {} : { client_name: name }),
    ...(uri === undefined ? {} : { client_uri: uri }),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method,
    grant_types: grants,
    response_types: ['code'],
  }
}

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
