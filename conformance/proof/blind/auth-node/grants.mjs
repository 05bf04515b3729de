// Codes, tokens and the grants they hang on. Only digests of secrets are stored.
import { createHmac } from 'node:crypto'
import { digest, random } from './http.mjs'

export function issueCode(ctx, tx, user, upstream) {
  const code = ctx.on('code-with-reserved-characters') ? `${random(24)}+/=&%` : random(32)
  const grant = {
    id: random(12),
    clientId: tx.clientId,
    user,
    upstream,
    scope: tx.scope,
    resource: tx.resource,
    access: [],
    refresh: [],
  }
  if (ctx.on('new-authorization-ends-earlier-grants')) {
    for (const one of ctx.kv.list('grant:'))
      if (one.clientId === tx.clientId && one.user.login === user.login) revokeGrant(one)
  }
  ctx.kv.put(`grant:${grant.id}`, grant)
  // The record outlives the code itself, so that a late replay is still noticed.
  ctx.kv.put(
    `code:${digest(code)}`,
    {
      grantId: grant.id,
      clientId: tx.clientId,
      redirectUri: tx.redirectUri,
      redirectGiven: tx.redirectGiven,
      challenge: tx.challenge,
      requestedScope: tx.requestedScope,
      expires: ctx.now() + ctx.lifetimes.code,
      used: false,
      pkceLost: tx.pkceLost,
    },
    86400,
  )
  return code
}

function accessTokenText(ctx, grant, record) {
  if (ctx.on('access-token-is-jwt')) {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${part({ alg: 'HS256', typ: 'at+jwt' })}.${part({
      iss: ctx.origin,
      sub: grant.user.login,
      aud: record.aud,
      client_id: grant.clientId,
      scope: record.scope.join(' '),
      iat: record.iat,
      exp: record.exp,
      jti: record.jti,
    })}`
    ctx.memory.signingKey ??= random(32)
    return `${signed}.${createHmac('sha256', ctx.memory.signingKey).update(signed).digest('base64url')}`
  }
  return random(ctx.on('long-access-tokens') ? 600 : 32)
}

export function issueAccess(ctx, grant, scope) {
  const iat = Math.floor(ctx.now())
  const record = {
    kind: 'access',
    grantId: grant.id,
    clientId: grant.clientId,
    scope,
    aud: grant.resource,
    iat,
    exp: iat + ctx.lifetimes.access,
    jti: random(12),
    revoked: false,
  }
  const token = accessTokenText(ctx, grant, record)
  record.key = `access:${digest(token)}`
  ctx.kv.put(record.key, record)
  if (ctx.on('access-token-compared-by-prefix')) ctx.kv.put(`start:${token.slice(0, 24)}`, record)
  grant.access.push(record)
  return { token, record }
}

export function issueRefresh(ctx, grant, scope, previous) {
  const token = random(32)
  const expires =
    previous && ctx.on('refresh-expiry-absolute')
      ? previous.expires
      : ctx.now() + ctx.lifetimes.refresh
  const record = {
    kind: 'refresh',
    grantId: grant.id,
    clientId: grant.clientId,
    scope,
    iat: Math.floor(ctx.now()),
    expires,
    rotated: false,
    revoked: false,
  }
  ctx.kv.put(`refresh:${digest(token)}`, record)
  grant.refresh.push(record)
  return { token, record }
}

export const grantOf = (ctx, record) => ctx.kv.get(`grant:${record.grantId}`)

export function revokeGrant(grant, { access = true, refresh = true } = {}) {
  if (access) for (const record of grant.access) record.revoked = true
  if (refresh) for (const record of grant.refresh) record.revoked = true
}

function accessLives(ctx, record, door) {
  const now = ctx.now()
  let end = record.exp
  if (ctx.on('access-outlives-its-expiry') && door === 'mcp') end += ctx.lifetimes.access
  if (ctx.on('access-dies-early') && door === 'mcp') end -= ctx.lifetimes.access / 2
  if (ctx.on('introspection-ignores-expiry') && door === 'introspect') end = Infinity
  if (now >= end) return false
  if (!record.revoked) return true
  return door === 'mcp' && ctx.on('revocation-unknown-to-resource')
}

/** The living access token, or undefined. */
export function findAccess(ctx, token, door) {
  let record = ctx.kv.get(`access:${digest(token)}`)
  if (!record && ctx.on('access-token-compared-by-prefix') && token.length >= 24)
    record = ctx.kv.get(`start:${token.slice(0, 24)}`)
  if (!record) return undefined
  if (accessLives(ctx, record, door)) {
    record.seenAt = door === 'mcp' ? ctx.now() : record.seenAt
    return record
  }
  // (switch) a verdict that was good once is believed for another five minutes
  const cached =
    ctx.on('resource-caches-verdict') &&
    door === 'mcp' &&
    ctx.now() < record.exp &&
    record.seenAt !== undefined &&
    ctx.now() < record.seenAt + 300
  return cached ? record : undefined
}

export function findRefresh(ctx, token) {
  return ctx.kv.get(`refresh:${digest(token)}`)
}

export const refreshLives = (ctx, record) =>
  !record.revoked && !record.rotated && ctx.now() < record.expires
