import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** Bytes that a coded body may unfold to. */
const maxOutputLength = 16 * 1024 * 1024

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength }),
}

/**
 * A body without its coding (RFC 9110 §8.4). The door asks for none, but a server may send one all the same. What cannot be decoded stays as it came.
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
