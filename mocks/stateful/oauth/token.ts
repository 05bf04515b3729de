import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { resourcesOf } from './authorize.ts'
import { authenticateClient } from './clients.ts'
import { OAuthFailure, type OAuthReason } from './failure.ts'
import { endGrant } from './grant.ts'
import { formOf, type Parameters } from './parameters.ts'
import { expiryIn, type Realm } from './realm.ts'
import type { ClientRecord, Code, Records, Token } from './records.ts'
import { withLowerCase } from './rules.ts'

/** POST /token: exchanges a code or a refresh token for new tokens. */
export async function token(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const { rules, choices } = realm
  const form = await formOf(incoming, choices)
  if (form.names().some((name) => !rules.mayRepeatParameter(name, form.all(name).length || 1)))
    throw new OAuthFailure('parameter-repeated', 'invalid_request', 'A parameter is repeated')
  const type = rules.grantTypeOf(form.get('grant_type'))
  if (type === undefined)
    throw new OAuthFailure('grant-type-missing', choices.missingGrantError, 'grant_type is missing')
  const client = await authenticateClient(realm, incoming, form)
  if (type !== 'authorization_code' && (type !== 'refresh_token' || !choices.refreshTokens))
    throw new OAuthFailure(
      'grant-type-unsupported',
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token',
    )
  if (!client.grants.includes(type))
    throw new OAuthFailure(
      'grant-type-unregistered',
      'unauthorized_client',
      'The client has not registered this grant type',
    )
  return type === 'authorization_code'
    ? exchangeCode(realm, client, form)
    : exchangeRefreshToken(realm, client, form)
}

async function exchangeCode(realm: Realm, client: ClientRecord, form: Parameters): Promise<Reply> {
  const { vault, rules, choices, audit, now } = realm
  const codeValue = form.get('code')
  if (codeValue === undefined)
    throw new OAuthFailure('code-missing', 'invalid_request', 'code is missing')
  return vault.withLock('code', codeValue, async () => {
    const code = await vault.get('code', codeValue)
    const newRefusal = (reason: OAuthReason, description: string) =>
      refuseGrant(realm, 'token', client, { reason, description })
    if (code === undefined || !rules.isCodeOfClient(code, client))
      throw newRefusal('code-unknown', 'The code is unknown')
    if (code.used && rules.codesAreSingleUse) {
      // The code may have been stolen. The thief may have sent the first request or this request.
      audit.record({
        event: 'replay',
        outcome: 'refused',
        client: client.id,
        user: code.owner.login,
        reason: 'invalid_grant',
      })
      if (choices.usedCodes === 'end the grant') await endGrant(realm, code.grantId)
      throw newRefusal('code-used', 'The code has already been used')
    }
    if (!code.used && (await vault.get('grant', code.grantId))?.ended !== false)
      throw newRefusal('grant-ended', 'The grant of the code has ended')
    if (!rules.isCodeValid(code, now())) throw newRefusal('code-expired', 'The code has expired')
    const redirectUri = form.get('redirect_uri')
    if (choices.tokenRedirect === 'required' && redirectUri === undefined)
      throw new OAuthFailure('redirect-uri-missing', 'invalid_request', 'redirect_uri is missing')
    if (choices.tokenRedirect !== 'ignored' && !rules.isRedirectUriOfCode(code, redirectUri))
      throw newRefusal('redirect-uri-mismatch', 'redirect_uri is not that of the code')
    if (!rules.isVerifierCorrect(code, form.get('code_verifier'))) {
      if (choices.wrongVerifier === 'ends the code') await vault.delete('code', codeValue)
      throw newRefusal('verifier-mismatch', 'code_verifier does not match the code')
    }
    const resources = narrowResources(realm, form.all('resource'), code.resources)
    await vault.put(
      'code',
      codeValue,
      { ...code, used: true },
      expiryIn(realm, rules.refreshSeconds),
    )
    audit.record({ event: 'token', outcome: 'done', client: client.id, user: code.owner.login })
    return issueTokens(
      realm,
      client,
      { ...code, resources },
      { requestedScopes: code.requestedScopes, refresh: undefined },
    )
  })
}

async function exchangeRefreshToken(
  realm: Realm,
  client: ClientRecord,
  form: Parameters,
): Promise<Reply> {
  const { vault, rules, choices, audit, now } = realm
  const tokenValue = form.get('refresh_token')
  if (tokenValue === undefined)
    throw new OAuthFailure('refresh-token-missing', 'invalid_request', 'refresh_token is missing')
  return vault.withLock('refresh', tokenValue, async () => {
    const old = await vault.get('refresh', tokenValue)
    const newRefusal = (reason: OAuthReason, description: string) =>
      refuseGrant(realm, 'refresh', client, { reason, description })
    if (old === undefined || !rules.isRefreshTokenOfClient(old, client))
      throw newRefusal('refresh-token-unknown', 'The refresh token is unknown')
    if (!rules.isTokenValid(old, now()) || (await vault.get('grant', old.grantId))?.ended !== false)
      throw newRefusal('refresh-token-expired', 'The refresh token has expired')
    const isAccepted =
      !old.used ||
      choices.oldRefreshTokens === 'stay valid' ||
      (choices.oldRefreshTokens === 'stay valid for retries' && old.superseded !== true)
    if (!isAccepted) {
      audit.record({
        event: 'replay',
        outcome: 'refused',
        client: client.id,
        user: old.owner.login,
        reason: 'invalid_grant',
      })
      if (choices.oldRefreshTokens === 'end the grant') await endGrant(realm, old.grantId)
      throw newRefusal('refresh-token-used', 'The refresh token has already been used')
    }
    const requested =
      form
        .get('scope')
        ?.split(' ')
        .filter((scope) => scope !== '') ?? old.scopes
    const scopes =
      choices.widerScopes === 'dropped'
        ? requested.filter((scope) => rules.mayRequestScopes([scope], old.scopes))
        : requested
    if (!rules.mayRequestScopes(scopes, old.scopes))
      throw new OAuthFailure(
        'scope-too-wide',
        'invalid_scope',
        'The scope exceeds the granted scope',
      )
    const resources = narrowResources(realm, form.all('resource'), old.resources)
    const rotates = rules.rotatesRefreshTokens && choices.rotation === 'each time'
    if (rotates) await vault.put('refresh', tokenValue, { ...old, used: true }, old.expiresAt)
    if (choices.oldRefreshTokens === 'stay valid for retries') await supersede(realm, old.replaces)
    audit.record({ event: 'refresh', outcome: 'done', client: client.id, user: old.owner.login })
    return issueTokens(
      realm,
      client,
      { ...old, resources, scopes },
      {
        requestedScopes: requested,
        refresh: rotates
          ? { scopes: old.scopes, resources: old.resources, replaces: tokenValue }
          : tokenValue,
      },
    )
  })
}

/** Ends a refresh token whose replacement is used: the client has received the replacement. */
async function supersede({ vault }: Realm, tokenValue: string | undefined): Promise<void> {
  const token = tokenValue === undefined ? undefined : await vault.get('refresh', tokenValue)
  if (token !== undefined)
    await vault.put('refresh', tokenValue!, { ...token, superseded: true }, token.expiresAt)
}

function refuseGrant(
  { audit }: Realm,
  event: 'token' | 'refresh',
  client: ClientRecord,
  { reason, description }: { reason: OAuthReason; description: string },
): OAuthFailure {
  audit.record({ event, outcome: 'refused', client: client.id, reason: 'invalid_grant' })
  return new OAuthFailure(reason, 'invalid_grant', description)
}

/** The resources of a token: the requested ones, if the user's consent covers them. */
function narrowResources(
  { origin, resources: paths, rules }: Realm,
  requested: readonly string[],
  granted: readonly string[],
): readonly string[] {
  if (requested.length === 0) return granted
  if (
    !requested.every((one) =>
      rules.isResource(one, granted.length === 0 ? resourcesOf(origin, paths) : granted, 'token'),
    )
  )
    throw new OAuthFailure(
      'resource-not-granted',
      'invalid_target',
      'That resource was not granted',
    )
  return requested.map(withLowerCase)
}

type GrantedAccess = Pick<Code | Token, 'grantId' | 'clientId' | 'owner' | 'scopes' | 'resources'>

/**
 * Issues tokens. If `refresh` is a string, it is the old refresh token, which stays valid.
 * Otherwise issues a new refresh token. It has the scopes and resources in `refresh`, or those of
 * the access token if `refresh` is undefined.
 */
async function issueTokens(
  realm: Realm,
  client: ClientRecord,
  { grantId, owner, scopes, resources }: GrantedAccess,
  {
    requestedScopes,
    refresh,
  }: {
    requestedScopes: readonly string[]
    refresh: string | Pick<Token, 'scopes' | 'resources' | 'replaces'> | undefined
  },
): Promise<Reply> {
  const { vault, rules, choices, now } = realm
  const issue = async (kind: 'access' | 'refresh', more: Partial<Token>) => {
    const secret =
      kind === 'access' && choices.tokenForm === 'like a JWT'
        ? jwtLike(rules.newSecret(kind))
        : rules.newSecret(kind)
    const expiresAt = expiryIn(
      realm,
      kind === 'access' ? rules.accessSeconds : rules.refreshSeconds,
    )
    const record: Records[typeof kind] = {
      grantId,
      clientId: client.id,
      owner,
      scopes,
      resources,
      issuedAt: now(),
      expiresAt,
      used: false,
      ...more,
    }
    // A rule decides whether a token has expired, so the store must keep the record beyond its
    // expiry.
    await vault.put(kind, secret, record, expiresAt + dayMs)
    return secret
  }
  const access = await issue('access', {})
  const mayRefresh = choices.refreshTokens && client.grants.includes('refresh_token')
  const next = !mayRefresh
    ? undefined
    : typeof refresh === 'string'
      ? refresh
      : await issue('refresh', refresh ?? {})
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
    body: {
      access_token: access,
      token_type: choices.tokenType,
      ...(choices.includesExpiry ? { expires_in: rules.accessSeconds } : {}),
      ...(next === undefined ? {} : { refresh_token: next }),
      ...(choices.includesScope === 'always' || requestedScopes.join(' ') !== scopes.join(' ')
        ? { scope: scopes.join(' ') }
        : {}),
    },
  }
}

const dayMs = 24 * 3600_000

/**
 * Returns a token that looks like a JWT but is not a JWT, because clients must treat tokens as
 * opaque.
 */
const jwtLike = (secret: string): string =>
  `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"unknown"}').toString('base64url')}.${secret}`
