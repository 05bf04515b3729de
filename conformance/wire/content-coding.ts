import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** The largest size of a decoded body, in bytes. */
const maxDecoded = 16 * 1024 * 1024

/**
 * A decoded body of more than 1 MB is at most this many times as long as the coded one. JSON with
 * different ids is far below this ratio.
 */
const maxRatio = 100

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** A body without its content coding, or the coded body and why it cannot be decoded. */
export interface DecodedBody {
  readonly bytes: Buffer
  readonly failure?: string
}

/**
 * Removes the content coding of a body (RFC 9110 §8.4). Some servers use a coding that the client
 * did not request. A body with a coding that this function does not know stays as it is.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
export function decodeContent(bytes: Buffer, coding: string | undefined): DecodedBody {
  const name = coding?.trim().toLowerCase() ?? ''
  const decoder = decoders[name]
  if (decoder === undefined || bytes.length === 0) return { bytes }
  const most = Math.min(maxDecoded, Math.max(1024 * 1024, maxRatio * bytes.length))
  try {
    return { bytes: decoder(bytes, { maxOutputLength: most }) }
  } catch (error) {
    const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return {
      bytes,
      failure: isLong
        ? `the decoded body is longer than ${most} bytes`
        : `the body cannot be decoded as ${name}, its Content-Encoding`,
    }
  }
}
