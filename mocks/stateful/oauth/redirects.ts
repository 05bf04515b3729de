import type { OAuthChoices } from './choices.ts'

/** Where a code may be sent, as OAuth 2.1 and RFC 8252 have it. */

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/

/** Schemes by which a browser would run or show what somebody else wrote. */
const dangerous = /^(javascript|data|vbscript|file|blob|about|view-source|ws|wss|ftp):/i

/** Whether an address may be registered: absolute, without a fragment, and safe on its way: https, http on loopback, or an app's own scheme. */
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
  return protocol === 'http:' ? plainRedirects === 'taken' || loopback.test(uri) : true
}

/** Whether an address is a registered one: character by character, but for the port on the loopback interface, which the system gives to apps. */
export function isRegistered(given: string, registered: readonly string[]): boolean {
  return registered.some(
    (one) =>
      one === given ||
      (loopback.test(one) && loopback.test(given) && portless(one) === portless(given)),
  )
}

const portless = (uri: string): string =>
  uri.replace(loopback, (_, host: string) => `http://${host}`)
