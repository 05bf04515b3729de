// The OAuth proxy's dealings with the upstream identity provider.
import { cookies, digest, notAllowed, random, sha256 } from './http.mjs'
import { answerClient, finish, redirect } from './authorize.mjs'
import { problemPage } from './pages.mjs'

const TIMEOUT = 30_000
// Form encoding of a single value (RFC 6749, appendix B), as Basic credentials need it.
const formEncode = (text) => new URLSearchParams({ v: text }).toString().slice(2)

/** Sends the browser on, after the consent. The state is our own, works once, and belongs to this browser. */
export function sendToUpstream(ctx, res, tx) {
  const state =
    ctx.on('upstream-state-is-clients-state') && tx.state !== undefined ? tx.state : random(32)
  const verifier = random(48)
  ctx.kv.put(
    `up:${digest(state)}`,
    { txId: tx.id, browser: tx.browser, verifier },
    ctx.lifetimes.transaction,
  )
  const scopes = [...ctx.upstream.scopes]
  if (ctx.on('upstream-gets-client-scopes')) scopes.push(...tx.scope)
  const params = {
    response_type: 'code',
    client_id: ctx.upstream.clientId,
    redirect_uri: `${ctx.origin}/callback`,
    scope: scopes.join(ctx.on('upstream-scopes-with-commas') ? ',' : ' ') || undefined,
    state,
  }
  if (!ctx.on('upstream-without-pkce')) {
    params.code_challenge = ctx.on('upstream-pkce-plain')
      ? verifier
      : sha256(verifier).toString('base64url')
    params.code_challenge_method = ctx.on('upstream-pkce-plain') ? 'plain' : 'S256'
  }
  if (ctx.on('upstream-asked-to-prompt')) params.prompt = 'consent'
  if (ctx.on('upstream-secret-in-url')) params.client_secret = ctx.upstream.clientSecret
  const target = new URL(ctx.upstream.authorizeUrl)
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) target.searchParams.set(name, value)
  redirect(ctx, res, target.href)
}

export async function callback(ctx, req, res, url) {
  if (req.method !== 'GET') return notAllowed(res, 'GET')
  const query = url.searchParams
  const key = `up:${digest(query.get('state') ?? '')}`
  const pending = ctx.kv.get(key)
  const browser = cookies(req).browser
  if (!pending) return problemPage(ctx, res, 400, 'Unknown or expired state.')
  // The answer must come to the browser in which the consent was given; else an attacker could plant his own.
  if (pending.browser !== browser && !ctx.on('callback-from-any-browser'))
    return problemPage(ctx, res, 400, 'This sign-in was begun in another browser.')
  if (!ctx.on('callback-works-twice')) ctx.kv.delete(key)
  const txId = ctx.on('callback-for-latest-request')
    ? ctx.kv.get(`latest:${browser}`)
    : pending.txId
  const tx = ctx.kv.get(`tx:${txId}`)
  if (!tx) return problemPage(ctx, res, 400, 'This request has expired.')
  if (query.has('error')) return upstreamRefused(ctx, res, tx, query.get('error'))
  const code = query.get('code')
  try {
    if (!code) throw new Error('no code')
    const tokens = await exchange(ctx, code, pending.verifier)
    const user = await userOf(ctx, tx, tokens.access_token)
    ctx.audit('upstream sign-in', { login: user.login, client: tx.clientId })
    const again = ctx.on('callback-works-twice') ? { ...tx } : tx
    finish(ctx, res, tx, user, { accessToken: tokens.access_token })
    if (again !== tx) ctx.kv.put(`tx:${tx.id}`, again, ctx.lifetimes.transaction)
  } catch (error) {
    ctx.audit('upstream failed', { message: error.message, client: tx.clientId })
    ctx.kv.delete(`tx:${tx.id}`)
    const own = ctx.on('upstream-failure-says-temporarily-unavailable')
      ? 'temporarily_unavailable'
      : 'server_error'
    answerClient(ctx, res, tx, {
      error: own,
      error_description: 'the identity provider could not be asked',
    })
  }
}

function upstreamRefused(ctx, res, tx, error) {
  ctx.kv.delete(`tx:${tx.id}`)
  ctx.audit('upstream refused', { error, client: tx.clientId })
  if (ctx.on('upstream-error-not-passed-on'))
    return problemPage(ctx, res, 502, 'The identity provider refused.')
  // Only errors that mean the same to our client are passed on; the rest are between us and the provider.
  const same =
    ['access_denied', 'temporarily_unavailable'].includes(error) &&
    !ctx.on('upstream-denial-says-server-error')
  const own = same || ctx.on('upstream-error-code-copied') ? error : 'server_error'
  return answerClient(ctx, res, tx, {
    error: own,
    error_description: 'the identity provider refused',
  })
}

async function exchange(ctx, code, verifier) {
  const { clientId, clientSecret } = ctx.upstream
  const pair = ctx.on('upstream-credentials-not-encoded')
    ? `${clientId}:${clientSecret}`
    : `${formEncode(clientId)}:${formEncode(clientSecret)}`
  const form = new URLSearchParams({ grant_type: 'authorization_code', code })
  if (!ctx.on('upstream-redirect-uri-omitted')) form.set('redirect_uri', `${ctx.origin}/callback`)
  if (!ctx.on('upstream-without-pkce') && !ctx.on('upstream-verifier-omitted'))
    form.set('code_verifier', verifier)
  if (ctx.on('upstream-client-id-in-body-too')) form.set('client_id', clientId)
  if (ctx.on('upstream-authenticated-twice')) form.set('client_secret', clientSecret)
  const response = await fetch(ctx.upstream.tokenUrl, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  const tokens = await response.json()
  if (!response.ok || typeof tokens.access_token !== 'string')
    throw new Error(`token endpoint answered ${response.status}`)
  // RFC 6749, 7.1: a token of an unknown type must not be used; the name of the type has no case.
  if (
    String(tokens.token_type).toLowerCase() !== 'bearer' &&
    !ctx.on('upstream-token-type-unchecked')
  )
    throw new Error('unknown token type')
  if (ctx.on('upstream-token-type-case-sensitive') && tokens.token_type !== 'Bearer')
    throw new Error('unknown token type')
  return tokens
}

export async function fetchUser(ctx, accessToken) {
  const url = new URL(ctx.upstream.userUrl)
  const headers = { Accept: 'application/json' }
  if (ctx.on('upstream-token-in-query')) url.searchParams.set('access_token', accessToken)
  else headers.Authorization = `Bearer ${accessToken}`
  const response = await fetch(url, {
    headers,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (!response.ok) throw new Error(`user endpoint answered ${response.status}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  const user = JSON.parse(
    bytes.toString(ctx.on('upstream-user-read-as-latin1') ? 'latin1' : 'utf8'),
  )
  if (typeof user.login !== 'string' || !user.login) throw new Error('the user has no login')
  return { login: user.login, email: user.email ?? null, name: user.name ?? null }
}

/** The context function: upstream access token in, user properties out. */
async function userOf(ctx, tx, accessToken) {
  const remember = ctx.on('user-remembered-by-client')
    ? `user-of:${tx.clientId}`
    : ctx.on('user-remembered-by-browser')
      ? `user-of:${tx.browser}`
      : undefined
  const known = remember && ctx.kv.get(remember)
  if (known) return known
  let user
  try {
    user = await fetchUser(ctx, accessToken)
  } catch (error) {
    if (!ctx.on('upstream-user-failure-ignored')) throw error
    user = { login: 'unknown', email: null, name: null }
  }
  if (ctx.on('user-properties-of-first-sign-in')) {
    user = ctx.kv.get(`user:${user.login}`) ?? ctx.kv.put(`user:${user.login}`, user)
  }
  if (remember) ctx.kv.put(remember, user)
  return user
}
