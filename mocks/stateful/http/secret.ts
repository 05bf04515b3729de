import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Compares a secret that came in a header with one's own. Both are hashed first, so that neither the place of the first difference nor
 * the length shows in the time it takes.
 */
export function isSecret(given: string | undefined, own: string): boolean {
  if (given === undefined) return false
  // Node reads headers byte by byte, as Latin-1.
  return timingSafeEqual(digest(Buffer.from(given, 'latin1')), digest(Buffer.from(own)))
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
