import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ImagesContext, ResolvedImagesOptions, RoleReader } from './call.ts'

const width = 512

/**
 * Returns a function that finds the role of the token in an Authorization header. It pads all
 * tokens to the same width, and compares the received token with all known ones. So timing reveals
 * neither the length of a known token nor its position in the list.
 */
export function newRoleReader(tokens: Partial<ResolvedImagesOptions['tokens']>): RoleReader {
  const known = (['api', 'limited', 'batch', 'other'] as const).flatMap((role) => {
    const token = tokens[role]
    return token === undefined ? [] : [{ role, bytes: padToken(token, 'utf8') }]
  })
  const received = Buffer.alloc(width)
  // Cache of accepted headers. A lookup by hash does not reveal how close a guess is.
  const accepted = new Map<string, ReturnType<RoleReader>>()
  return (authorization) => {
    if (authorization === undefined) return undefined
    const cached = accepted.get(authorization)
    if (cached !== undefined) return cached
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (token === undefined || token.length > width) return undefined
    received.fill(0)
    received.write(token, 'latin1')
    let found: ReturnType<RoleReader>
    for (const { role, bytes } of known) if (timingSafeEqual(bytes, received)) found = role
    // The cache is bounded, because clients can write one token in many headers: the case of the
    // scheme and the number of spaces can vary.
    if (found !== undefined && accepted.size < 16) accepted.set(authorization, found)
    return found
  }
}

function padToken(text: string, encoding: BufferEncoding): Buffer {
  const source = Buffer.from(text, encoding)
  if (source.length === 0 || source.length > width)
    throw new Error(`a token must have between 1 and ${width} bytes`)
  const bytes = Buffer.alloc(width)
  source.copy(bytes)
  return bytes
}

/**
 * Signs the delivery URL of a private image: adds the query parameter that the delivery host
 * requires.
 */
export function signDeliveryUrl(server: Pick<ImagesContext, 'signingKey'>, url: string): string {
  const signed = new URL(url)
  signed.searchParams.set('sig', signatureOf(server, signed.pathname))
  return signed.href
}

/** Whether the signature belongs to this path. The path must not be decoded. */
export function isSigned(
  server: Pick<ImagesContext, 'signingKey'>,
  path: string,
  signature: string | null,
): boolean {
  if (signature === null) return false
  const expected = Buffer.from(signatureOf(server, path))
  const received = Buffer.from(signature)
  return expected.length === received.length && timingSafeEqual(expected, received)
}

function signatureOf(server: Pick<ImagesContext, 'signingKey'>, path: string): string {
  return createHmac('sha256', server.signingKey).update(path).digest('hex')
}
