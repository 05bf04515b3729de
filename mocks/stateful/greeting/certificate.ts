/** PEM strings. */
export interface Certificate {
  key: string
  cert: string
}

const day = 24 * 60 * 60 * 1000

/**
 * Makes a self-signed certificate for this machine, valid for a month. Clients can use it as their
 * certificate authority.
 */
export async function makeCertificate(): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const { private: key, cert } = await generate(
    [{ name: 'commonName', value: 'touchstone greeting mock' }],
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
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
            { type: 7, ip: '::1' },
          ],
        },
      ],
    },
  )
  return { key, cert }
}
