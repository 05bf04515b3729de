import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { approved } from './approved.ts'
import { browserCookie, cookieText, loginCookie, signedIn, tellsBrowsersApart } from './browser.ts'
import { consentPage } from './consent-page.ts'
import { PageFailure } from './failure.ts'
import { cookieOf, formOf, queryOf, type Parameters } from './parameters.ts'
import { inSeconds, sendBack, type Realm } from './realm.ts'
import type { ResourceOwner } from './records.ts'
import { signInPage } from './sign-in.ts'

/** For how long a browser remembers who signed in, in seconds. */
const loginSeconds = 8 * 3600

/** POST /consent: what the user decided. Only the browser that was shown the page may decide, and only once. */
export async function decide(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const form =
    incoming.method === 'GET' ? queryOf(incoming) : await formOf(incoming, { jsonForms: 'refused' })
  return decided(realm, incoming, form, form.get('decision'))
}

/** GET /deny: the same by a link, of which a user may not think much: it can only deny. */
export const deny = (realm: Realm, incoming: IncomingMessage): Promise<Reply> =>
  decided(realm, incoming, queryOf(incoming), 'deny')

async function decided(
  realm: Realm,
  incoming: IncomingMessage,
  form: Parameters,
  decision: string | undefined,
): Promise<Reply> {
  const { vault, rules, audit, origin } = realm
  const id = form.get('request') ?? ''
  const waiting = await vault.get('pending', id)
  if (waiting === undefined)
    throw new PageFailure(
      'This page has ended, or was used. Go back to the application, and start again',
    )
  const { request } = waiting
  if (
    tellsBrowsersApart(realm) &&
    !rules.decides(waiting, cookieOf(incoming, browserCookie), incoming, origin)
  ) {
    audit.note({
      event: 'consent',
      outcome: 'refused',
      client: request.clientId,
      reason: 'another browser',
    })
    throw new PageFailure('This page was not shown in this browser', 403)
  }
  if (decision === 'deny') {
    if ((await vault.take('pending', id)) === undefined) throw new PageFailure('This page was used')
    audit.note({
      event: 'consent',
      outcome: 'refused',
      client: request.clientId,
      reason: 'access_denied',
    })
    return sendBack(realm, request, {
      error: 'access_denied',
      error_description: 'The user declined',
    })
  }
  if (decision !== 'approve') throw new PageFailure('Choose to allow or to deny')
  const { subject, headers } = await whoDecides(realm, incoming, form)
  if (subject === undefined && realm.identity.kind === 'own') {
    audit.note({
      event: 'sign in',
      outcome: 'refused',
      client: request.clientId,
      reason: 'wrong login or password',
    })
    const client = await vault.get('client', request.clientId)
    if (client === undefined) throw new PageFailure('This application is not known any more')
    return consentPage(
      realm,
      { id, client, request, subject },
      { status: 403, problem: 'Login or password is wrong.', login: form.get('login') },
    )
  }
  if ((await vault.take('pending', id)) === undefined) throw new PageFailure('This page was used')
  return approved(realm, waiting, subject, headers)
}

/** POST /login: where users sign in before anything else is looked at. Then they go on with what they came for. */
export async function signIn(realm: Realm, incoming: IncomingMessage): Promise<Reply> {
  const form = await formOf(incoming, { jsonForms: 'refused' })
  const { subject, headers } = await whoDecides(realm, incoming, form)
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

/** Whoever signed in before, or signs in with this form; nobody where an upstream identity provider will tell. */
async function whoDecides(
  realm: Realm,
  incoming: IncomingMessage,
  form: Parameters,
): Promise<{ subject: ResourceOwner | undefined; headers: Record<string, string> }> {
  const { identity, vault, rules, audit, origin } = realm
  if (identity.kind === 'upstream') return { subject: undefined, headers: {} }
  const before = await signedIn(realm, incoming)
  if (before !== undefined) return { subject: before, headers: {} }
  const subject = await rules.signsIn(
    form.get('login') ?? '',
    form.get('password') ?? '',
    identity.users,
  )
  if (subject === undefined) return { subject, headers: {} }
  const secret = rules.newSecret('login')
  await vault.put('login', secret, { login: subject.login }, inSeconds(realm, loginSeconds))
  audit.note({ event: 'sign in', outcome: 'done', user: subject.login })
  if (!tellsBrowsersApart(realm)) return { subject, headers: {} }
  return {
    subject,
    headers: { 'Set-Cookie': cookieText(origin, loginCookie, secret, loginSeconds) },
  }
}
