import { isIP } from 'node:net'

/** A private key and its self-signed certificate, both PEM. */
interface Certificate {
  key: string
  cert: string
}

const day = 24 * 60 * 60 * 1000

/**
 * Makes a certificate for this machine (localhost, 127.0.0.1, ::1) and the hosts given, which are names or IP addresses without brackets. It signs
 * itself, so that nobody trusts it who was not told to; it begins a day ago, since a target's clock may lag, and lasts a week. Nothing is written to disk.
 */
export async function generateCertificate(hosts: readonly string[] = []): Promise<Certificate> {
  // What makes certificates takes longer to load than most runs need it.
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
