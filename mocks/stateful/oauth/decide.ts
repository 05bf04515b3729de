import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { proceedAfterApproval } from './proceed.ts'
import {
  browserCookie,
  cookieText,
  loginCookie,
  signedInUser,
  requiresBrowserCookie,
} from './browser.ts'
import { consentPage } from './consent-page.ts'
import { PageFailure } from './failure.ts'
import { cookieOf, formOf, queryOf, type Parameters } from './parameters.ts'
import { expiryIn, redirectToClient, type Realm } from './realm.ts'
import type { PendingAuthorization, ResourceOwner } from './records.ts'
import { signInPage } from './sign-in.ts'

/** The lifetime of a login in seconds. */
const loginSeconds = 8 * 3600

/**
 * For how many seconds after a decision the browser may send it again. This ends earlier if the
 * client uses the code.
 */
const repeatSeconds = 30

/**
 * POST or GET /consent: handles the user's decision. Each page can be decided once. If browser
 * cookies are used, only the browser that received the page may send the decision. If this browser
 * sends the same decision again, for example after a double click, it receives the same redirect
 * again.
 */
export async function decide(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const form =
    incoming.method === 'GET' ? queryOf(incoming) : await formOf(incoming, { jsonForms: 'refused' })
  return handleDecision(realm, incoming, form, form.get('decision'))
}

/** GET /deny: handles a denial by a link. */
export const deny = (realm: Realm, incoming: IncomingMessage): Promise<Reply> =>
  handleDecision(realm, incoming, queryOf(incoming), 'deny')

async function handleDecision(
  realm: Realm,
  incoming: IncomingMessage,
  form: Parameters,
  decision: string | undefined,
): Promise<Reply> {
  const { vault } = realm
  const id = form.get('request') ?? ''
  // The lock makes the second request of a double click wait for the reply to the first.
  return vault.withLock('decided', id, async () => {
    const decided = await vault.get('decided', id)
    if (
      decided !== undefined &&
      decided.decision === decision &&
      !(await isCodeUsed(realm, decided.reply))
    ) {
      requireBrowser(realm, incoming, decided)
      return decided.reply
    }
    const pending = await vault.get('pending', id)
    if (pending === undefined)
      throw new PageFailure(
        'This page has expired or has already been used. Go back to the application and start again',
      )
    requireBrowser(realm, incoming, pending)
    const reply = await handleFirstDecision(realm, incoming, form, { id, pending, decision })
    const isDecided = (await vault.get('pending', id)) === undefined
    // The reply is kept only if the browser cookie is required. Otherwise anyone who knows the
    // page's id would receive the code.
    if (isDecided && decision !== undefined && requiresBrowserCookie(realm))
      await vault.put(
        'decided',
        id,
        { ...pending, decision, reply },
        expiryIn(realm, repeatSeconds),
      )
    return reply
  })
}

/** Whether a reply redirects to the client with a code that the client has used. */
async function isCodeUsed({ vault }: Realm, { headers }: Reply): Promise<boolean> {
  const location = headers?.['Location']
  const code = location === undefined ? null : new URL(location).searchParams.get('code')
  return code !== null && (await vault.get('code', code))?.used !== false
}

/** Refuses a decision that does not come from the browser that received the page. */
function requireBrowser(
  realm: Realm,
  incoming: IncomingMessage,
  pending: PendingAuthorization,
): void {
  const { rules, audit, origin } = realm
  if (
    requiresBrowserCookie(realm) &&
    !rules.isFromConsentPage(pending, cookieOf(incoming, browserCookie), incoming, origin)
  ) {
    audit.record({
      event: 'consent',
      outcome: 'refused',
      client: pending.request.clientId,
      reason: 'another browser',
    })
    throw new PageFailure('This page was opened in another browser', 403)
  }
}

async function handleFirstDecision(
  realm: Realm,
  incoming: IncomingMessage,
  form: Parameters,
  {
    id,
    pending,
    decision,
  }: { id: string; pending: PendingAuthorization; decision: string | undefined },
): Promise<Reply> {
  const { vault, audit } = realm
  const { request } = pending
  if (decision === 'deny') {
    await vault.delete('pending', id)
    audit.record({
      event: 'consent',
      outcome: 'refused',
      client: request.clientId,
      reason: 'access_denied',
    })
    return redirectToClient(realm, request, {
      error: 'access_denied',
      error_description: 'The user declined',
    })
  }
  if (decision !== 'approve') throw new PageFailure('Choose to allow or to deny')
  const { owner, headers } = await authenticateUser(realm, incoming, form)
  if (owner === undefined && realm.identity.kind === 'own') {
    audit.record({
      event: 'sign in',
      outcome: 'refused',
      client: request.clientId,
      reason: 'wrong login or password',
    })
    const client = await vault.get('client', request.clientId)
    if (client === undefined) throw new PageFailure('This application does not exist any more')
    return consentPage(
      realm,
      { id, client, request, owner },
      { status: 403, problem: 'Login or password is wrong.', login: form.get('login') },
    )
  }
  await vault.delete('pending', id)
  return proceedAfterApproval(realm, pending, owner, headers)
}

/**
 * POST /login: signs the user in before the authorization request is validated, and then continues
 * with that request.
 */
export async function signIn(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const form = await formOf(incoming, { jsonForms: 'refused' })
  const { owner, headers } = await authenticateUser(realm, incoming, form)
  if (owner === undefined) return signInPage(incoming, form)
  return {
    status: 303,
    headers: {
      // Encodes the characters that a header cannot contain.
      Location: `/authorize?${new URLSearchParams(form.get('next') ?? '').toString()}`,
      'Cache-Control': 'no-store',
      ...headers,
    },
  }
}

/**
 * Returns the user who has already signed in, or who signs in with this form. Undefined if login or
 * password is wrong, or if there is an upstream identity provider.
 */
async function authenticateUser(
  realm: Realm,
  incoming: IncomingMessage,
  form: Parameters,
): Promise<{ owner: ResourceOwner | undefined; headers: Record<string, string> }> {
  const { identity, vault, rules, audit, origin } = realm
  if (identity.kind === 'upstream') return { owner: undefined, headers: {} }
  const current = await signedInUser(realm, incoming)
  if (current !== undefined) return { owner: current, headers: {} }
  const owner = await rules.authenticateUser(
    form.get('login') ?? '',
    form.get('password') ?? '',
    identity.users,
  )
  if (owner === undefined) return { owner, headers: {} }
  const secret = rules.newSecret('login')
  await vault.put('login', secret, { login: owner.login }, expiryIn(realm, loginSeconds))
  audit.record({ event: 'sign in', outcome: 'done', user: owner.login })
  if (!requiresBrowserCookie(realm)) return { owner, headers: {} }
  return {
    owner,
    headers: { 'Set-Cookie': cookieText(origin, loginCookie, secret, loginSeconds) },
  }
}
