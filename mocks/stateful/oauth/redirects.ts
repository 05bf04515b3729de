import type { OAuthChoices } from './choices.ts'

/** http URIs of the loopback interface, which OAuth 2.1 and RFC 8252 allow as redirect URIs. */

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/

/** Schemes with which a browser would run or show content of an attacker. */
const dangerousSchemes = /^(javascript|data|vbscript|file|blob|about|view-source|ws|wss|ftp):/i

/**
 * Whether a redirect URI may be registered. It must be absolute and secure: https, http on
 * loopback, or the scheme of an app. Other http URIs and fragments are accepted only if the choices
 * allow them.
 */
export function mayRegisterRedirectUri(
  uri: string,
  { plainRedirects, fragments }: Pick<OAuthChoices, 'plainRedirects' | 'fragments'>,
): boolean {
  if (
    !/^[\x21-\x7e]+$/.test(uri) ||
    !URL.canParse(uri) ||
    (fragments === 'refused' && uri.includes('#')) ||
    dangerousSchemes.test(uri)
  )
    return false
  const { protocol, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  return protocol === 'http:' ? plainRedirects === 'accepted' || loopback.test(uri) : true
}

/**
 * Whether a redirect URI is registered. The comparison is exact, except for the port of loopback
 * URIs, which the operating system assigns to apps.
 */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  return registered.some(
    (one) =>
      one === uri ||
      (loopback.test(one) && loopback.test(uri) && withoutPort(one) === withoutPort(uri)),
  )
}

const withoutPort = (uri: string): string =>
  uri.replace(loopback, (_, host: string) => `http://${host}`)
