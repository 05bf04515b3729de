import type { OAuthChoices } from './choices.ts'

/** Redirect URIs according to OAuth 2.1 and RFC 8252. */

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/

/** Schemes with which a browser would run or show foreign content. */
const dangerous = /^(javascript|data|vbscript|file|blob|about|view-source|ws|wss|ftp):/i

/**
 * Whether a redirect URI may be registered: absolute, without a fragment, and secure: https, http
 * on loopback, or the scheme of an app.
 */
export function mayBeRegistered(
  uri: string,
  { plainRedirects, fragments }: Pick<OAuthChoices, 'plainRedirects' | 'fragments'>,
): boolean {
  if (
    !/^[\x21-\x7e]+$/.test(uri) ||
    !URL.canParse(uri) ||
    (fragments === 'refused' && uri.includes('#')) ||
    dangerous.test(uri)
  )
    return false
  const { protocol, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  return protocol === 'http:' ? plainRedirects === 'accepted' || loopback.test(uri) : true
}

/**
 * Whether a redirect URI is registered. Compares exactly, except the port on the loopback
 * interface, which the system assigns to apps.
 */
export function isRegistered(given: string, registered: readonly string[]): boolean {
  return registered.some(
    (one) =>
      one === given ||
      (loopback.test(one) && loopback.test(given) && portless(one) === portless(given)),
  )
}

const portless = (uri: string): string =>
  uri.replace(loopback, (_, host: string) => `http://${host}`)
