import { createHmac, sign as signature } from 'node:crypto'
import { isObject, type Json } from '../../engine/index.ts'
import { parseReceivedJson } from '../json.ts'
import { attackersKey } from './attacker.ts'

/**
 * How a token is signed: with an HMAC (from a shared secret and a hash function), with the
 * attacker's private key, or not at all.
 */
export type Signing = { secret: string; hash: 'sha256' | 'sha384' | 'sha512' } | 'attacker' | 'none'

/** Encodes a part of a token: strings as they are, other values as JSON. */
export const encodePart = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/**
 * Encodes a token, and signs its first two parts, which may be invalid.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7515#section-7.1
 */
export function encodeToken(header: unknown, payload: unknown, by: Signing): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`
  return `${input}.${sign(input, by)}`
}

function sign(input: string, by: Signing): string {
  if (by === 'none') return ''
  if (by === 'attacker')
    return signature('RSA-SHA256', Buffer.from(input), attackersKey().privateKey).toString(
      'base64url',
    )
  return createHmac(by.hash, by.secret).update(input).digest('base64url')
}

/** Decodes a part of a token. Returns undefined if the part does not contain a JSON object. */
export function decodePart(part: string | undefined): Json | undefined {
  if (part === undefined) return undefined
  try {
    const value = parseReceivedJson(
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url')),
    )
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
