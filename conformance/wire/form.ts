/** One part of a multipart form. A part with a filename is a file. */
export interface Part {
  name: string
  value: string | Uint8Array
  filename?: string
  /** The file of the report that contains such an image; by default, the file `filename`. */
  savedAs?: string
  type?: string
}

/** How to write a form in a valid way that most clients do not use. */
export type FormSyntax = 'quoted boundary' | 'preamble' | 'lower-case headers'

/** The media type of a form. */
export function contentTypeOf(boundary: string, syntax?: FormSyntax): string {
  const value = syntax === 'quoted boundary' ? `"${boundary}"` : boundary
  return `multipart/form-data; boundary=${value}`
}

/**
 * Encodes a multipart form (RFC 7578). Names are sent as UTF-8; quotes and line breaks in them are
 * percent-encoded, as in browsers.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578#section-4
 */
export function encodeForm(parts: readonly Part[], boundary: string, syntax?: FormSyntax): Buffer {
  const pieces: Uint8Array[] = []
  if (syntax === 'preamble') pieces.push(Buffer.from('A preamble, which servers ignore.\r\n'))
  const nameOf = (header: string) =>
    syntax === 'lower-case headers' ? header.toLowerCase() : header
  for (const { name, value, filename, type } of parts) {
    const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`
    const contentType = type === undefined ? '' : `${nameOf('Content-Type')}: ${type}\r\n`
    pieces.push(
      Buffer.from(
        `--${boundary}\r\n${nameOf('Content-Disposition')}: form-data; name="${quoted(name)}"${file}\r\n${contentType}\r\n`,
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
