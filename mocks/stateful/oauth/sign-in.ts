import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/reply.ts'
import { tellsBrowsersApart } from './browser.ts'
import { escaped, page, signInFields } from './page.ts'
import type { Parameters } from './parameters.ts'
import type { Realm } from './realm.ts'

/** Whether users sign in before anything else is looked at: so somebody must be able to remember who did. */
export const signsInFirst = (realm: Realm): boolean =>
  realm.identity.kind === 'own' &&
  realm.choices.signIn === 'before all else' &&
  tellsBrowsersApart(realm)

/** Where users sign in who have not yet been told what for. `form`: the last try, which was wrong. */
export function signInPage(incoming: IncomingMessage, form?: Parameters): Reply {
  const next = form?.get('next') ?? (incoming.url ?? '').split('?').slice(1).join('?')
  const body = [
    '<h1>Sign in</h1>',
    '<form method="post" action="/login">',
    `<input type="hidden" name="next" value="${escaped(next)}">`,
    signInFields(
      form === undefined ? undefined : 'Login or password is wrong.',
      form?.get('login') ?? '',
    ),
    '<button class="go">Sign in</button>',
    '</form>',
  ].join('\n')
  return page(form === undefined ? 200 : 403, 'Sign in', body)
}
