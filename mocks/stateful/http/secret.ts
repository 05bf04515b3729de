import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Compares a secret from a header with the expected one. Both are hashed first, so that timing
 * reveals neither the position of the first difference nor the length.
 */
export function isSecret(received: string | undefined, expected: string): boolean {
  if (received === undefined) return false
  // Node reads headers as Latin-1.
  return timingSafeEqual(digest(Buffer.from(received, 'latin1')), digest(Buffer.from(expected)))
}

function digest(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}
