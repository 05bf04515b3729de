import type { IncomingMessage } from 'node:http'
import { OAuthFailure } from './failure.ts'
import type { Parameters } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ClientRecord } from './records.ts'

/**
 * Authenticates the client of a request at the token, introspection or revocation endpoint. Throws
 * if it fails.
 */
export async function authenticateClient(
  realm: Realm,
  request: IncomingMessage,
  form: Parameters,
): Promise<ClientRecord> {
  const { vault, rules, choices, audit } = realm
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
  const client =
    (id === undefined ? undefined : await vault.get('client', id)) ?? rules.clientForUnknownId(id)
  const isAuthenticated =
    client !== undefined &&
    (client.secret === undefined ? secret === undefined : rules.isClientSecret(client, secret))
  if (isAuthenticated) return client
  audit.record({ event: 'token', outcome: 'refused', client: client?.id, reason: 'invalid_client' })
  throw new OAuthFailure(
    'client-not-authenticated',
    'invalid_client',
    'The client is unknown or not authenticated',
    basic === undefined ? choices.clientFailureStatus : 401,
  )
}

/** The form-encoded id and secret of `Authorization: Basic`; undefined without such a header. */
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
