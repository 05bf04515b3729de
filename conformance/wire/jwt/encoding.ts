import { createHmac, sign as signature } from 'node:crypto'
import { isObject, type Json } from '../../engine/index.ts'
import { attackersKey } from './attacker.ts'

/** What a token is signed with: a shared secret and the hash of its MAC, a private key, or nothing. */
export type Signing =
  { secret: string; hash: 'sha256' | 'sha384' | 'sha512' } | 'attacker' | 'nobody'

/** A part of a token: JSON where it is no text. */
export const encodePart = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Three parts, signed by the bytes of the first two, whatever they say. */
export function encodeToken(header: unknown, payload: unknown, by: Signing): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`
  return `${input}.${sign(input, by)}`
}

function sign(input: string, by: Signing): string {
  if (by === 'nobody') return ''
  if (by === 'attacker')
    return signature('RSA-SHA256', Buffer.from(input), attackersKey().privateKey).toString(
      'base64url',
    )
  return createHmac(by.hash, by.secret).update(input).digest('base64url')
}

/** The JSON object in a part of a token; undefined where there is none. */
export function decodePart(part: string | undefined): Json | undefined {
  if (part === undefined) return undefined
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url')),
    )
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
