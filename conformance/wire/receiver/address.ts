import type { Server } from 'node:net'
import type { AddressInfo } from 'node:net'

/** The address of a server. An IPv6 address has no brackets here. */
interface Address {
  host: string
  port: number
}

/** Parses `host:port` or `[::1]:port`. Throws if the string is neither. */
export function parseListen(listen: string): Address {
  const match = /^(?:\[([0-9a-f:.]+(?:%\w+)?)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(listen.trim())
  const port = Number(match?.[3])
  if (match === null || port > 65_535) {
    throw new Error(
      `"${listen}" is not an address to listen on: it must be host:port, such as 127.0.0.1:0 or [::1]:8080`,
    )
  }
  return { host: (match[1] ?? match[2])!, port }
}

/**
 * Parses the URL at which others reach a receiver, and removes a trailing slash. Throws if the URL
 * is invalid.
 */
export function parsePublicUrl(publicUrl: string, tls: boolean): string {
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new Error(
      `"${publicUrl}" is not a public URL for a receiver: it must be an http or https URL without a query or fragment`,
    )
  }
  if (tls && url.protocol !== 'https:')
    throw new Error(
      `the public URL of a receiver with TLS must start with https:, but is "${publicUrl}"`,
    )
  return publicUrl.replace(/\/+$/, '')
}

/**
 * Starts a server. Resolves with its port. Throws a readable error if the address is not available.
 */
export async function startListening(server: Server, { host, port }: Address): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(explainError(error, host, port))
    server.once('error', failed).listen(port, host, () => {
      server.removeListener('error', failed)
      resolve()
    })
  })
  return (server.address() as AddressInfo).port
}

function explainError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const why: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is in use: choose another port, or 0 for any free port`,
    EACCES: `port ${port} on ${host} requires privileges that this user does not have`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    ENOTFOUND: `the host "${host}" does not exist`,
  }
  return new Error(
    why[error.code ?? ''] ?? `cannot listen on ${host}, port ${port}: ${error.message}`,
    { cause: error },
  )
}

/**
 * The origin at which a server is reached on this machine: on loopback if it listens on all
 * addresses.
 */
export function originOf({ host, port }: Address, tls: boolean): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${tls ? 'https' : 'http'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
