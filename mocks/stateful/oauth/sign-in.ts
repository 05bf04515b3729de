import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { requiresBrowserCookie } from './browser.ts'
import { escapeHtml, page, signInFields } from './page.ts'
import type { Parameters } from './parameters.ts'
import type { Realm } from './realm.ts'

/**
 * Whether users sign in before the authorization request is validated. This requires a cookie that
 * remembers the signed-in user.
 */
export const signsInFirst = (realm: Realm): boolean =>
  realm.identity.kind === 'own' &&
  realm.choices.signIn === 'before the request' &&
  requiresBrowserCookie(realm)

/** The page for signing in before the consent page. `form` is the form of a failed attempt. */
export function signInPage(incoming: IncomingMessage, form?: Parameters): Reply {
  const next = form?.get('next') ?? (incoming.url ?? '').split('?').slice(1).join('?')
  const body = [
    '<h1>Sign in</h1>',
    '<form method="post" action="/login">',
    `<input type="hidden" name="next" value="${escapeHtml(next)}">`,
    signInFields(
      form === undefined ? undefined : 'Login or password is wrong.',
      form?.get('login') ?? '',
    ),
    '<button class="go">Sign in</button>',
    '</form>',
  ].join('\n')
  return page(form === undefined ? 200 : 403, 'Sign in', body)
}
