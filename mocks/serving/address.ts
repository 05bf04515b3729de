import { isIP } from 'node:net'
import { hostname as nameOfMachine } from 'node:os'

/** The address on which mocks listen by default: only this machine can reach them. */
export const defaultHostname = '127.0.0.1'

/**
 * The addresses that mean every address of the machine, each with the loopback address to use in
 * URLs.
 */
const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns the host for URLs of a server that listens on this address or name. */
export function urlHostOf(hostname: string): string {
  const reachable = everyAddress[hostname] ?? hostname
  return isIP(reachable) === 6 ? `[${reachable}]` : reachable
}

/**
 * Whether a Host header names a server that listens on this address or name. If the server listens
 * on every address, each IP address and the name of the machine are accepted. This does not allow
 * DNS rebinding, which needs another name.
 */
export function isNameOf(hostname: string, header: string | undefined): boolean {
  if (header === undefined || !URL.canParse(`http://${header}`)) return false
  const requested = new URL(`http://${header}`).hostname.replace(/^\[|\]$/g, '')
  if (everyAddress[hostname] === undefined) return requested === hostname.toLowerCase()
  return isIP(requested) !== 0 || requested === nameOfMachine().toLowerCase()
}

/** The names and addresses for the certificate of a server that listens on this address or name. */
export function certifiedNames(hostname: string): { names: string[]; addresses: string[] } {
  const own = everyAddress[hostname] === undefined ? hostname : nameOfMachine()
  const all = [...new Set(['localhost', '127.0.0.1', '::1', own])]
  return {
    names: all.filter((name) => isIP(name) === 0),
    addresses: all.filter((name) => isIP(name) !== 0),
  }
}
