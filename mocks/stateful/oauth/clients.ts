import type { IncomingMessage } from 'node:http'
import { OAuthFailure } from './failure.ts'
import type { Parameters } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ClientRecord, ResourceServer } from './records.ts'

/**
 * Authenticates the client of a request at the token, introspection or revocation endpoint. Throws
 * an `OAuthFailure` if authentication fails.
 */
export async function authenticateClient(
  realm: Realm,
  request: IncomingMessage,
  form: Parameters,
): Promise<ClientRecord> {
  const { vault, rules } = realm
  const credentials = credentialsOf(realm, request, form)
  const { id, secret } = credentials
  const client =
    (id === undefined ? undefined : await vault.get('client', id)) ?? rules.clientForUnknownId(id)
  const isAuthenticated =
    client !== undefined &&
    (client.secret === undefined ? secret === undefined : rules.isClientSecret(client, secret))
  if (isAuthenticated) return client
  throw newRefusal(realm, credentials, client?.id)
}

/**
 * Authenticates the resource server of a request at the introspection endpoint. Returns undefined
 * if the credentials do not contain the id of a resource server. Throws an `OAuthFailure` if the
 * secret is wrong.
 */
export function authenticateResourceServer(
  realm: Realm,
  request: IncomingMessage,
  form: Parameters,
): ResourceServer | undefined {
  const credentials = credentialsOf(realm, request, form)
  const server = realm.resourceServers.find(({ id }) => id === credentials.id)
  if (server === undefined || realm.rules.isResourceServerSecret(server, credentials.secret))
    return server
  throw newRefusal(realm, credentials, server.id)
}

interface Credentials {
  id: string | undefined
  secret: string | undefined
  /** Whether the credentials were sent in the Authorization header. */
  isBasic: boolean
}

/**
 * Reads the credentials of a request. Throws if the request uses two authentication methods, or
 * names two clients.
 */
function credentialsOf(
  { choices }: Realm,
  request: IncomingMessage,
  form: Parameters,
): Credentials {
  const basic = choices.basic === 'accepted' ? basicOf(request) : undefined
  const [id, secret] = basic ?? [form.get('client_id'), form.get('client_secret')]
  if (basic !== undefined && form.get('client_secret') !== undefined)
    throw new OAuthFailure(
      'client-authenticates-twice',
      'invalid_request',
      'The client used two authentication methods',
    )
  if (basic !== undefined && form.get('client_id') !== undefined && form.get('client_id') !== id)
    throw new OAuthFailure('two-clients', 'invalid_request', 'The request names two clients')
  return { id, secret, isBasic: basic !== undefined }
}

/** Records a failed authentication, and returns the error. */
function newRefusal(
  { audit, choices }: Realm,
  { isBasic }: Credentials,
  client: string | undefined,
): OAuthFailure {
  audit.record({ event: 'token', outcome: 'refused', client, reason: 'invalid_client' })
  return new OAuthFailure(
    'client-not-authenticated',
    'invalid_client',
    'The client is unknown or not authenticated',
    isBasic ? 401 : choices.clientFailureStatus,
  )
}

/** The decoded id and secret of `Authorization: Basic`; undefined without such a header. */
function basicOf({
  headers: { authorization = '' },
}: IncomingMessage): [id: string, secret: string] | undefined {
  const encoded = /^basic +(\S*) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const [, id = '', secret = ''] =
    /^([^:]*):?(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return [decodeFormValue(id), decodeFormValue(secret)]
}

function decodeFormValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
