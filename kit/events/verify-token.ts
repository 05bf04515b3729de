import { createHash, timingSafeEqual } from 'node:crypto'
import { headerValues, type RequestHeaders } from './headers.ts'

/**
 * Returns whether a delivery has exactly one X-Hook-Token header, with this token. The time does
 * not depend on the header, so that it reveals no part of the token.
 *
 * Throws a TypeError if `token` is empty: it is then probably not configured, and every delivery
 * without a token would be accepted.
 *
 * @example
 * const response = verifyToken({ 'x-hook-token': 'guess' }, 'delivery-secret')
 *   ? new Response(null, { status: 204 })
 *   : new Response('wrong token', { status: 401 })
 */
export function verifyToken(headers: RequestHeaders, token: string): boolean {
  if (typeof token !== 'string' || token === '')
    throw new TypeError(
      'verifyToken needs the token of the hook, but it is empty. Next: set the secret of the receiver.',
    )
  const values = headerValues(headers, 'x-hook-token')
  const [value = ''] = values
  const expected = digest(Buffer.from(token))
  // HTTP headers are bytes, which Node.js and fetch decode as Latin-1. Other servers decode UTF-8.
  const isUtf8 = timingSafeEqual(digest(Buffer.from(value)), expected)
  const isLatin1 = timingSafeEqual(digest(Buffer.from(value, 'latin1')), expected)
  return values.length === 1 && (isUtf8 || (isLatin1 && isByteString(value)))
}

/** Digests have one length, which `timingSafeEqual` requires. */
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Buffer.from truncates characters that Latin-1 does not contain. */
const isByteString = (value: string) => !/[^\0-\xff]/.test(value)
