import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readUserFile } from './user-file.ts'

/** What a PEM file must contain. */
export type PemContent = 'certificate' | 'privateKey'

type ReadPem = { value: string } | { wrong: string }

/**
 * Reads a PEM file. If it is wrong, returns a phrase for a message, which follows the name of the
 * file. Never shows the content, which may be a private key.
 */
export function readPem(path: string, content: PemContent): ReadPem {
  const read = readUserFile(path)
  if ('wrong' in read) return { wrong: `cannot be read: ${read.wrong}` }
  const { text } = read
  const wrong = content === 'certificate' ? wrongCertificates(text) : wrongKey(text)
  return wrong === undefined ? { value: text } : { wrong }
}

function blocksOf(text: string, label: string): readonly string[] {
  return text.match(new RegExp(`-----BEGIN ${label}-----[^]*?-----END ${label}-----`, 'g')) ?? []
}

function wrongCertificates(text: string): string | undefined {
  const blocks = blocksOf(text, '(?:X509 |TRUSTED )?CERTIFICATE')
  if (blocks.length === 0)
    return 'contains no certificate: a certificate begins with -----BEGIN CERTIFICATE-----'
  const index = blocks.findIndex((block) => !isCertificate(block))
  if (index === -1) return undefined
  return `contains a certificate that is damaged${blocks.length === 1 ? '' : `, number ${index + 1} of ${blocks.length}`}`
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0
  } catch {
    return false
  }
}

function wrongKey(text: string): string | undefined {
  if (blocksOf(text, '[A-Z ]*PRIVATE KEY').length === 0)
    return 'contains no private key: a private key begins with -----BEGIN PRIVATE KEY-----'
  try {
    createPrivateKey(text)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE'
      ? 'contains an encrypted private key. Remove its passphrase, for example with openssl pkey'
      : 'contains a private key that is damaged'
  }
}

/** Whether a private key belongs to the first certificate. Both must be valid PEM strings. */
export const belongsTogether = (certificate: string, key: string): boolean =>
  new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
