import { certifiedNames, defaultHostname } from './address.ts'

/** PEM strings. */
export interface Certificate {
  key: string
  cert: string
}

const day = 24 * 60 * 60 * 1000

/**
 * Makes a self-signed certificate for a server on this address or name, valid for a month. Clients
 * can use it as their certificate authority.
 */
export async function makeCertificate(hostname = defaultHostname): Promise<Certificate> {
  const { names, addresses } = certifiedNames(hostname)
  const { generate } = await import('selfsigned')
  const { private: key, cert } = await generate(
    [{ name: 'commonName', value: 'touchstone mock' }],
    {
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
      notBeforeDate: new Date(Date.now() - day),
      notAfterDate: new Date(Date.now() + 30 * day),
      extensions: [
        // Some TLS libraries accept only CA certificates as trust anchors.
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        {
          name: 'subjectAltName',
          altNames: [
            ...names.map((value) => ({ type: 2 as const, value })),
            ...addresses.map((ip) => ({ type: 7 as const, ip })),
          ],
        },
      ],
    },
  )
  return { key, cert }
}
