import { connect } from 'node:net'

/** What connection errors mean, by their code in Node. */
export const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EPIPE: 'connection closed while sending',
}

/** Describes a connection error in a few words. */
export const describeConnectionError = ({ code, message }: NodeJS.ErrnoException): string =>
  connectionErrors[code ?? ''] ??
  (code === 'EPROTO' && notTls.test(message)
    ? 'the server speaks no TLS at this port, so the URL probably begins with http, not https'
    : message)

/** What OpenSSL says about a response that is not TLS. */
const notTls = /wrong version number|packet length too long|unknown protocol/

/**
 * The address of a TCP server. The host is a name, an IPv4 address, or an IPv6 address without
 * brackets.
 */
export interface TcpAddress {
  readonly host: string
  readonly port: number
}

/** Returns the TCP address of an `http:` or `https:` URL. Throws if the URL is invalid. */
export function tcpAddressOf(url: string): TcpAddress {
  const { hostname, port, protocol } = new URL(url)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  }
}

/**
 * Opens a TCP connection, and closes it. Returns why the connection could not be opened; undefined
 * if it was opened, or if nothing happened within the timeout (in milliseconds).
 */
export function whyNotConnected(address: TcpAddress, timeout = 2000): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const end = (reason?: string) => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(timeout, () => end())
    socket.once('connect', () => end())
    socket.once('error', (error) => end(describeConnectionError(error)))
  })
}
