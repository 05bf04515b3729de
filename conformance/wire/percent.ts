/**
 * Percent-encodes a value of the target for one segment of a path. Replaces lone surrogates, which
 * have no encoding, by U+FFFD.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-2.1
 */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))

/**
 * Decodes percent-encoding. Returns a malformed string unchanged.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-2.1
 */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
