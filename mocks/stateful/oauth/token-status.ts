import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { authenticateClient, authenticateResourceServer } from './clients.ts'
import { OAuthFailure } from './failure.ts'
import { endGrant } from './grant.ts'
import { formOf, type Parameters } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ClientRecord, Token } from './records.ts'

/**
 * POST /introspect (RFC 7662): describes an access token to a resource server, or a token to the
 * confidential client that received it.
 */
export async function introspect(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const form = await readForm(realm, incoming)
  const server = authenticateResourceServer(realm, incoming, form)
  const client =
    server === undefined ? await authenticateConfidentialClient(realm, incoming, form) : undefined
  const { kind, token } = await findToken(realm, tokenIn(form))
  const mayDescribe = client === undefined ? kind === 'access' : token?.clientId === client.id
  const isActiveToken =
    token !== undefined && mayDescribe && !token.used && (await isActive(realm, token))
  realm.audit.record({ event: 'introspect', outcome: 'done', client: client?.id ?? server?.id })
  const headers = { 'Cache-Control': 'no-store' }
  if (!isActiveToken) return { status: 200, headers, body: { active: false } }
  const { clientId, scopes, owner, issuedAt, expiresAt, resources } = token
  return {
    status: 200,
    headers,
    body: {
      active: true,
      scope: scopes.join(' '),
      client_id: clientId,
      username: owner.login,
      sub: owner.login,
      ...(kind === 'access' ? { token_type: realm.choices.tokenType } : {}),
      iat: Math.floor(issuedAt / 1000),
      exp: Math.floor(expiresAt / 1000),
      aud: resources.length === 0 ? realm.origin : resources,
      iss: realm.origin,
    },
  }
}

/**
 * POST /revoke (RFC 7009): ends a refresh token together with its grant, or an access token. The
 * grant of an access token ends only if the choice `revocation` is `of the grant`. Unknown tokens
 * are ignored.
 */
export async function revoke(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const form = await readForm(realm, incoming)
  const client = await authenticateClient(realm, incoming, form)
  const value = tokenIn(form)
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
    user: token?.owner.login,
  })
  return { status: 200, headers: { 'Cache-Control': 'no-store' } }
}

async function authenticateConfidentialClient(
  realm: Realm,
  incoming: IncomingMessage,
  form: Parameters,
): Promise<ClientRecord> {
  const client = await authenticateClient(realm, incoming, form)
  const isAllowed = realm.choices.introspection !== 'by resource servers'
  if (client.secret !== undefined && isAllowed) return client
  throw new OAuthFailure(
    'client-public',
    'invalid_client',
    isAllowed
      ? 'Only resource servers and clients with a secret may introspect tokens'
      : 'Only resource servers may introspect tokens',
    401,
  )
}

async function readForm(realm: Realm, incoming: IncomingMessage): Promise<Parameters> {
  const form = await formOf(incoming, realm.choices)
  if (
    form.names().some((name) => !realm.rules.mayRepeatParameter(name, form.all(name).length || 1))
  )
    throw new OAuthFailure('parameter-repeated', 'invalid_request', 'A parameter is repeated')
  return form
}

function tokenIn(form: Parameters): string {
  const value = form.get('token')
  if (value === undefined)
    throw new OAuthFailure('token-missing', 'invalid_request', 'token is missing')
  return value
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

/** Whether both the token and its grant are still valid. */
export async function isActive({ vault, rules, now }: Realm, token: Token): Promise<boolean> {
  return (
    rules.isTokenValid(token, now()) && (await vault.get('grant', token.grantId))?.ended === false
  )
}
