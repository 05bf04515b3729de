// The authorization endpoint: checks of the request, sign-in, consent, and the answer to the client.
import {
  Params,
  cookies,
  notAllowed,
  mediaType,
  random,
  readBody,
  send,
  setCookie,
} from './http.mjs'
import { answerUri, chooseRedirect } from './redirects.mjs'
import { consentPage, problemPage, signInPage } from './pages.mjs'
import { issueCode } from './grants.mjs'
import { sendToUpstream } from './upstream.mjs'
import { chooseResource, chooseScope } from './scopes.mjs'

const KNOWN = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
]

/** 303 after a form, never 307: the browser must not send the form on, least of all a password (OAuth 2.1, 7.5.3). */
export function redirect(ctx, res, location, headers = {}) {
  let status = ctx.on('redirect-with-302') && !res.hadCredentials ? 302 : 303
  if (ctx.on('redirect-307-after-form') && res.req.method === 'POST') status = 307
  send(res, status, {
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    ...headers,
  })
}

function stateFor(ctx, tx, isError) {
  if (tx.state === undefined) return ctx.on('state-undefined-text') ? 'undefined' : undefined
  if (isError && ctx.on('state-missing-on-errors')) return undefined
  if (ctx.on('state-truncated')) return tx.state.slice(0, 128)
  if (ctx.on('state-plus-becomes-space')) return tx.state.replaceAll('+', ' ')
  if (ctx.on('state-decoded-twice')) {
    try {
      return decodeURIComponent(tx.state)
    } catch {
      return tx.state
    }
  }
  if (ctx.on('state-cut-at-ampersand')) return tx.state.split('&')[0]
  return tx.state
}

/** Sends the browser back to the client, with iss (RFC 9207) in every answer, also in errors. */
export function answerClient(ctx, res, tx, params) {
  const isError = 'error' in params
  let iss = ctx.origin
  if (ctx.on('no-iss-parameter') || (isError && ctx.on('iss-missing-on-errors'))) iss = undefined
  else if (ctx.on('iss-with-trailing-slash')) iss = `${ctx.origin}/`
  if (isError && ctx.on('errors-without-description')) delete params.error_description
  redirect(
    ctx,
    res,
    answerUri(ctx, tx.redirectUri, { ...params, state: stateFor(ctx, tx, isError), iss }),
  )
}

async function readParams(ctx, req, url) {
  const options = { keepEmpty: ctx.on('empty-parameter-not-omitted') }
  if (req.method === 'POST') return new Params((await readBody(req)).toString('utf8'), options)
  return new Params(url.search, options)
}

export async function authorize(ctx, req, res, url) {
  const postToo =
    ctx.on('authorize-accepts-post') &&
    req.method === 'POST' &&
    mediaType(req) === 'application/x-www-form-urlencoded'
  if (!['GET', 'HEAD'].includes(req.method) && !postToo)
    return notAllowed(res, ctx.on('authorize-accepts-post') ? 'GET, HEAD, POST' : 'GET, HEAD')
  const params = await readParams(ctx, req, url)
  const repeated = ctx.on('repeated-authorize-parameter-accepted') ? [] : params.repeated()

  // Until client and redirection URI are known to be good, errors are shown here and never redirected.
  const client = ctx.kv.get(`client:${params.get('client_id')}`)
  const target = client && chooseRedirect(ctx, client, params.get('redirect_uri'))
  if (!client || repeated.includes('client_id'))
    return problemPage(ctx, res, 400, 'Unknown client (client_id).')
  if (!target || repeated.includes('redirect_uri')) {
    if (ctx.on('bad-redirect-uri-redirected') && URL.canParse(params.get('redirect_uri') ?? '')) {
      return answerClient(
        ctx,
        res,
        { redirectUri: params.get('redirect_uri'), state: params.get('state') },
        { error: 'invalid_request' },
      )
    }
    return problemPage(ctx, res, 400, 'The redirect_uri is not one that the client has registered.')
  }
  const tx = {
    id: random(24),
    clientId: client.client_id,
    redirectUri: target,
    redirectGiven: params.get('redirect_uri'),
    state: repeated.includes('state') ? undefined : params.get('state'),
    challenge: params.get('code_challenge'),
  }
  const refuse = (error, description) => {
    ctx.audit('authorization refused', { client: client.client_id, error })
    return answerClient(ctx, res, tx, { error, error_description: description })
  }
  if (repeated.length) return refuse('invalid_request', 'a parameter is given more than once')
  if (
    ctx.on('unknown-authorize-parameter-refused') &&
    params.names().some((name) => !KNOWN.includes(name))
  ) {
    return refuse('invalid_request', 'unknown parameter')
  }
  const type = params.get('response_type')
  if (!type && !ctx.on('response-type-optional'))
    return refuse('invalid_request', 'response_type is missing')
  if (type && type !== 'code' && !ctx.on('response-type-unchecked'))
    return refuse('unsupported_response_type', 'only code is supported')
  const pkceProblem = checkChallenge(ctx, client, tx.challenge, params.get('code_challenge_method'))
  if (pkceProblem) return refuse('invalid_request', pkceProblem)

  const scope = chooseScope(ctx, client, params.get('scope'))
  if (scope.error) return refuse('invalid_scope', scope.error)
  const resource = chooseResource(ctx, params.all('resource'))
  if (resource.error) return refuse('invalid_target', resource.error)
  Object.assign(tx, {
    scope: scope.value,
    requestedScope: params.get('scope'),
    resource: resource.value,
  })
  return begin(ctx, req, res, tx, client)
}

function checkChallenge(ctx, client, challenge, method) {
  if (challenge === undefined) {
    if (ctx.on('pkce-optional')) return undefined
    if (ctx.on('pkce-optional-for-confidential') && client.token_endpoint_auth_method !== 'none')
      return undefined
    return 'code_challenge is missing'
  }
  // An absent method means "plain" (RFC 7636, 4.3), which is not offered here.
  if (method !== 'S256' && !(method === undefined && ctx.on('pkce-absent-method-is-s256')))
    return 'code_challenge_method must be S256'
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge) && !ctx.on('challenge-syntax-unchecked'))
    return 'code_challenge is malformed'
  return undefined
}

const signedIn = (ctx, req) =>
  ctx.on('sign-in-every-time') ? undefined : ctx.kv.get(`session:${cookies(req).session}`)

/** Starts the conversation with the person at the browser; the transaction is bound to that browser. */
function begin(ctx, req, res, tx, client) {
  const known = cookies(req).browser
  const browser = known && /^[\w-]{43}$/.test(known) ? known : random(32)
  tx.browser = browser
  ctx.kv.put(`tx:${tx.id}`, tx, ctx.lifetimes.transaction)
  ctx.kv.put(`latest:${browser}`, tx.id, ctx.lifetimes.transaction)
  ctx.kv.put(`latest-of:${tx.clientId}`, tx, ctx.lifetimes.transaction)
  const headers = { 'Set-Cookie': setCookie('browser', browser) }
  const session = ctx.pattern === 'oauth-provider' ? signedIn(ctx, req) : undefined
  if (ctx.pattern === 'oauth-proxy') {
    if (ctx.on('consent-skipped') || consentRemembered(ctx, browser, tx, client)) {
      res.setHeader('Set-Cookie', headers['Set-Cookie'])
      return sendToUpstream(ctx, res, tx)
    }
    return consentPage(ctx, res, tx, { headers })
  }
  if (!session) return signInPage(ctx, res, tx, { headers })
  if (ctx.on('consent-skipped') || consentRemembered(ctx, session.user.login, tx, client))
    return finish(ctx, res, tx, session.user)
  return consentPage(ctx, res, tx, { headers })
}

/**
 * Consent is asked for every time: the identity of a self-registered client is never assured
 * (OAuth 2.1, 7.3.1), unless it proves itself with a secret and a choice says that this is enough.
 */
function consentRemembered(ctx, person, tx, client) {
  const given = ctx.kv.get(`consent:${person}:${tx.clientId}`)
  const covered = given && tx.scope.every((scope) => given.includes(scope))
  if (covered && ctx.on('consent-remembered-for-public-clients')) return true
  if (
    ctx.on('consent-remembered-without-scopes') &&
    given &&
    client.token_endpoint_auth_method !== 'none'
  )
    return true
  if (ctx.on('consent-remembered-across-clients') && ctx.kv.get(`consent:${person}:any`))
    return true
  return Boolean(
    covered &&
    ctx.on('consent-remembered-for-confidential-clients') &&
    client.token_endpoint_auth_method !== 'none',
  )
}

function rememberConsent(ctx, person, tx) {
  ctx.kv.put(`consent:${person}:${tx.clientId}`, tx.scope, 86400)
  ctx.kv.put(`consent:${person}:any`, tx.scope, 86400)
}

/** The transaction that a form names, if it was begun in this browser (protection against CSRF). */
function transaction(ctx, req, id) {
  const browser = cookies(req).browser
  if (ctx.on('consent-for-latest-request') && browser)
    return ctx.kv.get(`tx:${ctx.kv.get(`latest:${browser}`)}`)
  const tx = ctx.kv.get(`tx:${id}`)
  if (!tx || (tx.browser !== browser && !ctx.on('consent-from-any-browser'))) return undefined
  return tx
}

async function formOf(req) {
  return new Params((await readBody(req)).toString('utf8'))
}

async function checkPassword(ctx, res, form) {
  res.hadCredentials = true
  const name = form.get('username') ?? ''
  const wait = ctx.on('sign-in-unlimited') ? 0 : ctx.limiter.hit(`sign-in ${name}`, 10, 300)
  if (wait) return { wait }
  const user = await ctx.users.check(name, form.get('password') ?? '', {
    firstEightOnly: ctx.on('password-first-eight-characters'),
  })
  if (user) ctx.limiter.reset(`sign-in ${name}`)
  ctx.audit(user ? 'sign-in' : 'sign-in failed', { name })
  return { user }
}

export async function login(ctx, req, res) {
  if (req.method !== 'POST') return notAllowed(res, 'POST')
  const form = await formOf(req)
  const tx = transaction(ctx, req, form.get('tx'))
  if (!tx)
    return problemPage(
      ctx,
      res,
      400,
      'This sign-in has expired or was begun elsewhere. Start again from the application.',
    )
  const { user, wait } = await checkPassword(ctx, res, form)
  if (wait)
    return problemPage(ctx, res, 429, 'Too many attempts. Please wait.', {
      'Retry-After': String(wait),
    })
  if (!user) {
    if (ctx.on('state-lost-after-wrong-password')) tx.state = undefined
    if (ctx.on('pkce-lost-after-wrong-password')) tx.pkceLost = true
    return signInPage(ctx, res, tx, { message: 'Wrong user name or password.' })
  }
  // A new session after each sign-in, so that nobody can plant one beforehand.
  const session = random(32)
  ctx.kv.put(`session:${session}`, { user }, ctx.lifetimes.signIn)
  tx.user = user
  const headers = { 'Set-Cookie': setCookie('session', session) }
  if (ctx.on('consent-skipped')) {
    res.setHeader('Set-Cookie', headers['Set-Cookie'])
    return finish(ctx, res, tx, user)
  }
  if (ctx.on('sign-in-answers-with-consent-page')) return consentPage(ctx, res, tx, { headers })
  return redirect(ctx, res, `/consent?tx=${tx.id}`, headers)
}

export function showConsent(ctx, req, res, url) {
  if (!['GET', 'HEAD'].includes(req.method)) return notAllowed(res, 'GET, HEAD, POST')
  const tx = transaction(ctx, req, url.searchParams.get('tx'))
  if (!tx) return problemPage(ctx, res, 400, 'This request has expired or was begun elsewhere.')
  if (ctx.pattern === 'oauth-provider' && !tx.user) return signInPage(ctx, res, tx)
  return consentPage(ctx, res, tx)
}

export async function decide(ctx, req, res) {
  const form = await formOf(req)
  const tx = transaction(ctx, req, form.get('tx'))
  if (!tx) return problemPage(ctx, res, 400, 'This request has expired or was begun elsewhere.')
  let user = tx.user ?? ctx.kv.get(`session:${cookies(req).session}`)?.user
  const decision = form.get('decision')
  if (decision === 'deny') {
    ctx.kv.delete(`tx:${tx.id}`)
    ctx.audit('consent denied', { client: tx.clientId })
    if (ctx.on('denial-not-redirected'))
      return problemPage(ctx, res, 403, 'You have denied the access.')
    if (ctx.on('denial-says-invalid-request'))
      return answerClient(ctx, res, tx, { error: 'invalid_request' })
    return answerClient(ctx, res, tx, {
      error: 'access_denied',
      error_description: 'the user has denied the access',
    })
  }
  if (decision !== 'allow' && !ctx.on('consent-without-decision-allows'))
    return problemPage(ctx, res, 400, 'The decision must be allow or deny.')
  if (ctx.on('sign-in-and-consent-one-form') && !user && form.get('username')) {
    const { user: found, wait } = await checkPassword(ctx, res, form)
    if (wait)
      return problemPage(ctx, res, 429, 'Too many attempts. Please wait.', {
        'Retry-After': String(wait),
      })
    if (!found) return signInPage(ctx, res, tx, { message: 'Wrong user name or password.' })
    user = found
    const session = random(32)
    ctx.kv.put(`session:${session}`, { user }, ctx.lifetimes.signIn)
    res.setHeader('Set-Cookie', setCookie('session', session))
  }
  return allow(ctx, req, res, tx, user)
}

function allow(ctx, req, res, tx, user) {
  ctx.audit('consent given', { client: tx.clientId, scope: tx.scope.join(' ') })
  if (ctx.pattern === 'oauth-proxy') {
    rememberConsent(ctx, tx.browser, tx)
    return sendToUpstream(ctx, res, tx)
  }
  if (!user) return signInPage(ctx, res, tx)
  rememberConsent(ctx, user.login, tx)
  return finish(ctx, res, tx, user)
}

/** One transaction gives one code. */
export function finish(ctx, res, tx, user, upstream) {
  ctx.kv.delete(`tx:${tx.id}`)
  return answerClient(ctx, res, tx, { code: issueCode(ctx, tx, user, upstream) })
}
