import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { connectionErrors } from '../connect.ts'

/**
 * TLS of a channel; keys and certificates are PEM strings. Without `ca` the system's CA
 * certificates are used.
 */
export interface GrpcTls {
  readonly ca?: string | undefined
  /** The client certificate and its key, for servers that require one. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** If false, any certificate of the server is accepted. */
  readonly verify?: boolean | undefined
}

/** Splits host:port; removes the brackets of an IPv6 address. */
export function parseAddress(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':')
  return {
    host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.slice(colon + 1)),
  }
}

/** Starts to connect. Throws only for certificates that cannot be read. */
export function dial(address: string, tls: GrpcTls | undefined): Socket {
  const { host, port } = parseAddress(address)
  if (tls === undefined) return connectPlain({ host, port, noDelay: true })
  const { ca, cert, key, verify = true } = tls
  return connectSecure({
    host,
    port,
    ALPNProtocols: ['h2'],
    // Server name indication does not allow IP addresses (RFC 6066 §3).
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: verify,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  })
}

/**
 * Why a connection failed:
 * - `untrusted`: the server's certificate is not accepted.
 * - `no-tls`, `no-http2`: the server uses another protocol.
 * - `closed`: the connection was ended.
 * - `timeout`: nothing was received in time.
 * - `other`: anything else.
 */
export type GrpcFailureCode = 'untrusted' | 'no-tls' | 'no-http2' | 'closed' | 'timeout' | 'other'

export interface GrpcFailure {
  readonly code: GrpcFailureCode
  readonly text: string
}

const errorTexts: Readonly<Record<string, string>> = {
  ...connectionErrors,
  ETIMEDOUT: 'no connection in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is from an authority that is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not use TLS',
}

const failureCodes: Readonly<Record<string, GrpcFailureCode>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'untrusted',
  CERT_HAS_EXPIRED: 'untrusted',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no-tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no-tls',
  ERR_HTTP2_ERROR: 'no-http2',
  EPIPE: 'closed',
}

/** Converts an error to a failure with its code. */
export function failureOf(error: unknown): GrpcFailure {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException
  return { code: failureCodes[code] ?? 'other', text: describeError(error) }
}

/** Describes an error in words. */
export function describeError(error: unknown): string {
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException
  if (errorTexts[code] !== undefined) return errorTexts[code]
  // Node uses this code for errors of its HTTP/2 library, nghttp2: the server violated HTTP/2.
  if (code === 'ERR_HTTP2_ERROR') return `the server does not use HTTP/2 (${message})`
  // Messages of OpenSSL contain memory addresses and file names, so only the alert is shown.
  const alert = /SSL alert number (\d+)|alert ([a-z ]+)/.exec(message)
  if (alert !== null)
    return `TLS alert: ${(/alert ([a-z ]+[a-z])/.exec(message)?.[1] ?? alert[1]) as string}`
  return message.split('\n')[0]!
}
