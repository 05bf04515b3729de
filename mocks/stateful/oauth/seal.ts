import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Generates a secret of 256 random bits, as 43 URL-safe characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The store key of a secret, which does not reveal the secret. */
export const digestOf = (secret: string): string =>
  createHash('sha256').update(`find ${secret}`).digest('base64url')

const keyOf = (secret: string): Buffer => createHash('sha256').update(`seal ${secret}`).digest()

/** Encrypts a string with AES-256-GCM, with a key derived from the secret. */
export function seal(secret: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts a string. Throws if it was sealed with another secret, or changed. */
export function unseal(secret: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, 12)).setAuthTag(
    bytes.subarray(12, 28),
  )
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
