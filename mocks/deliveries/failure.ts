/**
 * Why a delivery failed. `tls`: the sender refused the receiver's certificate, or the TLS handshake
 * failed. `unreachable`: no connection to the receiver was possible. `timeout`: the receiver did
 * not respond in time. `broken`: the receiver sent no complete response. `invalid`: the request
 * could not be written. `aborted`: the sender was stopped.
 */
export interface DeliveryFailure {
  reason: 'tls' | 'unreachable' | 'timeout' | 'broken' | 'invalid' | 'aborted'
  message: string
}

export const timeout: DeliveryFailure = {
  reason: 'timeout',
  message: 'The receiver did not respond in time',
}

const unreachable: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'ETIMEDOUT',
  'EINVAL',
  'EMFILE',
]

export const stopped: DeliveryFailure = { reason: 'aborted', message: 'The sender was stopped' }

/** Classifies an error that was thrown during a delivery. */
export function failureOf(error: unknown): DeliveryFailure {
  if (error instanceof Error && error.name === 'AbortError') return stopped
  const { code = '', message = String(error) } = error as { code?: string; message?: string }
  return { reason: reasonOf(code), message: message === '' ? code : plainMessage(message) }
}

/** What OpenSSL says about a response that is not TLS. */
const notTls = /wrong version number|packet length too long|unknown protocol/

/** Removes the internals of OpenSSL, such as its source files, from a message. */
const plainMessage = (message: string): string =>
  notTls.test(message)
    ? 'The receiver does not use TLS'
    : (/:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message)

function reasonOf(code: string): DeliveryFailure['reason'] {
  if (unreachable.includes(code)) return 'unreachable'
  // OpenSSL has about thirty error codes for a certificate that it refuses.
  if (
    /CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$|^HOSTNAME_MISMATCH$|^CRL_|^INVALID_(CA|PURPOSE)$/.test(
      code,
    )
  )
    return 'tls'
  return /^ERR_(INVALID|HTTP_INVALID|UNESCAPED)/.test(code) ? 'invalid' : 'broken'
}
