import { isIP } from 'node:net'

/** A private key and its self-signed certificate, both PEM. */
interface Certificate {
  key: string
  cert: string
}

const day = 24 * 60 * 60 * 1000

/**
 * Generates a self-signed certificate for this machine (localhost, 127.0.0.1, ::1) and the given
 * hosts, which are names or IP addresses without brackets. Clients trust it only if they are
 * configured to. It is valid from a day ago, because the target's clock may be slow, until a week
 * from now. Nothing is written to disk.
 */
export async function generateCertificate(hosts: readonly string[] = []): Promise<Certificate> {
  // Imports the library only when it is needed: it loads slowly, and most runs need no certificate.
  const { generate } = await import('selfsigned')
  const altNames = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])].map((host) =>
    isIP(host) === 0 ? ({ type: 2, value: host } as const) : ({ type: 7, ip: host } as const),
  )
  const now = Date.now()
  const generated = await generate([{ name: 'commonName', value: 'touchstone receiver' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - day),
    notAfterDate: new Date(now + 7 * day),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  return { key: generated.private, cert: generated.cert }
}
