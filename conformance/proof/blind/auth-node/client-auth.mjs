// Authentication of clients at the token and the revocation endpoint (OAuth 2.1, 2.4).
import { digest, noStore, sameText, sendJson } from './http.mjs'

export function oauthError(ctx, res, status, error, description, headers = {}) {
  const body = { error }
  if (description && !ctx.on('errors-without-description')) body.error_description = description
  sendJson(res, status, body, { ...noStore, ...headers })
}

/** Basic credentials; both parts are form-encoded (OAuth 2.1, 2.4.1). */
export function basicCredentials(ctx, header) {
  const match = /^basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '')
  if (!match) return undefined
  const text = Buffer.from(match[1], 'base64').toString('utf8')
  const at = text.indexOf(':')
  if (at < 0) return undefined
  const pair = [text.slice(0, at), text.slice(at + 1)]
  if (ctx.on('basic-credentials-not-decoded')) return { id: pair[0], secret: pair[1] }
  try {
    const [id, secret] = pair.map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    return { id, secret }
  } catch {
    return undefined
  }
}

function secretIsRight(ctx, client, secret) {
  if (
    ctx.on('client-secret-compared-by-prefix') &&
    digest(secret.slice(0, 16)) === client.secretStart
  )
    return true
  if (client.client_secret_expires_at && ctx.now() >= client.client_secret_expires_at) return false
  return sameText(digest(secret), client.secretDigest)
}

/** The client, or undefined after the refusal has been sent. */
export function authenticateClient(ctx, req, res, form, door) {
  const header = req.headers.authorization
  const refuse = (description) => {
    ctx.audit('client authentication failed', { door, description })
    let status = 401
    if (header === undefined && ctx.on('invalid-client-400-without-header')) status = 400
    if (ctx.on('unknown-client-says-invalid-grant') && description === 'unknown client') {
      oauthError(ctx, res, 400, 'invalid_grant', description)
      return undefined
    }
    const challenge =
      status === 401 && !ctx.on('basic-challenge-missing')
        ? { 'WWW-Authenticate': 'Basic realm="notes", charset="UTF-8"' }
        : {}
    oauthError(ctx, res, status, 'invalid_client', description, challenge)
    return undefined
  }

  let method = 'none'
  let id = form.get('client_id')
  let secret
  if (header !== undefined) {
    const basic = basicCredentials(ctx, header)
    if (!basic) return refuse('malformed credentials')
    if (form.get('client_secret') !== undefined && !ctx.on('two-authentication-methods-accepted')) {
      oauthError(ctx, res, 400, 'invalid_request', 'more than one authentication method')
      return undefined
    }
    if (id !== undefined && id !== basic.id) {
      oauthError(ctx, res, 400, 'invalid_request', 'two different client identifiers')
      return undefined
    }
    ;({ id, secret } = basic)
    method = 'client_secret_basic'
  } else if (form.get('client_secret') !== undefined) {
    secret = form.get('client_secret')
    method = 'client_secret_post'
  }
  if (id === undefined) return refuse('client identification is missing')
  const client = ctx.kv.get(`client:${id}`)
  if (!client) return refuse('unknown client')
  const registered = client.token_endpoint_auth_method
  if (registered === 'none') {
    // A public client has no secret; one that sends some secret is not the client it claims to be.
    if (method !== 'none') return refuse('this client has no secret')
    return client
  }
  if (method === 'none') {
    if (ctx.on('client-secret-optional')) return client
    if (door === 'revoke' && ctx.on('revocation-without-client-authentication')) return client
    if (form.get('grant_type') === 'refresh_token' && ctx.on('client-secret-optional-at-refresh'))
      return client
    return refuse('client authentication is missing')
  }
  if (method !== registered && !ctx.on('either-secret-method-accepted'))
    return refuse('another authentication method is registered')
  if (!secretIsRight(ctx, client, secret)) return refuse('wrong credentials')
  return client
}
