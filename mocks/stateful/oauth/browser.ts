import type { IncomingMessage } from 'node:http'
import { cookieOf } from './parameters.ts'
import type { Realm } from './realm.ts'
import type { ResourceOwner } from './records.ts'

/** The name of the cookie that identifies a browser. */
export const browserCookie = 'shelf_browser'
/** The name of the cookie that identifies the signed-in user. */
export const loginCookie = 'shelf_login'

/** Returns the user who has signed in with this browser. */
export async function signedInUser(
  { vault, identity }: Realm,
  incoming: IncomingMessage,
): Promise<ResourceOwner | undefined> {
  const secret = cookieOf(incoming, loginCookie)
  const found =
    secret === undefined || identity.kind !== 'own' ? undefined : await vault.get('login', secret)
  return found === undefined || identity.kind !== 'own'
    ? undefined
    : identity.users.findByLogin(found.login)
}

/**
 * Whether browsers are identified by a cookie. With an upstream identity provider, the cookie is
 * always required, because nothing else protects the consent page.
 */
export const requiresBrowserCookie = ({ identity, choices }: Realm): boolean =>
  choices.browserCookies || identity.kind === 'upstream'

/**
 * The value of a Set-Cookie header. With SameSite=Lax, browsers send the cookie after a link on
 * another site, but not with a form on another site. HttpOnly hides it from scripts.
 */
export const cookieText = (origin: string, name: string, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`
