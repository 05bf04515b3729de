import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { defaultHostname, type StartOptions } from '../../../mocks/registry.ts'
import { UsageError } from '../../print-error.ts'
import { pem } from '../pem.ts'
import type { MockOptions } from './options.ts'
import { writeTemporaryFile } from './temporary-files.ts'

export type MockTls = NonNullable<NonNullable<StartOptions['serving']>['tls']>

/**
 * Returns the certificate of the mocks: the one in the options, or a generated one. Undefined
 * without TLS. Throws `UsageError`.
 */
export async function tlsOf({
  tls = false,
  tlsCert,
  tlsKey,
  clientCa,
  host = defaultHostname,
}: MockOptions): Promise<MockTls | undefined> {
  // Reports a mistake before a file is written.
  if (clientCa !== undefined) pem('--client-ca', clientCa, 'certificate')
  if (tlsCert !== undefined || tlsKey !== undefined) return readCertificate(tlsCert, tlsKey)
  if (!tls && clientCa === undefined) return undefined
  const { makeCertificate } = await import('../../../mocks/serving/certificate.ts')
  const { key, cert } = await makeCertificate(host)
  return { key, cert, caFile: writeTemporaryFile('ca.pem', cert) }
}

function readCertificate(certFile: string | undefined, keyFile: string | undefined): MockTls {
  if (certFile === undefined || keyFile === undefined)
    throw new UsageError('--tls-cert and --tls-key must be set together')
  const cert = pem('--tls-cert', certFile, 'certificate')
  const key = pem('--tls-key', keyFile, 'privateKey')
  try {
    createSecureContext({ key, cert })
    const certificate = new X509Certificate(cert)
    // Clients can trust a certificate that signs itself. Any other needs the file of its authority.
    return { key, cert, ...(certificate.verify(certificate.publicKey) ? { caFile: certFile } : {}) }
  } catch (error) {
    throw new UsageError(
      `--tls-cert ${certFile} and --tls-key ${keyFile} cannot be used: ${(error as Error).message}`,
    )
  }
}
