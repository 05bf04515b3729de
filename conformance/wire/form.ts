/** One part of a multipart form. A part with a filename is a file. */
export interface Part {
  name: string
  value: string | Uint8Array
  filename?: string
  type?: string
}

/**
 * Encodes a multipart form (RFC 7578). Names are sent as UTF-8; quotes and line breaks in them are
 * percent-encoded, as browsers do.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578#section-4
 */
export function encodeForm(parts: readonly Part[], boundary: string): Buffer {
  const pieces: Uint8Array[] = []
  for (const { name, value, filename, type } of parts) {
    const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`
    const contentType = type === undefined ? '' : `Content-Type: ${type}\r\n`
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n${contentType}\r\n`,
      ),
    )
    pieces.push(typeof value === 'string' ? Buffer.from(value) : value, Buffer.from('\r\n'))
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return Buffer.concat(pieces)
}

function quoted(text: string): string {
  return text.replace(/["\r\n]/g, (character) => encodeURIComponent(character))
}
