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
import type { ResourceOwner } from './records.ts'
import { signInPage } from './sign-in.ts'

/** The lifetime of a login in seconds. */
const loginSeconds = 8 * 3600

/**
 * POST /consent: handles the user's decision. Only the browser that received the page may decide,
 * and only once.
 */
export async function decide(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const form =
    incoming.method === 'GET' ? queryOf(incoming) : await formOf(incoming, { jsonForms: 'refused' })
  return handleDecision(realm, incoming, form, form.get('decision'))
}

/** GET /deny: the same by a link, which can only deny. */
export const deny = (realm: Realm, incoming: IncomingMessage): Promise<Reply> =>
  handleDecision(realm, incoming, queryOf(incoming), 'deny')

async function handleDecision(
  realm: Realm,
  incoming: IncomingMessage,
  form: Parameters,
  decision: string | undefined,
): Promise<Reply> {
  const { vault, rules, audit, origin } = realm
  const id = form.get('request') ?? ''
  const pending = await vault.get('pending', id)
  if (pending === undefined)
    throw new PageFailure(
      'This page has expired or has already been used. Go back to the application and start again',
    )
  const { request } = pending
  if (
    requiresBrowserCookie(realm) &&
    !rules.isFromConsentPage(pending, cookieOf(incoming, browserCookie), incoming, origin)
  ) {
    audit.record({
      event: 'consent',
      outcome: 'refused',
      client: request.clientId,
      reason: 'another browser',
    })
    throw new PageFailure('This page was opened in another browser', 403)
  }
  if (decision === 'deny') {
    if ((await vault.take('pending', id)) === undefined)
      throw new PageFailure('This page has already been used')
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
  const { subject, headers } = await authenticateUser(realm, incoming, form)
  if (subject === undefined && realm.identity.kind === 'own') {
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
      { id, client, request, subject },
      { status: 403, problem: 'Login or password is wrong.', login: form.get('login') },
    )
  }
  if ((await vault.take('pending', id)) === undefined)
    throw new PageFailure('This page has already been used')
  return proceedAfterApproval(realm, pending, subject, headers)
}

/** POST /login: signs in before the request is validated, then continues with the request. */
export async function signIn(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const form = await formOf(incoming, { jsonForms: 'refused' })
  const { subject, headers } = await authenticateUser(realm, incoming, form)
  if (subject === undefined) return signInPage(incoming, form)
  return {
    status: 303,
    headers: {
      Location: `/authorize?${form.get('next') ?? ''}`,
      'Cache-Control': 'no-store',
      ...headers,
    },
  }
}

/**
 * Returns the user who has signed in already or signs in with this form; undefined with an upstream
 * identity provider.
 */
async function authenticateUser(
  realm: Realm,
  incoming: IncomingMessage,
  form: Parameters,
): Promise<{ subject: ResourceOwner | undefined; headers: Record<string, string> }> {
  const { identity, vault, rules, audit, origin } = realm
  if (identity.kind === 'upstream') return { subject: undefined, headers: {} }
  const current = await signedInUser(realm, incoming)
  if (current !== undefined) return { subject: current, headers: {} }
  const subject = await rules.authenticateUser(
    form.get('login') ?? '',
    form.get('password') ?? '',
    identity.users,
  )
  if (subject === undefined) return { subject, headers: {} }
  const secret = rules.newSecret('login')
  await vault.put('login', secret, { login: subject.login }, expiryIn(realm, loginSeconds))
  audit.record({ event: 'sign in', outcome: 'done', user: subject.login })
  if (!requiresBrowserCookie(realm)) return { subject, headers: {} }
  return {
    subject,
    headers: { 'Set-Cookie': cookieText(origin, loginCookie, secret, loginSeconds) },
  }
}
