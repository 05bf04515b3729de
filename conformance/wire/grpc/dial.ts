import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'

/** How a channel is secured: PEM texts. Without a `ca` the system's own authorities are trusted. */
export interface GrpcTls {
  readonly ca?: string | undefined
  /** The client's own certificate and its key, for servers that ask for one. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** False to trust any certificate. */
  readonly verify?: boolean | undefined
}

/** Splits host:port; the host of an IPv6 address loses its brackets. */
export function parseAddress(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':')
  return {
    host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.slice(colon + 1)),
  }
}

/** A connection that is being made. Throws for nothing that the target does, but for certificates that cannot be read. */
export function dial(address: string, tls: GrpcTls | undefined): Socket {
  const { host, port } = parseAddress(address)
  if (tls === undefined) return connectPlain({ host, port, noDelay: true })
  const { ca, cert, key, verify = true } = tls
  return connectSecure({
    host,
    port,
    ALPNProtocols: ['h2'],
    // Server name indication knows names only (RFC 6066 §3).
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: verify,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  })
}

/**
 * Why a connection failed: `untrusted` the certificate is not accepted; `no-tls`, `no-http2` the other side speaks something else; `closed` it was ended;
 * `timeout` nothing came in time; `other` anything else.
 */
export type GrpcFailureCode = 'untrusted' | 'no-tls' | 'no-http2' | 'closed' | 'timeout' | 'other'

export interface GrpcFailure {
  readonly code: GrpcFailureCode
  readonly text: string
}

const errorTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EPIPE: 'connection closed while sending',
  ETIMEDOUT: 'no connection in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate signs itself and is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate comes from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate comes from an authority that is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what answers does not speak TLS',
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

/** What went wrong with a connection. */
export function failureOf(error: unknown): GrpcFailure {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException
  return { code: failureCodes[code] ?? 'other', text: describeError(error) }
}

/** The same in words alone. */
export function describeError(error: unknown): string {
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException
  if (errorTexts[code] !== undefined) return errorTexts[code]
  // Node wraps what nghttp2 says: HTTP/2 was not spoken as it should be.
  if (code === 'ERR_HTTP2_ERROR') return `what answers does not speak HTTP/2 (${message})`
  // OpenSSL's own sentences carry addresses of memory and names of files.
  const alert = /SSL alert number (\d+)|alert ([a-z ]+)/.exec(message)
  if (alert !== null)
    return `TLS alert: ${(/alert ([a-z ]+[a-z])/.exec(message)?.[1] ?? alert[1]) as string}`
  return message.split('\n')[0]!
}
