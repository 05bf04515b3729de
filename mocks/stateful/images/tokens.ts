import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ImagesContext, ResolvedImagesOptions, RoleReader } from './call.ts'

const width = 512

/**
 * Reads whose token an Authorization header carries. Tokens are compared padded to one width and to the end of the list,
 * so that neither length nor position shows in the time it takes.
 */
export function roleReader(tokens: ResolvedImagesOptions['tokens']): RoleReader {
  const known = (['api', 'limited', 'batch'] as const).map((role) => ({
    role,
    bytes: padded(tokens[role], 'utf8'),
  }))
  const given = Buffer.alloc(width)
  // Headers that were right are known again as a whole, by their hash, which tells nobody how near a guess comes.
  const right = new Map<string, ReturnType<RoleReader>>()
  return (authorization) => {
    if (authorization === undefined) return undefined
    const again = right.get(authorization)
    if (again !== undefined) return again
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (token === undefined || token.length > width) return undefined
    given.fill(0)
    given.write(token, 'latin1')
    let found: ReturnType<RoleReader>
    for (const { role, bytes } of known) if (timingSafeEqual(bytes, given)) found = role
    // The scheme may be written in many ways; a few of them are enough to remember.
    if (found !== undefined && right.size < 16) right.set(authorization, found)
    return found
  }
}

function padded(text: string, encoding: BufferEncoding): Buffer {
  const source = Buffer.from(text, encoding)
  if (source.length === 0 || source.length > width)
    throw new Error(`a token has between 1 and ${width} bytes`)
  const bytes = Buffer.alloc(width)
  source.copy(bytes)
  return bytes
}

/** Signs a delivery URL of a private picture: the same URL with the query that the delivery host wants. */
export function signDeliveryUrl(server: Pick<ImagesContext, 'signingKey'>, url: string): string {
  const signed = new URL(url)
  signed.searchParams.set('sig', signatureOf(server, signed.pathname))
  return signed.href
}

/** Whether the signature in a query fits the path as received. */
export function isSigned(
  server: Pick<ImagesContext, 'signingKey'>,
  path: string,
  given: string | null,
): boolean {
  if (given === null) return false
  const wanted = Buffer.from(signatureOf(server, path))
  const got = Buffer.from(given)
  return wanted.length === got.length && timingSafeEqual(wanted, got)
}

function signatureOf(server: Pick<ImagesContext, 'signingKey'>, path: string): string {
  return createHmac('sha256', server.signingKey).update(path).digest('hex')
}
