import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** The largest size of a decoded body, in bytes. */
const maxOutputLength = 16 * 1024 * 1024

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength }),
}

/**
 * Removes the content coding of a body (RFC 9110 §8.4). Some servers use a coding that the client
 * did not request. If a body cannot be decoded, returns it unchanged.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
export function decodeContent(bytes: Buffer, coding: string | undefined): Buffer {
  const decoder = decoders[coding?.trim().toLowerCase() ?? '']
  if (decoder === undefined) return bytes
  try {
    return decoder(bytes)
  } catch {
    return bytes
  }
}
