import { swapCase } from '../../../../wire/swap-case.ts'
import type { AuthorizationFlow } from '../authorization-flow.ts'

/** A host that must not receive the code. */
const attacker = 'attacker.touchstone.example'

const toggleSlash = (slash: string): string => (slash === '' ? '/' : '')

const isLoopback = (hostname: string): boolean => /^127\.|^\[::1\]$|^localhost$/.test(hostname)

/**
 * Redirect URIs that differ from a registered one. Each key names the difference. URL normalization
 * does not remove it. On loopback, none differs only in its port, because any port is allowed.
 */
export function foreignRedirectUris(registered: string): Readonly<Record<string, string>> {
  const { protocol, host, hostname, pathname, port } = new URL(registered)
  const rest = registered.slice(registered.indexOf(pathname, protocol.length + 2 + host.length))
  const separator = registered.includes('?') ? '&' : '?'
  const longer = registered.replace(/(?=\?|$)/, '/more')
  const always = {
    'a longer path': longer,
    'a longer last segment': registered.replace(/(?=\?|$)/, 'more'),
    'an added query parameter': `${registered}${separator}touchstone=1`,
    ...(host !== '' && pathname === '/'
      ? {}
      : { 'a slash added or removed at the end': registered.replace(/\/?(?=\?|$)/, toggleSlash) }),
  }
  if (host === '') return always
  const otherCase = swapCase(pathname)
  const suffix = port === '' ? '' : `:${port}`
  return {
    ...always,
    'another host': `${protocol}//${attacker}${suffix}${rest}`,
    'a host with the right one as a prefix': `${protocol}//${hostname}.${attacker}${suffix}${rest}`,
    'the right host as a user of another host': `${protocol}//${host}@${attacker}${rest}`,
    'another scheme': `${protocol === 'https:' ? 'http:' : 'https:'}//${host}${rest}`,
    'another path': `${protocol}//${host}/elsewhere`,
    // A path is case-sensitive, unlike a host.
    ...(otherCase === pathname
      ? {}
      : { 'the path with upper and lower case swapped': registered.replace(pathname, otherCase) }),
    'a path with dot segments': registered.replace(/(?=\?|$)/, '/../../elsewhere'),
    ...(isLoopback(hostname)
      ? {}
      : { 'another port': `${protocol}//${hostname}:${port === '8443' ? '9443' : '8443'}${rest}` }),
    // IP addresses have no subdomains.
    ...(/^[\d.]+$|^\[|^localhost$/.test(hostname)
      ? {}
      : { 'a subdomain': `${protocol}//below.${host}${rest}` }),
  }
}

/**
 * Whether the browser was redirected to the foreign URI. A server may redirect to the registered
 * URI with an error.
 */
export function wasRedirectedTo({ destination }: AuthorizationFlow, foreign: string): boolean {
  if (destination === undefined) return false
  const { protocol, host, pathname, searchParams } = new URL(foreign)
  return (
    destination.protocol === protocol &&
    destination.host === host &&
    destination.pathname === pathname &&
    [...searchParams].every(([name, value]) =>
      destination.searchParams.getAll(name).includes(value),
    )
  )
}
