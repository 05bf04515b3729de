import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { proceedAfterApproval } from './proceed.ts'
import { browserCookie, cookieText, signedInUser, requiresBrowserCookie } from './browser.ts'
import { consentPage } from './consent-page.ts'
import { signsInFirst, signInPage } from './sign-in.ts'
import { OAuthFailure, PageFailure } from './failure.ts'
import { consentKey } from './grant.ts'
import { cookieOf, queryOf, type Parameters } from './parameters.ts'
import { expiryIn, redirectToClient, type Realm } from './realm.ts'
import type { AuthorizationRequest, ClientRecord } from './records.ts'
import { withLowerCase } from './rules.ts'
import { digestOf } from './seal.ts'

/** GET /authorize: validates the client's request, and asks the user for consent. */
export async function authorize(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const { vault, rules, audit, identity, choices, origin } = realm
  const query = queryOf(incoming)
  if (signsInFirst(realm) && (await signedInUser(realm, incoming)) === undefined)
    return signInPage(incoming)
  const { client, redirectUri, hasRedirectUri } = await resolveRedirect(realm, query)
  const state = query.get('state')
  const baseRequest: AuthorizationRequest = {
    clientId: client.id,
    redirectUri,
    hasRedirectUri,
    scopes: [],
    requestedScopes: [],
    resources: [],
    ...(state === undefined ? {} : { state }),
  }
  let request: AuthorizationRequest
  try {
    request = validateRequest(realm, client, query, baseRequest)
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error
    audit.record({ event: 'authorize', outcome: 'refused', client: client.id, reason: error.code })
    if (choices.requestErrors === 'the user') throw new PageFailure(error.message)
    const isImplicit =
      /\btoken\b/.test(query.get('response_type') ?? '') &&
      choices.implicitErrors === 'in the fragment'
    return redirectToClient(
      realm,
      baseRequest,
      { error: error.code, error_description: error.message },
      {},
      isImplicit ? '#' : '?',
    )
  }
  audit.record({ event: 'authorize', outcome: 'done', client: client.id })
  const browserId = cookieOf(incoming, browserCookie)
  const browser =
    browserId !== undefined && /^[\w-]{43}$/.test(browserId)
      ? browserId
      : rules.newSecret('browser')
  const cookie: Record<string, string> = requiresBrowserCookie(realm)
    ? { 'Set-Cookie': cookieText(origin, browserCookie, browser, 24 * 3600) }
    : {}
  const owner = await signedInUser(realm, incoming)
  const pending = { request, browser: digestOf(browser) }
  if (identity.kind === 'upstream' && !identity.consentScreen)
    return proceedAfterApproval(realm, pending, undefined, cookie)
  const allowed =
    owner !== undefined && choices.remembersConsent
      ? (await vault.get('grant', consentKey(client, owner)))?.scopes
      : undefined
  if (
    !rules.asksUser(allowed, request, browserId) &&
    (owner !== undefined || identity.kind === 'upstream')
  )
    return proceedAfterApproval(realm, pending, owner, cookie)
  const id = rules.newSecret('pending')
  await vault.put('pending', id, pending, expiryIn(realm, rules.pendingSeconds))
  return consentPage(realm, { id, client, request, owner }, { headers: cookie })
}

/** Finds the client and its redirect URI. If either is invalid, the user must not be redirected. */
async function resolveRedirect(
  { vault, rules, choices, audit }: Realm,
  query: Parameters,
): Promise<{ client: ClientRecord; redirectUri: string; hasRedirectUri: boolean }> {
  const newRefusal = (reason: string, client?: string) => {
    audit.record({ event: 'authorize', outcome: 'refused', client, reason })
    return new PageFailure(reason, choices.unknownClientStatus)
  }
  for (const name of ['client_id', 'redirect_uri'])
    if (query.all(name).length > 1 && !rules.mayRepeatParameter(name, 2))
      throw newRefusal(`${name} is repeated`)
  const id = query.get('client_id')
  const client = id === undefined ? undefined : await vault.get('client', id)
  if (client === undefined) throw newRefusal('This application is unknown')
  const requestedUri = query.get('redirect_uri')
  if (
    requestedUri === undefined &&
    (choices.omittedRedirect === 'refused' || !rules.mayOmitRedirectUri(client.redirectUris))
  )
    throw newRefusal('The application did not send a redirect URI', client.id)
  const redirectUri = requestedUri ?? client.redirectUris[0]!
  if (
    requestedUri !== undefined &&
    !rules.isRegisteredRedirectUri(requestedUri, client.redirectUris)
  )
    throw newRefusal('The application has not registered this redirect URI', client.id)
  return { client, redirectUri, hasRedirectUri: requestedUri !== undefined }
}

function validateRequest(
  { rules, choices, scopes: knownScopes, origin, resources: paths }: Realm,
  client: ClientRecord,
  query: Parameters,
  baseRequest: AuthorizationRequest,
): AuthorizationRequest {
  const repeated =
    choices.repeatedParameters === 'accepted'
      ? undefined
      : query.names().find((name) => !rules.mayRepeatParameter(name, query.all(name).length || 1))
  if (repeated !== undefined)
    throw new OAuthFailure('parameter-repeated', 'invalid_request', 'A parameter is repeated')
  const type = query.get('response_type')
  if (type === undefined)
    throw new OAuthFailure('response-type-missing', 'invalid_request', 'response_type is missing')
  if (!rules.isResponseType(type))
    throw new OAuthFailure(
      'response-type-unsupported',
      'unsupported_response_type',
      'response_type must be code',
    )
  const [challenge, method] = [
    query.get('code_challenge'),
    query.get('code_challenge_method') ?? 'plain',
  ]
  const problem = rules.pkceProblem(challenge, method, client, choices)
  if (problem !== undefined)
    throw new OAuthFailure('pkce-missing-or-weak', 'invalid_request', problem)
  const names = knownScopes.map(({ name }) => name)
  if (choices.missingScope === 'refused' && query.get('scope') === undefined)
    throw new OAuthFailure(
      'scope-missing',
      'invalid_scope',
      `scope is missing. Known scopes: ${names.join(' ')}`,
    )
  const requested =
    query
      .get('scope')
      ?.split(' ')
      .filter((scope) => scope !== '') ?? names
  const scopes = requested.filter((scope) => names.includes(scope))
  if (
    scopes.length === 0 ||
    (choices.unknownScopes === 'refused' && scopes.length < requested.length)
  )
    throw new OAuthFailure('scope-unknown', 'invalid_scope', `Known scopes: ${names.join(' ')}`)
  const resources = query.all('resource')
  const known = resourcesOf(origin, paths)
  if (!resources.every((one) => rules.isResource(one, known, 'authorize')))
    throw new OAuthFailure(
      'resource-unknown',
      'invalid_target',
      'This server does not have that resource',
    )
  return {
    ...baseRequest,
    scopes: [...new Set(scopes)],
    requestedScopes: [...new Set(requested)],
    resources: resources.map(withLowerCase),
    ...(challenge === undefined ? {} : { challenge, method: method as 'S256' | 'plain' }),
  }
}

/** The URIs of this server and its resources. */
export const resourcesOf = (origin: string, paths: readonly string[]): readonly string[] => [
  origin,
  `${origin}/`,
  ...paths.map((path) => `${origin}${path}`),
]
