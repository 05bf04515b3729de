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

/** Dynamic client registration, RFC 7591. */
export async function register(realm: Realm, request: IncomingMessage): Promise<Reply> {
  const { vault, rules, choices, audit, now, registration } = realm
  const given = await objectOf(request)
  if (!rules.mayRegister(registration, given))
    throw new OAuthFailure(
      'registration-closed',
      'access_denied',
      'Clients are registered by whoever runs this server',
      403,
    )
  const { redirect_uris: wanted, client_name: name, client_uri: uri } = given
  if (!rules.hasRedirects(wanted))
    throw new OAuthFailure(
      'redirect-uris-missing',
      choices.missingRedirects,
      'redirect_uris has to be a list of at least one address',
    )
  const list = isTexts(wanted) ? wanted : []
  const uris = list.filter((one) => rules.mayBeRegistered(one, choices))
  if (uris.length < (choices.badRedirects === 'refused' ? list.length : Math.min(list.length, 1)))
    throw new OAuthFailure(
      'redirect-uri-unacceptable',
      'invalid_redirect_uri',
      "Each redirect URI has to be absolute, without a fragment, and https, http on loopback, or an app's own scheme",
    )
  const method =
    given['token_endpoint_auth_method'] ??
    (choices.secrets === 'on request' ? 'none' : 'client_secret_basic')
  if (!methods.includes(method as string))
    throw new OAuthFailure(
      'auth-method-unsupported',
      'invalid_client_metadata',
      `token_endpoint_auth_method has to be one of ${methods.join(', ')}`,
    )
  const grants =
    given['grant_types'] ?? (choices.unnamedGrants === 'all' ? grantTypes : grantTypes.slice(0, 1))
  if (
    !isTexts(grants) ||
    !grants.includes('authorization_code') ||
    !grants.every((one) => grantTypes.includes(one))
  )
    throw new OAuthFailure(
      'grant-types-unsupported',
      'invalid_client_metadata',
      `grant_types may hold ${grantTypes.join(' and ')}, and needs the first`,
    )
  const responses = given['response_types'] ?? ['code']
  if (!isTexts(responses) || responses.length !== 1 || responses[0] !== 'code')
    throw new OAuthFailure(
      'response-types-unsupported',
      'invalid_client_metadata',
      'response_types may hold code alone',
    )
  for (const [member, value] of Object.entries({ client_name: name, client_uri: uri })) {
    if (value !== undefined && typeof value !== 'string')
      throw new OAuthFailure(
        'metadata-not-a-string',
        'invalid_client_metadata',
        `${member} has to be a text`,
      )
  }
  const secret = method === 'none' ? undefined : rules.newSecret('secret')
  const client: ClientRecord = {
    id: randomUUID(),
    method: method as ClientMethod,
    ...(secret === undefined ? {} : { secret: digestOf(secret) }),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof uri === 'string' && /^https?:/.test(uri) ? { uri } : {}),
    redirectUris: uris,
    grants,
    issuedAt: Math.floor(now() / 1000),
  }
  await vault.put('client', client.id, client)
  audit.note({ event: 'register', outcome: 'done', client: client.id })
  return { status: 201, headers: { 'Cache-Control': 'no-store' }, body: described(client, secret) }
}

/** A client as it is told: without what is not known of it. */
function described(
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

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
