// Dynamic client registration (RFC 7591). It is always allowed: allowDynamicClientRegistration is true here.
import { digest, mediaType, noStore, notAllowed, random, readBody, sendJson } from './http.mjs'
import { oauthError } from './client-auth.mjs'
import { mayBeRegistered } from './redirects.mjs'
import { splitScope } from './scopes.mjs'
import { SCOPES } from './app.mjs'

const METHODS = ['none', 'client_secret_basic', 'client_secret_post']
const GRANTS = ['authorization_code', 'refresh_token']
const TEXTS = ['client_name', 'software_id', 'software_version']
const LINKS = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri', 'jwks_uri']
const TRANSLATED = /^(client_name|client_uri|logo_uri|tos_uri|policy_uri)#[A-Za-z0-9-]+$/
const OTHERS = [
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'scope',
  'contacts',
  'jwks',
  'software_statement',
]

const isText = (value) => typeof value === 'string' && value !== ''
const isTextList = (value) => Array.isArray(value) && value.every(isText)
const isLink = (value) =>
  isText(value) && URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol)

class Refusal extends Error {
  constructor(code, description) {
    super(description)
    this.code = code
  }
}
const metadataProblem = (description) => {
  throw new Refusal('invalid_client_metadata', description)
}
const redirectProblem = (description) => {
  throw new Refusal('invalid_redirect_uri', description)
}

function checkRedirects(ctx, uris) {
  if (!isTextList(uris) || !uris.length)
    redirectProblem('redirect_uris must be a list of at least one URI')
  const judged = ctx.on('register-checks-first-uri-only') ? uris.slice(0, 1) : uris
  if (!judged.every((uri) => mayBeRegistered(ctx, uri)))
    redirectProblem(
      'redirection URIs must be https or on the loopback interface, without a fragment',
    )
  return [...uris]
}

function checkGrants(ctx, input) {
  let grants = input.grant_types ?? ['authorization_code']
  if (!isTextList(grants)) metadataProblem('grant_types must be a list')
  if (ctx.on('register-drops-unsupported-grants'))
    grants = grants.filter((one) => GRANTS.includes(one))
  if (!grants.every((one) => GRANTS.includes(one)) || !grants.length)
    metadataProblem('a grant type is not supported')
  const types = input.response_types ?? ['code']
  if (!isTextList(types)) metadataProblem('response_types must be a list')
  const consistent =
    types.length === 1 && types[0] === 'code' && grants.includes('authorization_code')
  if (!consistent && !ctx.on('register-inconsistent-types-accepted'))
    metadataProblem('response_types and grant_types do not fit together, or are not supported')
  grants = [...new Set(grants)]
  if (ctx.on('register-adds-refresh-grant') && !grants.includes('refresh_token'))
    grants.push('refresh_token')
  if (ctx.on('no-refresh-for-public-clients') && input.token_endpoint_auth_method === 'none')
    grants = ['authorization_code']
  return { grant_types: grants, response_types: [...types] }
}

function checkScope(ctx, value) {
  if (value === undefined || value === '') return SCOPES.join(' ')
  if (typeof value !== 'string') metadataProblem('scope must be a string')
  const scopes = splitScope(value)
  const known = scopes.filter((one) => SCOPES.includes(one))
  if (known.length !== scopes.length && !(ctx.on('register-drops-unknown-scopes') && known.length))
    metadataProblem('a scope is unknown')
  return known.join(' ')
}

/** The metadata to register: everything that RFC 7591 defines is kept, everything unknown is left out. */
function judge(ctx, input) {
  const client = {
    redirect_uris: checkRedirects(ctx, input.redirect_uris),
    ...checkGrants(ctx, input),
    scope: checkScope(ctx, input.scope),
  }
  const fallback = ctx.on('register-default-method-none') ? 'none' : 'client_secret_basic'
  client.token_endpoint_auth_method = input.token_endpoint_auth_method ?? fallback
  if (!METHODS.includes(client.token_endpoint_auth_method))
    metadataProblem('token_endpoint_auth_method is not supported')
  if (
    input.jwks !== undefined &&
    input.jwks_uri !== undefined &&
    !ctx.on('register-jwks-twice-accepted')
  )
    metadataProblem('jwks and jwks_uri exclude each other')
  for (const [name, value] of Object.entries(input)) {
    const [base] = name.split('#')
    if (!TRANSLATED.test(name) && name.includes('#')) continue
    if (TEXTS.includes(base) && !isText(value)) metadataProblem(`${name} must be a string`)
    if (LINKS.includes(base) && !isLink(value)) metadataProblem(`${name} must be a web address`)
    if (TEXTS.includes(base) || LINKS.includes(base)) client[name] = value
    else if (ctx.on('register-unknown-member-refused') && !OTHERS.includes(name))
      metadataProblem(`${name} is unknown`)
  }
  if (input.contacts !== undefined) {
    if (!isTextList(input.contacts)) metadataProblem('contacts must be a list of strings')
    client.contacts = [...input.contacts]
  }
  if (input.jwks !== undefined) {
    if (typeof input.jwks !== 'object' || !Array.isArray(input.jwks?.keys))
      metadataProblem('jwks must be a JWK Set')
    client.jwks = input.jwks
  }
  return client
}

function newIdentity(ctx, client) {
  const id = ctx.on('client-id-with-reserved-characters')
    ? `notes:client/${random(9)}+a b`
    : ctx.on('client-id-short')
      ? random(6)
      : `client-${random(16)}`
  const now = Math.floor(ctx.now())
  const identity = {
    client_id: id,
    client_id_issued_at: ctx.on('register-issued-at-in-milliseconds') ? now * 1000 : now,
  }
  if (client.token_endpoint_auth_method === 'none' && !ctx.on('register-secret-for-public-client'))
    return { identity }
  const secret = random(32)
  identity.client_secret = secret
  if (!ctx.on('register-secret-expiry-missing')) {
    identity.client_secret_expires_at = ctx.on('client-secret-expires-after-ninety-days')
      ? now + 90 * 86400
      : ctx.on('register-secret-expiry-in-milliseconds')
        ? (now + 90 * 86400) * 1000
        : 0
  }
  return { identity, secret }
}

export async function register(ctx, req, res) {
  if (req.method !== 'POST') return notAllowed(res, 'POST')
  const body = (await readBody(req)).toString(ctx.on('register-read-as-latin1') ? 'latin1' : 'utf8')
  let input
  try {
    input = JSON.parse(body)
  } catch {
    /* judged below */
  }
  if (
    mediaType(req) !== 'application/json' ||
    input === null ||
    typeof input !== 'object' ||
    Array.isArray(input)
  ) {
    return oauthError(ctx, res, 400, 'invalid_client_metadata', 'the body must be a JSON object')
  }
  // A member that is null counts as left out.
  input = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
  let client
  try {
    client = judge(ctx, input)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.audit('registration refused', { description: error.message })
    const code = ctx.on('register-one-error-code') ? 'invalid_client_metadata' : error.code
    return oauthError(ctx, res, 400, code, error.message)
  }
  const { identity, secret } = newIdentity(ctx, client)
  if (ctx.on('register-same-name-shares-id') && client.client_name) {
    const earlier = ctx.kv.list('client:').find((one) => one.client_name === client.client_name)
    if (earlier) identity.client_id = earlier.client_id
  }
  const kept = ctx.on('register-keeps-redirect-uris-normalised')
    ? client.redirect_uris.map((uri) => new URL(uri).href)
    : client.redirect_uris
  ctx.kv.put(`client:${identity.client_id}`, {
    ...client,
    redirect_uris: kept,
    client_id: identity.client_id,
    client_secret_expires_at: identity.client_secret_expires_at,
    secretDigest: secret && digest(secret),
    secretStart: secret && digest(secret.slice(0, 16)),
  })
  ctx.audit('client registered', { client: identity.client_id })
  const shown = { ...client }
  if (ctx.on('register-answer-lacks-metadata'))
    for (const name of [...LINKS, 'contacts', 'software_id']) delete shown[name]
  if (ctx.on('register-answer-lacks-translations'))
    for (const name of Object.keys(shown)) if (name.includes('#')) delete shown[name]
  if (ctx.on('register-answer-lacks-defaults')) {
    for (const name of ['grant_types', 'response_types', 'token_endpoint_auth_method'])
      if (input[name] === undefined) delete shown[name]
  }
  return sendJson(
    res,
    ctx.on('register-answers-200') ? 200 : 201,
    { ...identity, ...shown },
    noStore,
  )
}
