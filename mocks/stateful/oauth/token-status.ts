import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { authenticateClient } from './clients.ts'
import { OAuthFailure } from './failure.ts'
import { endGrant } from './grant.ts'
import { formOf } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ClientRecord, Token } from './records.ts'

/** POST /introspect (RFC 7662): describes a token to the confidential client that received it. */
export async function introspect(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const { client, value } = await readTokenRequest(realm, incoming)
  if (client.secret === undefined)
    throw new OAuthFailure(
      'client-public',
      'invalid_client',
      'Only clients with a secret may introspect tokens',
      401,
    )
  const { kind, token } = await findToken(realm, value)
  const isActiveToken =
    token !== undefined &&
    token.clientId === client.id &&
    !token.used &&
    (await isActive(realm, token))
  realm.audit.record({ event: 'introspect', outcome: 'done', client: client.id })
  const headers = { 'Cache-Control': 'no-store' }
  if (!isActiveToken) return { status: 200, headers, body: { active: false } }
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

/**
 * POST /revoke (RFC 7009): ends a refresh token with its grant, or an access token, whose grant
 * ends only if the choice `revocation` is `of the grant`. Unknown tokens are ignored.
 */
export async function revoke(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const { client, value } = await readTokenRequest(realm, incoming)
  const { kind, token } = await findToken(realm, value)
  if (token !== undefined && !realm.rules.mayRevoke(token, client))
    throw new OAuthFailure(
      'token-of-another-client',
      'invalid_grant',
      'The token was issued to another client',
    )
  if (token !== undefined) {
    await realm.vault.delete(kind, value)
    if (kind === 'refresh' || realm.choices.revocation === 'of the grant')
      await endGrant(realm, token.grantId)
  }
  realm.audit.record({
    event: 'revoke',
    outcome: 'done',
    client: client.id,
    user: token?.subject.login,
  })
  return { status: 200, headers: { 'Cache-Control': 'no-store' } }
}

async function readTokenRequest(
  realm: Realm,
  incoming: IncomingMessage,
): Promise<{ client: ClientRecord; value: string }> {
  const form = await formOf(incoming, realm.choices)
  if (
    form.names().some((name) => !realm.rules.mayRepeatParameter(name, form.all(name).length || 1))
  )
    throw new OAuthFailure('parameter-repeated', 'invalid_request', 'A parameter is repeated')
  const client = await authenticateClient(realm, incoming, form)
  const value = form.get('token')
  if (value === undefined)
    throw new OAuthFailure('token-missing', 'invalid_request', 'token is missing')
  return { client, value }
}

async function findToken(
  { vault }: Realm,
  value: string,
): Promise<{ kind: 'access' | 'refresh'; token: Token | undefined }> {
  const access = await vault.get('access', value)
  return access === undefined
    ? { kind: 'refresh', token: await vault.get('refresh', value) }
    : { kind: 'access', token: access }
}

/** Whether neither the token nor its grant has ended. */
export async function isActive({ vault, rules, now }: Realm, token: Token): Promise<boolean> {
  return (
    rules.isTokenValid(token, now()) && (await vault.get('grant', token.grantId))?.ended === false
  )
}
