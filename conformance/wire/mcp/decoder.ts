import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** A body without its coding (RFC 9110 §8.4), piece by piece. None is asked for, but a server may use one all the same. An unknown one is left as it is. */
export function decoderOf(body: Readable, coding: string | undefined): Readable {
  switch (coding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return body.pipe(createGunzip())
    case 'deflate':
      return body.pipe(createInflate())
    case 'br':
      return body.pipe(createBrotliDecompress())
    default:
      return body
  }
}
