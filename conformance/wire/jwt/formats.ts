import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { encodePart } from './encoding.ts'
import { alterSignature } from './signatures.ts'
import { listForged, without, type Forged, type ForgeryInput } from './forgery.ts'

/** Tokens with a `crit` that lists an extension which no server knows. */
export function forgeCritical({ header, claims, signWithSecret }: ForgeryInput): Forged[] {
  return listForged('critical', [
    [
      'with an unknown extension in crit',
      signWithSecret({ ...header, crit: ['touchstone'], touchstone: true }, claims),
    ],
    [
      'with b64 in crit and b64 false',
      signWithSecret({ ...header, b64: false, crit: ['b64'] }, claims),
    ],
  ])
}

/** Strings that are not signed JSON Web Tokens. */
export function forgeFormats({
  validToken,
  header,
  claims,
  signWithSecret,
  secret,
}: ForgeryInput): Forged[] {
  const [head = '', body = ''] = validToken.split('.')
  return listForged('form', [
    ['of two parts', `${head}.${body}`],
    ['of four parts', `${validToken}.${head}`],
    ['of five parts', `${validToken}.${head}.${body}`],
    ['that is encrypted, not signed', encryptClaims(claims, secret)],
    ['with an array as its payload', signWithSecret(header, [claims])],
    ['with a string as its payload', signWithSecret(header, JSON.stringify('claims'))],
    ['with a payload that is not JSON', signWithSecret(header, 'claims')],
    ['with a header that is not JSON', signWithSecret('header', claims)],
    ['of nothing but dots', '..'],
    ['of letters', 'garbage'],
    ['of characters that base64url does not have', '!!!!.????.****'],
    // Clients that have no token send these words by mistake.
    ['that is the word null', 'null'],
    ['that is the word undefined', 'undefined'],
  ])
}

/**
 * Encrypts claims as a JWE in compact form, with a key derived from the server's secret if it is
 * known.
 */
function encryptClaims(claims: unknown, secret: string | undefined): string {
  const key = secret === undefined ? randomBytes(32) : createHash('sha256').update(secret).digest()
  const head = encodePart({ alg: 'dir', enc: 'A256GCM' })
  const start = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, start).setAAD(Buffer.from(head))
  const text = Buffer.concat([cipher.update(JSON.stringify(claims)), cipher.final()])
  return [
    head,
    '',
    start.toString('base64url'),
    text.toString('base64url'),
    cipher.getAuthTag().toString('base64url'),
  ].join('.')
}

/**
 * A token of 64 KiB with an invalid signature. The signature must be invalid, because a server may
 * accept a long valid token.
 */
export function forgeOversized({ validToken, claims }: ForgeryInput): Forged[] {
  const [head = '', , signature = ''] = validToken.split('.')
  const long = 64 * 1024
  const filling = Math.ceil(
    (long - head.length - signature.length - encodePart({ ...claims, filling: '' }).length) * 0.75,
  )
  return listForged('size', [
    [
      'of 64 KiB',
      `${head}.${encodePart({ ...claims, filling: 'x'.repeat(filling) })}.${alterSignature(signature)}`,
    ],
  ])
}

/** Tokens that a server may either accept or refuse. */
export function openTokens({
  validToken,
  header,
  claims,
  now,
  signWithSecret,
}: ForgeryInput): { name: string; open: OpenPoint; token: string }[] {
  const padded = (token: string) =>
    token
      .split('.')
      .map((part) => part + '='.repeat((4 - (part.length % 4)) % 4))
      .join('.')
  const candidates: [OpenPoint, string, string | undefined][] = [
    ['no expiry', 'without exp', signWithSecret(header, without(claims, 'exp'))],
    ['longer MAC', 'with alg HS384', signWithSecret({ ...header, alg: 'HS384' }, claims, 'sha384')],
    ['longer MAC', 'with alg HS512', signWithSecret({ ...header, alg: 'HS512' }, claims, 'sha512')],
    ['padding', 'with padding', padded(validToken)],
    [
      'future issue',
      'whose iat is ten minutes from now',
      signWithSecret(header, { ...claims, iat: now + 600 }),
    ],
    ['empty crit', 'with an empty crit', signWithSecret({ ...header, crit: [] }, claims)],
    [
      'text expiry',
      'with a future time in a string in exp',
      signWithSecret(header, { ...claims, exp: String(now + 1800) }),
    ],
    ['leeway', 'that expired a second ago', signWithSecret(header, { ...claims, exp: now - 1 })],
  ]
  return candidates.flatMap(([open, name, token]) =>
    token === undefined ? [] : [{ name, open, token }],
  )
}

/** Points that RFC 7519 and the contract leave to the server. */
export type OpenPoint =
  'no expiry' | 'longer MAC' | 'padding' | 'future issue' | 'leeway' | 'empty crit' | 'text expiry'
