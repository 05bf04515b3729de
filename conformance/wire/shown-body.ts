import type { KeptBody } from './kept-body.ts'
import type { Redactor } from './secrets.ts'

/** The longest body in a record, in characters. */
export const maxBodyCharacters = 64 * 1024

/** The longest value of a header in a record, in characters. */
export const maxHeaderCharacters = 4096

/** How many characters after the cut are redacted, because a secret may extend beyond it. */
const redactedBeyond = 16 * 1024

/**
 * The start of a body as a report shows it, without secrets. A long body is neither decoded nor
 * redacted as a whole.
 */
export function shownStart(body: KeptBody, redact: Redactor, maxCharacters: number): string {
  // A character has at most four bytes.
  const start = body.start(4 * (maxCharacters + redactedBeyond))
  const text = redact(start.toString('utf8'))
  return start.length < body.length || text.length > maxCharacters
    ? `${text.slice(0, maxCharacters)}… (${body.length} bytes)`
    : text
}

/** The start of a body in one line. */
export function shownLine(body: KeptBody, redact: Redactor): string {
  const text = shownStart(body, redact, 4096).replace(/\s+/g, ' ')
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
