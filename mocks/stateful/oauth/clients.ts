import type { IncomingMessage } from 'node:http'
import { OAuthFailure } from './failure.ts'
import type { Parameters } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ClientRecord } from './records.ts'

/** The client that a request at the token endpoint and beside it comes from. Who cannot prove it is refused. */
export async function clientOf(
  realm: Realm,
  request: IncomingMessage,
  form: Parameters,
): Promise<ClientRecord> {
  const { vault, rules, choices, audit } = realm
  const basic = choices.basic === 'taken' ? basicOf(request) : undefined
  const [id, secret] = basic ?? [form.get('client_id'), form.get('client_secret')]
  if (basic !== undefined && form.get('client_secret') !== undefined)
    throw new OAuthFailure(
      'client-authenticates-twice',
      'invalid_request',
      'The client proves in two ways who it is',
    )
  if (basic !== undefined && form.get('client_id') !== undefined && form.get('client_id') !== id)
    throw new OAuthFailure('two-clients', 'invalid_request', 'Two clients are named')
  const client =
    (id === undefined ? undefined : await vault.get('client', id)) ?? rules.stranger(id)
  const isProven =
    client !== undefined &&
    (client.secret === undefined ? secret === undefined : rules.authenticates(client, secret))
  if (isProven) return client
  audit.note({ event: 'token', outcome: 'refused', client: client?.id, reason: 'invalid_client' })
  throw new OAuthFailure(
    'client-not-authenticated',
    'invalid_client',
    'The client is not known, or did not prove who it is',
    basic === undefined ? choices.strangerClientStatus : 401,
  )
}

/** The id and the secret of `Authorization: Basic`, each of them encoded as in a form; undefined without such a header. */
function basicOf({
  headers: { authorization = '' },
}: IncomingMessage): [id: string, secret: string] | undefined {
  const given = /^basic +(\S*) *$/i.exec(authorization)?.[1]
  if (given === undefined) return undefined
  const [, id = '', secret = ''] =
    /^([^:]*):?(.*)$/s.exec(Buffer.from(given, 'base64').toString()) ?? []
  return [decoded(id), decoded(secret)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
