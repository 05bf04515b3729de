import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { browserCookie } from './browser.ts'
import { PageFailure } from './failure.ts'
import { redirectWithCode } from './grant.ts'
import { cookieOf, queryOf } from './parameters.ts'
import { expiryIn, redirect, redirectToClient, type Realm } from './realm.ts'
import type { PendingAuthorization, ResourceOwner } from './records.ts'
import { digestOf } from './seal.ts'

/**
 * Redirects the browser to the upstream identity provider. The redirect contains this server's
 * client id at the provider, never the id of the client that started the authorization.
 */
export async function redirectUpstream(
  realm: Realm,
  pending: PendingAuthorization,
  headers: Record<string, string>,
): Promise<Reply> {
  const { vault, rules, identity, choices } = realm
  if (identity.kind !== 'upstream') throw new PageFailure('No user has signed in', 403)
  const { authorizeUrl, clientId, scopes } = identity.upstream
  const [state, verifier] = [
    rules.newUpstreamState(pending.request, rules.newSecret('state')),
    rules.newSecret('verifier'),
  ]
  const isSent = choices.upstreamState === 'sent'
  await vault.put(
    'upstreamLogin',
    isSent ? state : pending.browser,
    { ...pending, ...(choices.upstreamPkce ? { verifier } : {}) },
    expiryIn(realm, rules.pendingSeconds),
  )
  return redirect(
    choices,
    authorizeUrl,
    rules.upstreamParameters({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callbackOf(realm),
      scope: scopes.join(choices.upstreamScopes === 'commas' ? ',' : ' '),
      ...(isSent ? { state } : {}),
      ...(choices.upstreamPkce
        ? {
            code_challenge: createHash('sha256').update(verifier).digest('base64url'),
            code_challenge_method: 'S256',
          }
        : {}),
    }),
    headers,
  )
}

const callbackOf = ({ origin, choices }: Realm): string => `${origin}${choices.callbackPath}`

/**
 * GET /callback: handles the return from the identity provider. Accepts a pending state once, and
 * only from the browser that was redirected with it.
 */
export async function callback(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const { vault, rules, choices, identity, audit } = realm
  const query = queryOf(incoming)
  const browser = cookieOf(incoming, browserCookie)
  const state =
    choices.upstreamState === 'sent'
      ? query.get('state')
      : browser === undefined
        ? undefined
        : digestOf(browser)
  const login = state === undefined ? undefined : await vault.get('upstreamLogin', state)
  const newRefusal = (reason: string, status = 400) => {
    audit.record({ event: 'upstream', outcome: 'refused', client: login?.request.clientId, reason })
    return new PageFailure(reason, status)
  }
  if (identity.kind !== 'upstream' || state === undefined || login === undefined)
    throw newRefusal('This state is unknown')
  if (!rules.isSameBrowser(login, browser))
    throw newRefusal('The sign-in was started in another browser', 403)
  if (rules.statesAreSingleUse && (await vault.take('upstreamLogin', state)) === undefined)
    throw newRefusal('This state has already been used')
  const error = query.get('error')
  if (error !== undefined) {
    audit.record({
      event: 'upstream',
      outcome: 'refused',
      client: login.request.clientId,
      reason: 'refused by the identity provider',
    })
    return redirectToClient(realm, login.request, {
      error: error === 'access_denied' ? error : 'server_error',
      error_description: 'The identity provider refused the login',
    })
  }
  let owner: ResourceOwner
  try {
    const code = query.get('code') ?? ''
    const { upstream } = identity
    const ask = () =>
      upstream.userOf({
        code,
        verifier: login.verifier,
        redirectUri: callbackOf(realm),
        choices,
        rules,
      })
    owner = await rules.fetchUpstreamUser(code, ask, browser)
  } catch {
    audit.record({
      event: 'upstream',
      outcome: 'refused',
      client: login.request.clientId,
      reason: 'no user',
    })
    return redirectToClient(realm, login.request, {
      error: 'server_error',
      error_description: 'The identity provider did not return a user',
    })
  }
  audit.record({
    event: 'upstream',
    outcome: 'done',
    client: login.request.clientId,
    user: owner.login,
  })
  return redirectWithCode(realm, login, owner)
}
