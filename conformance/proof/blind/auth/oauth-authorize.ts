import { mediaType } from './http.ts'
import type { Answer, Exchange } from './http.ts'
import { repeatedName, valueOf } from './oauth-clients.ts'
import { beginTransaction } from './oauth-consent.ts'
import type { Client, OAuthEnv } from './oauth-env.ts'
import { errorPage } from './oauth-pages.ts'
import { chooseRedirect, redirectToClient } from './oauth-redirects.ts'
import type { ResponseTarget } from './oauth-redirects.ts'

const knownParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
]

/** The authorization endpoint. */
export function authorize(env: OAuthEnv, exchange: Exchange): Answer {
  const { on, OAUTH_KV: store } = env
  const byPost =
    exchange.method === 'POST' && mediaType(exchange) === 'application/x-www-form-urlencoded'
  const parameters = byPost ? new URLSearchParams(exchange.body) : exchange.query
  const repeated = on('repeated-authorize-parameters')
    ? undefined
    : repeatedName(parameters, ['resource'])
  if (repeated === 'client_id' || repeated === 'redirect_uri') {
    return errorPage(env, 400, 'invalid_request', `${repeated} is repeated`)
  }
  const clientId = valueOf(parameters, 'client_id')
  const requested = valueOf(parameters, 'redirect_uri')
  const state = valueOf(parameters, 'state')
  const client = clientId === undefined ? undefined : store.clients.get(clientId)
  if (client === undefined) {
    return on('unknown-client-redirected') && requested !== undefined && URL.canParse(requested)
      ? redirectToClient(env, { redirectUri: requested, state }, { error: 'unauthorized_client' })
      : errorPage(env, 400, 'invalid_client', 'This client is not registered.')
  }
  const redirectUri = chooseRedirect(env, client, requested)
  if (redirectUri === undefined || !URL.canParse(redirectUri)) {
    return on('unregistered-gets-errors') && requested !== undefined && URL.canParse(requested)
      ? redirectToClient(env, { redirectUri: requested, state }, { error: 'invalid_request' })
      : errorPage(
          env,
          400,
          'invalid_redirect_uri',
          'The redirect URI is not registered for this client.',
        )
  }
  const target: ResponseTarget = { redirectUri, state }
  const problem =
    repeated === undefined
      ? requestProblem(env, client, parameters)
      : { error: 'invalid_request', text: `${repeated} is repeated` }
  if (problem !== undefined) {
    const fields = on('plain-errors')
      ? { error: problem.error }
      : { error: problem.error, error_description: problem.text }
    return redirectToClient(env, target, fields)
  }
  return beginTransaction(env, exchange, {
    client,
    redirectUri,
    state,
    responseType: valueOf(parameters, 'response_type') === 'token' ? 'token' : 'code',
    scopes: grantedScopes(env, client, parameters),
    scopesRequested: valueOf(parameters, 'scope') !== undefined,
    challenge: valueOf(parameters, 'code_challenge'),
    challengeMethod: challengeMethod(env, parameters) === 'plain' ? 'plain' : 'S256',
    resource: valueOf(parameters, 'resource') ?? env.mcpUrl,
  })
}

interface Problem {
  readonly error: string
  readonly text: string
}

function requestProblem(
  env: OAuthEnv,
  client: Client,
  parameters: URLSearchParams,
): Problem | undefined {
  const { on } = env
  const unknown = [...parameters.keys()].find((name) => !knownParameters.includes(name))
  if (on('unknown-parameters-refused') && unknown !== undefined) {
    return { error: 'invalid_request', text: `${unknown} is not known` }
  }
  return (
    responseTypeProblem(env, valueOf(parameters, 'response_type')) ??
    challengeProblem(env, parameters) ??
    scopeProblem(env, client, parameters) ??
    resourceProblem(env, parameters)
  )
}

function responseTypeProblem(env: OAuthEnv, type: string | undefined): Problem | undefined {
  const { on } = env
  if (type === 'code' || on('response-type-unchecked')) return undefined
  if (type === 'token' && on('implicit-served')) return undefined
  if (type === undefined) return { error: 'invalid_request', text: 'response_type is missing' }
  const error = on('response-type-error-wrong')
    ? 'unsupported_grant_type'
    : 'unsupported_response_type'
  return { error, text: 'Only the response type code is supported' }
}

/** A missing method means plain (RFC 7636 section 4.3). */
function challengeMethod(env: OAuthEnv, parameters: URLSearchParams): string {
  const given = valueOf(parameters, 'code_challenge_method')
  return given ?? (env.on('missing-method-means-s256') ? 'S256' : 'plain')
}

function challengeProblem(env: OAuthEnv, parameters: URLSearchParams): Problem | undefined {
  const { on } = env
  const challenge = valueOf(parameters, 'code_challenge')
  if (challenge === undefined) {
    const exempt =
      on('challenge-not-required') ||
      (on('implicit-served') && valueOf(parameters, 'response_type') === 'token')
    return exempt ? undefined : { error: 'invalid_request', text: 'code_challenge is required' }
  }
  const method = challengeMethod(env, parameters)
  const methodKnown =
    method === 'S256' ||
    (method === 'plain' ? on('plain-challenge-allowed') : on('unknown-challenge-method-accepted'))
  if (!methodKnown) {
    return { error: 'invalid_request', text: 'code_challenge_method must be S256' }
  }
  return /^[A-Za-z0-9._~-]{43,128}$/.test(challenge)
    ? undefined
    : { error: 'invalid_request', text: 'code_challenge has a wrong form' }
}

function requestedScopes(env: OAuthEnv, parameters: URLSearchParams): string[] | undefined {
  const keepsEmpty = env.on('empty-parameters-kept') && parameters.has('scope')
  const given = keepsEmpty ? (parameters.get('scope') ?? '') : valueOf(parameters, 'scope')
  return given === undefined ? undefined : [...new Set(given.split(' '))]
}

function scopeAllowed(env: OAuthEnv, client: Client, scope: string): boolean {
  return (env.on('registered-scopes-ignored') ? env.scopes : client.scopes).includes(scope)
}

function scopeProblem(
  env: OAuthEnv,
  client: Client,
  parameters: URLSearchParams,
): Problem | undefined {
  const { on } = env
  const scopes = requestedScopes(env, parameters)
  if (scopes === undefined) {
    return on('scope-required') ? { error: 'invalid_scope', text: 'scope is required' } : undefined
  }
  const allowed = scopes.filter((scope) => scopeAllowed(env, client, scope))
  const dropsUnknown = on('unknown-scopes-dropped') || on('unknown-scope-dropped-in-silence')
  const accepted = dropsUnknown ? allowed.length > 0 : allowed.length === scopes.length
  return accepted
    ? undefined
    : { error: 'invalid_scope', text: 'A scope is unknown or not registered' }
}

function grantedScopes(
  env: OAuthEnv,
  client: Client,
  parameters: URLSearchParams,
): readonly string[] {
  const scopes = requestedScopes(env, parameters)
  return scopes === undefined
    ? client.scopes
    : scopes.filter((scope) => scopeAllowed(env, client, scope))
}

function resourceProblem(env: OAuthEnv, parameters: URLSearchParams): Problem | undefined {
  const { on } = env
  const given = parameters.getAll('resource')
  const resources = on('empty-parameters-kept') ? given : given.filter((value) => value !== '')
  if (resources.length === 0) {
    return on('resource-required')
      ? { error: 'invalid_target', text: 'resource is required' }
      : undefined
  }
  if (
    on('audience-recorded-not-checked') ||
    resources.every((resource) => resource === env.mcpUrl)
  ) {
    return undefined
  }
  return { error: 'invalid_target', text: 'The resource is not known' }
}
