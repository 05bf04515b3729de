import type { IncomingMessage } from 'node:http'
import { cookieOf } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ResourceOwner } from './records.ts'

/** Tells browsers apart. */
export const browserCookie = 'shelf_browser'
/** Tells who signed in. */
export const loginCookie = 'shelf_login'

/** Who has signed in in this browser. */
export async function signedIn(
  { vault, identity }: Realm,
  incoming: IncomingMessage,
): Promise<ResourceOwner | undefined> {
  const secret = cookieOf(incoming, loginCookie)
  const found =
    secret === undefined || identity.kind !== 'own' ? undefined : await vault.get('login', secret)
  return found === undefined || identity.kind !== 'own'
    ? undefined
    : identity.users.known(found.login)
}

/** Whether browsers are told apart: where the identity provider knows the users, nothing else protects the page that asks them. */
export const tellsBrowsersApart = ({ identity, choices }: Realm): boolean =>
  choices.browserCookies || identity.kind === 'upstream'

/** Sent along when a user comes from elsewhere, but not with forms of others; and hidden from scripts. */
export const cookieText = (origin: string, name: string, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`
