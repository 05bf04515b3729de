import { cookieValue } from './http.ts'
import type { Answer, Exchange } from './http.ts'
import { isObject, parseJson, textOf } from './json.ts'
import { anonymous } from './mcp.ts'
import { finish } from './oauth-consent.ts'
import { cookieName } from './oauth-env.ts'
import type { OAuthEnv, Transaction } from './oauth-env.ts'
import { errorPage } from './oauth-pages.ts'
import { redirectTo, redirectToClient } from './oauth-redirects.ts'
import { randomValue, s256 } from './oauth-values.ts'
import { UpstreamStatus } from './tools.ts'
import type { User } from './types.ts'

export function callbackPath(env: OAuthEnv): string {
  return env.on('other-callback-path') ? '/oauth/return' : '/callback'
}

function upstreamRedirectUri(env: OAuthEnv, transaction: Transaction): string {
  return env.on('upstream-redirect-to-client')
    ? transaction.redirectUri
    : `${env.origin}${callbackPath(env)}`
}

/** Redirects the browser to the authorization endpoint of the identity provider. */
export function goUpstream(env: OAuthEnv, transaction: Transaction): Answer {
  const { on, upstream, OAUTH_KV: store } = env
  store.transactions.delete(transaction.id)
  const state = newState(env)
  store.upstreamStates.set(state, transaction)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: upstream.clientId,
    redirect_uri: upstreamRedirectUri(env, transaction),
  })
  const scopes = upstream.scopes.filter(
    (scope) => !on('upstream-scopes-as-requested') || transaction.scopes.includes(scope),
  )
  if (on('upstream-scopes-widened')) scopes.push('admin:all')
  if (!on('upstream-scopes-left-out')) query.set('scope', scopes.join(' '))
  query.set('state', state)
  if (on('upstream-extra-parameters')) {
    query.set('prompt', 'select_account')
    query.set('access_type', 'offline')
  }
  if (on('upstream-pkce')) {
    transaction.upstreamVerifier = randomValue()
    query.set('code_challenge', s256(transaction.upstreamVerifier))
    query.set('code_challenge_method', 'S256')
  }
  if (on('upstream-secret-in-url')) query.set('client_secret', upstream.clientSecret)
  return redirectTo(env, `${env.identityBase()}/authorize?${query.toString()}`)
}

function newState(env: OAuthEnv): string {
  if (env.on('upstream-states-counted')) {
    env.OAUTH_KV.counter += 1
    return String(env.OAUTH_KV.counter)
  }
  return randomValue(env.on('long-upstream-state') ? 525 : 32)
}

/** The redirect URI of this server at the identity provider. */
export async function callback(env: OAuthEnv, exchange: Exchange): Promise<Answer> {
  const { on } = env
  const transaction = takeTransaction(env, exchange)
  if (transaction === undefined || env.now() >= transaction.expiresAt) {
    return errorPage(env, 400, 'invalid_request', 'This sign-in is not known or too old.')
  }
  const upstreamError = exchange.query.get('error')
  const code = exchange.query.get('code')
  if (upstreamError === 'access_denied') {
    if (on('upstream-denial-page'))
      return errorPage(env, 403, 'access_denied', 'The sign-in was denied.')
    if (on('upstream-denial-issues-code')) return finish(env, transaction, anonymous)
    return redirectToClient(env, transaction, {
      error: 'access_denied',
      error_description: 'The sign-in at the identity provider was denied',
    })
  }
  if (upstreamError !== null || code === null) return upstreamFailed(env, transaction)
  let user: User
  try {
    user = await signedInUser(env, transaction, code)
  } catch {
    return upstreamFailed(env, transaction)
  }
  return on('upstream-code-forwarded')
    ? finish(env, transaction, user, code)
    : finish(env, transaction, user)
}

/** The request that a callback continues; each state works once. */
function takeTransaction(env: OAuthEnv, exchange: Exchange): Transaction | undefined {
  const { on, OAUTH_KV: store } = env
  const state = exchange.query.get('state') ?? ''
  const cookie = cookieValue(exchange, cookieName)
  const transaction = store.upstreamStates.get(state)
  if (transaction === undefined) {
    return on('callback-state-ignored') && cookie !== undefined
      ? store.browsers.get(cookie)?.latest
      : undefined
  }
  const sameBrowser = cookie === transaction.browser || on('callback-from-other-browser')
  if (!sameBrowser && !on('no-cookies')) return undefined
  store.upstreamStates.delete(state)
  return transaction
}

function upstreamFailed(env: OAuthEnv, transaction: Transaction): Answer {
  const error = env.on('upstream-failure-is-temporary') ? 'temporarily_unavailable' : 'server_error'
  return redirectToClient(env, transaction, {
    error,
    error_description: 'The identity provider failed',
  })
}

async function signedInUser(env: OAuthEnv, transaction: Transaction, code: string): Promise<User> {
  let accessToken: string
  try {
    accessToken = await exchangeCode(env, transaction, code)
  } catch (error) {
    if (env.on('upstream-token-failure-ignored')) return anonymous
    throw error
  }
  try {
    return await fetchUser(env, accessToken)
  } catch (error) {
    if (env.on('upstream-user-failure-ignored')) return anonymous
    throw error
  }
}

async function exchangeCode(
  env: OAuthEnv,
  transaction: Transaction,
  code: string,
): Promise<string> {
  const { upstream } = env
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: upstreamRedirectUri(env, transaction),
  })
  if (transaction.upstreamVerifier !== undefined) {
    form.set('code_verifier', transaction.upstreamVerifier)
  }
  const headers: Record<string, string> = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
  }
  if (env.on('upstream-basic-auth')) {
    const pair = `${encodeURIComponent(upstream.clientId)}:${encodeURIComponent(upstream.clientSecret)}`
    headers['Authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    form.set('client_id', upstream.clientId)
    form.set('client_secret', upstream.clientSecret)
  }
  const url = `${env.identityBase()}/token`
  const reply = await env.outbound.send({ url, method: 'POST', headers, body: form.toString() })
  const body = parseJson(reply.body)
  const token = isObject(body) ? textOf(body['access_token']) : undefined
  if (reply.status !== 200 || token === undefined) throw new UpstreamStatus(reply.status)
  return token
}

/** Turns an upstream access token into the user properties for the tools. */
export async function fetchUser(env: OAuthEnv, accessToken: string): Promise<User> {
  const reply = await env.outbound.send({
    url: `${env.identityBase()}/user`,
    method: 'GET',
    headers: { Authorization: `Bearer ${accessToken}`, Accept: 'application/json' },
  })
  const body = parseJson(reply.body)
  const login = isObject(body) ? textOf(body['login']) : undefined
  if (reply.status !== 200 || !isObject(body) || login === undefined) {
    throw new UpstreamStatus(reply.status)
  }
  return { login, email: textOf(body['email']) ?? '', accessToken }
}
