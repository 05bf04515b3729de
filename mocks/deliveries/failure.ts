/**
 * Why a delivery failed: the certificate was refused, nobody could be reached, the answer did not come in time, what came was no whole answer,
 * the delivery could not be written, or the sender was stopped.
 */
export interface DeliveryFailure {
  reason: 'tls' | 'unreachable' | 'timeout' | 'broken' | 'invalid' | 'aborted'
  message: string
}

export const timeout: DeliveryFailure = {
  reason: 'timeout',
  message: 'The receiver did not answer in time',
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

/** What a thrown error means for a delivery. */
export function failureOf(error: unknown): DeliveryFailure {
  if (error instanceof Error && error.name === 'AbortError') return stopped
  const { code = '', message = String(error) } = error as { code?: string; message?: string }
  return { reason: reasonOf(code), message: message === '' ? code : message }
}

function reasonOf(code: string): DeliveryFailure['reason'] {
  if (unreachable.includes(code)) return 'unreachable'
  // OpenSSL has some thirty words for a certificate that will not do.
  if (
    /CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$|^HOSTNAME_MISMATCH$|^CRL_|^INVALID_(CA|PURPOSE)$/.test(
      code,
    )
  )
    return 'tls'
  return /^ERR_(INVALID|HTTP_INVALID|UNESCAPED)/.test(code) ? 'invalid' : 'broken'
}
