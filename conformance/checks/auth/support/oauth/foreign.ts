import type { Walk } from '../walk.ts'

/** Where somebody waits who has no right to the code. */
const attacker = 'attacker.touchstone.example'

/**
 * Redirect URIs that differ from a registered one, each in another way, by what was changed. None of them is the same by any way of writing addresses, and none
 * differs in the port alone, which is free on loopback.
 */
export function foreignTo(registered: string): Readonly<Record<string, string>> {
  const { protocol, host, hostname, pathname, port } = new URL(registered)
  const rest = registered.slice(registered.indexOf(pathname, protocol.length + 2 + host.length))
  const mark = registered.includes('?') ? '&' : '?'
  const longer = registered.replace(/(?=\?|$)/, '/more')
  const always = {
    'a longer path': longer,
    'a longer last word': registered.replace(/(?=\?|$)/, 'more'),
    'an added query': `${registered}${mark}touchstone=1`,
  }
  if (host === '') return always
  const suffix = port === '' ? '' : `:${port}`
  return {
    ...always,
    'another host': `${protocol}//${attacker}${suffix}${rest}`,
    'a host that begins alike': `${protocol}//${hostname}.${attacker}${suffix}${rest}`,
    'a user before another host': `${protocol}//${host}@${attacker}${rest}`,
    'another scheme': `${protocol === 'https:' ? 'http:' : 'https:'}//${host}${rest}`,
    'another path': `${protocol}//${host}/elsewhere`,
    'a way around the path': registered.replace(/(?=\?|$)/, '/../../elsewhere'),
    // A host below another is only where names are: addresses have none.
    ...(/^[\d.]+$|^\[|^localhost$/.test(hostname)
      ? {}
      : { 'a host below it': `${protocol}//below.${host}${rest}` }),
  }
}

/** Whether somebody was sent to such an address. What is registered is no foreign place: somebody may be sent there in place of it, with an error. */
export function wentTo({ back }: Walk, foreign: string): boolean {
  if (back === undefined) return false
  const { protocol, host, pathname, searchParams } = new URL(foreign)
  return (
    back.protocol === protocol &&
    back.host === host &&
    back.pathname === pathname &&
    [...searchParams].every(([name, value]) => back.searchParams.getAll(name).includes(value))
  )
}
