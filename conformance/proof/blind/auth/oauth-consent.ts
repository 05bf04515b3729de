import { cookieValue, mediaType, withHeaders } from './http.ts'
import type { Answer, Exchange } from './http.ts'
import { valueOf } from './oauth-clients.ts'
import { cookieName } from './oauth-env.ts'
import type { Code, Grant, OAuthEnv, Transaction } from './oauth-env.ts'
import { errorPage, stepPage } from './oauth-pages.ts'
import { redirectTo, redirectToClient } from './oauth-redirects.ts'
import { accessLifetime, issueAccessToken } from './oauth-tokens.ts'
import { goUpstream } from './oauth-upstream.ts'
import { newCode, randomValue } from './oauth-values.ts'
import type { User } from './types.ts'

const transactionLifetime = 10 * 60_000
const codeLifetime = 60_000

type Request = Pick<
  Transaction,
  | 'client'
  | 'redirectUri'
  | 'state'
  | 'responseType'
  | 'scopes'
  | 'scopesRequested'
  | 'challenge'
  | 'challengeMethod'
  | 'resource'
>

/** Starts the dialogue with the user about a valid authorization request. */
export function beginTransaction(env: OAuthEnv, exchange: Exchange, request: Request): Answer {
  const { on, OAUTH_KV: store } = env
  const cookie = cookieValue(exchange, cookieName)
  const known = cookie !== undefined && store.browsers.has(cookie)
  const browserId = on('no-cookies') ? '' : known ? cookie : randomValue()
  const browser = store.browser(browserId)
  const transaction: Transaction = {
    ...request,
    id: randomValue(),
    browser: browserId,
    expiresAt: env.now() + transactionLifetime,
    welcomed: !on('welcome-page-first'),
    user: browserId !== '' && on('sign-in-remembered') ? browser.user : undefined,
    approved: env.pattern === 'oauth-proxy' && on('consent-screen-absent'),
    wrongPasswords: 0,
    upstreamVerifier: undefined,
  }
  store.transactions.set(transaction.id, transaction)
  browser.latest = transaction
  if (browserId !== '' && approvedBefore(env, transaction)) {
    transaction.approved = true
    transaction.user = browser.user
  }
  const first = nextStep(env, transaction, undefined)
  const answer =
    first.status === 200 && on('pages-on-own-urls')
      ? redirectTo(env, `/consent?transaction=${transaction.id}`)
      : first
  return browserId === '' ? answer : withCookie(answer, browserId)
}

function withCookie(answer: Answer, browserId: string): Answer {
  return withHeaders(answer, {
    'Set-Cookie': `${cookieName}=${browserId}; Path=/; HttpOnly; SameSite=Lax`,
  })
}

function approvedBefore(env: OAuthEnv, transaction: Transaction): boolean {
  const { on } = env
  const { approvals } = env.OAUTH_KV.browser(transaction.browser)
  const approved = approvals.get(transaction.client.id)
  const otherClient = approved === undefined && approvals.size > 0
  if (env.pattern === 'oauth-proxy') {
    if (on('consent-skipped-after-first-client') && otherClient) return true
  } else {
    if (on('consent-skipped-for-second-client') && otherClient) return true
    if (on('consent-remembered-for-more-scopes') && approved !== undefined) return true
  }
  const remembers =
    env.pattern === 'oauth-proxy' ? on('proxy-consent-remembered') : on('consent-remembered')
  return (
    remembers && approved !== undefined && transaction.scopes.every((scope) => approved.has(scope))
  )
}

/** The page or redirect that comes next. */
function nextStep(env: OAuthEnv, transaction: Transaction, problem: string | undefined): Answer {
  if (env.pattern === 'oauth-proxy') {
    return transaction.approved
      ? goUpstream(env, transaction)
      : stepPage(env, transaction, 'consent', undefined)
  }
  if (transaction.approved && transaction.user !== undefined) {
    return finish(env, transaction, transaction.user)
  }
  if (!transaction.welcomed) return stepPage(env, transaction, 'welcome', undefined)
  if (transaction.user !== undefined) return stepPage(env, transaction, 'consent', problem)
  const kind = env.on('sign-in-first') ? 'sign-in' : 'sign-in-and-consent'
  return stepPage(env, transaction, kind, problem)
}

/** Handles the forms of the pages. */
export function consent(env: OAuthEnv, exchange: Exchange): Answer {
  const { on } = env
  const isPost = exchange.method === 'POST'
  if (isPost && mediaType(exchange) !== 'application/x-www-form-urlencoded') {
    return errorPage(env, 415, 'invalid_request', 'The form has a wrong content type.')
  }
  const form = isPost ? new URLSearchParams(exchange.body) : exchange.query
  const decision = readDecision(form)
  const showsPage = decision === undefined && on('pages-on-own-urls')
  const byGetAllowed = showsPage || (decision === 'deny' && on('deny-link')) || on('consent-by-get')
  if (!isPost && !byGetAllowed) {
    return withHeaders(errorPage(env, 405, 'invalid_request', 'The form must be posted.'), {
      Allow: 'POST',
    })
  }
  const cookie = cookieValue(exchange, cookieName)
  const transaction = findTransaction(env, form, cookie)
  if (transaction === undefined) {
    return errorPage(
      env,
      400,
      'invalid_request',
      'This authorization request is not known or too old.',
    )
  }
  if (!on('no-cookies') && cookie !== transaction.browser) {
    if (!on('consent-from-other-browser')) {
      return errorPage(env, 403, 'access_denied', 'This page was opened in another browser.')
    }
    transaction.browser = cookie ?? randomValue()
    return withCookie(decide(env, transaction, form, decision), transaction.browser)
  }
  if (!isPost && showsPage) return nextStep(env, transaction, undefined)
  return decide(env, transaction, form, decision)
}

function readDecision(form: URLSearchParams): string | undefined {
  const named = ['approve', 'deny', 'sign-in'].find((value) => form.has(`decision-${value}`))
  return named ?? valueOf(form, 'decision')
}

function findTransaction(
  env: OAuthEnv,
  form: URLSearchParams,
  cookie: string | undefined,
): Transaction | undefined {
  const { on, OAUTH_KV: store } = env
  const id = valueOf(form, 'transaction')
  let transaction = id === undefined ? undefined : store.transactions.get(id)
  if (transaction === undefined && on('consent-from-cookie-alone') && cookie !== undefined) {
    transaction = store.browsers.get(cookie)?.latest
  }
  return transaction !== undefined && env.now() < transaction.expiresAt ? transaction : undefined
}

function decide(
  env: OAuthEnv,
  transaction: Transaction,
  form: URLSearchParams,
  decision: string | undefined,
): Answer {
  const { on } = env
  if (!transaction.welcomed) {
    transaction.welcomed = true
    return nextStep(env, transaction, undefined)
  }
  if (decision === 'deny') {
    const goesOn =
      env.pattern === 'oauth-proxy' ? on('denial-goes-upstream') : on('denial-issues-code')
    if (!goesOn) return deny(env, transaction)
  } else if (decision !== 'approve' && (decision !== 'sign-in' || env.pattern === 'oauth-proxy')) {
    return nextStep(env, transaction, 'Choose one of the buttons.')
  }
  if (env.pattern === 'oauth-provider' && transaction.user === undefined) {
    const user = signIn(env, transaction, form)
    if (user === undefined) {
      if (on('locked-after-three') && transaction.wrongPasswords >= 3) return deny(env, transaction)
      return nextStep(env, transaction, 'The user name or the password is wrong.')
    }
    transaction.user = user
    env.OAUTH_KV.browser(transaction.browser).user = user
    if (decision === 'sign-in') return nextStep(env, transaction, undefined)
  }
  if (on('scope-checkboxes')) {
    const ticked = form.getAll('granted')
    transaction.scopes = transaction.scopes.filter((scope) => ticked.includes(scope))
    if (transaction.scopes.length === 0) return deny(env, transaction)
  }
  approve(env, transaction)
  const answer = nextStep(env, transaction, undefined)
  return on('redirect-307') && answer.status === 302 ? { ...answer, status: 307 } : answer
}

function approve(env: OAuthEnv, transaction: Transaction): void {
  transaction.approved = true
  const { approvals } = env.OAUTH_KV.browser(transaction.browser)
  const scopes = approvals.get(transaction.client.id) ?? new Set<string>()
  transaction.scopes.forEach((scope) => scopes.add(scope))
  approvals.set(transaction.client.id, scopes)
}

function signIn(env: OAuthEnv, transaction: Transaction, form: URLSearchParams): User | undefined {
  const { on } = env
  const byEmail = on('other-field-names')
  const name = valueOf(form, byEmail ? 'email' : 'username')
  const password = valueOf(form, byEmail ? 'passphrase' : 'password')
  const account = env.accounts.find((one) => name === (byEmail ? one.user.email : one.username))
  if (account === undefined || password === undefined) return undefined
  const right =
    password === account.password ||
    on('any-password') ||
    (on('password-case-ignored') && password.toLowerCase() === account.password.toLowerCase())
  if (right) return account.user
  transaction.wrongPasswords += 1
  return on('third-attempt-passes') && transaction.wrongPasswords >= 3 ? account.user : undefined
}

function deny(env: OAuthEnv, transaction: Transaction): Answer {
  const { on } = env
  env.OAUTH_KV.transactions.delete(transaction.id)
  if (on('denial-page')) {
    return errorPage(env, 200, 'access_denied', 'You denied the access.')
  }
  const error = on('denial-error-wrong') ? 'invalid_request' : 'access_denied'
  return redirectToClient(
    env,
    transaction,
    on('plain-errors') ? { error } : { error, error_description: 'The user denied the access' },
  )
}

/** Issues the code (or, under a switch, the token) for an approved request. */
export function finish(
  env: OAuthEnv,
  transaction: Transaction,
  user: User,
  codeValue: string = newCode(env),
): Answer {
  const { on, OAUTH_KV: store } = env
  store.transactions.delete(transaction.id)
  store.firstUser ??= user
  store.latestUser = user
  const grant: Grant = {
    id: randomValue(12),
    clientId: transaction.client.id,
    scopes: on('scope-widened-in-silence') ? env.scopes : transaction.scopes,
    scopesRequested: transaction.scopesRequested,
    resource: transaction.resource,
    user,
    revoked: false,
    refreshes: 0,
  }
  if (transaction.responseType === 'token' && on('implicit-served')) {
    const token = issueAccessToken(env, grant, grant.scopes, accessLifetime(env))
    return redirectToClient(
      env,
      transaction,
      { access_token: token.value, token_type: 'Bearer' },
      true,
    )
  }
  const code: Code = {
    value: codeValue,
    grant,
    redirectUri: transaction.redirectUri,
    challenge: transaction.challenge,
    challengeMethod: transaction.challengeMethod,
    expiresAt: env.now() + (on('codes-live-30-seconds') ? 30_000 : codeLifetime),
    usedAt: undefined,
  }
  store.codes.set(code.value, code)
  return redirectToClient(env, transaction, { code: code.value })
}
