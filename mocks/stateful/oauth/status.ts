import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { clientOf } from './clients.ts'
import { OAuthFailure } from './failure.ts'
import { end } from './grant.ts'
import { formOf } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ClientRecord, Token } from './records.ts'

/** POST /introspect, RFC 7662: what a token is, for the client that it was given to, if that can prove who it is. */
export async function introspect(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const { client, given } = await asked(realm, incoming)
  if (client.secret === undefined)
    throw new OAuthFailure(
      'client-public',
      'invalid_client',
      'Only clients with a secret may ask',
      401,
    )
  const { kind, token } = await found(realm, given)
  const isActive =
    token !== undefined &&
    token.clientId === client.id &&
    !token.used &&
    (await works(realm, token))
  realm.audit.note({ event: 'introspect', outcome: 'done', client: client.id })
  const headers = { 'Cache-Control': 'no-store' }
  if (!isActive) return { status: 200, headers, body: { active: false } }
  const { scopes, subject, issuedAt, expiresAt, resources } = token
  return {
    status: 200,
    headers,
    body: {
      active: true,
      scope: scopes.join(' '),
      client_id: client.id,
      username: subject.login,
      sub: subject.login,
      ...(kind === 'access' ? { token_type: realm.choices.tokenType } : {}),
      iat: Math.floor(issuedAt / 1000),
      exp: Math.floor(expiresAt / 1000),
      aud: resources.length === 0 ? realm.origin : resources,
      iss: realm.origin,
    },
  }
}

/** POST /revoke, RFC 7009: a refresh token ends with its grant, an access token alone. What there is not needs no end. */
export async function revoke(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const { client, given } = await asked(realm, incoming)
  const { kind, token } = await found(realm, given)
  if (token !== undefined && token.clientId !== client.id)
    throw new OAuthFailure(
      'token-of-another-client',
      'invalid_grant',
      'The token was given to another client',
    )
  if (token !== undefined) {
    await realm.vault.delete(kind, given)
    if (kind === 'refresh' || realm.choices.revocation === 'of the grant')
      await end(realm, token.grantId)
  }
  realm.audit.note({
    event: 'revoke',
    outcome: 'done',
    client: client.id,
    user: token?.subject.login,
  })
  return { status: 200, headers: { 'Cache-Control': 'no-store' } }
}

async function asked(
  realm: Realm,
  incoming: IncomingMessage,
): Promise<{ client: ClientRecord; given: string }> {
  const form = await formOf(incoming, realm.choices)
  if (form.names().some((name) => !realm.rules.mayRepeat(name, form.all(name).length || 1)))
    throw new OAuthFailure(
      'parameter-repeated',
      'invalid_request',
      'A parameter came more than once',
    )
  const client = await clientOf(realm, incoming, form)
  const given = form.get('token')
  if (given === undefined)
    throw new OAuthFailure('token-missing', 'invalid_request', 'token is missing')
  return { client, given }
}

async function found(
  { vault }: Realm,
  given: string,
): Promise<{ kind: 'access' | 'refresh'; token: Token | undefined }> {
  const access = await vault.get('access', given)
  return access === undefined
    ? { kind: 'refresh', token: await vault.get('refresh', given) }
    : { kind: 'access', token: access }
}

/** Whether a token has not ended, and neither has what its user allowed. */
export async function works({ vault, rules, now }: Realm, token: Token): Promise<boolean> {
  return (
    rules.tokenLasts(token, now()) && (await vault.get('grant', token.grantId))?.ended === false
  )
}
