import type { Server } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Where a server listens. IPv6 addresses stand without their brackets. */
interface Address {
  host: string
  port: number
}

/** Reads `host:port`, or `[::1]:port`. Throws where it is neither. */
export function parseListen(listen: string): Address {
  const match = /^(?:\[([0-9a-f:.]+(?:%\w+)?)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(listen.trim())
  const port = Number(match?.[3])
  if (match === null || port > 65_535) {
    throw new Error(
      `«${listen}» is no address to listen on: it has to be host:port, such as 127.0.0.1:0 or [::1]:8080`,
    )
  }
  return { host: (match[1] ?? match[2])!, port }
}

/** Reads the URL below which others reach a receiver, and takes a slash off its end. Throws where it is no such URL. */
export function parsePublicUrl(publicUrl: string, tls: boolean): string {
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new Error(
      `«${publicUrl}» is no public URL for a receiver: it has to be an http or https URL without query and fragment`,
    )
  }
  if (tls && url.protocol !== 'https:')
    throw new Error(
      `the public URL of a receiver with TLS has to begin with https:, and «${publicUrl}» does not`,
    )
  return publicUrl.replace(/\/+$/, '')
}

/** Starts a server; resolves with the port it got. Throws, in words, where it may not have the one it wants. */
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
    EADDRINUSE: `port ${port} on ${host} is taken: name another one, or 0 for any that is free`,
    EACCES: `port ${port} on ${host} may not be opened by this user`,
    EADDRNOTAVAIL: `${host} is no address of this machine`,
    ENOTFOUND: `there is no host «${host}»`,
  }
  return new Error(
    why[error.code ?? ''] ?? `cannot listen on ${host}, port ${port}: ${error.message}`,
    { cause: error },
  )
}

/** Scheme, host and port by which this machine reaches it: what listens everywhere is also at home on loopback. */
export function originOf({ host, port }: Address, tls: boolean): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${tls ? 'https' : 'http'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
