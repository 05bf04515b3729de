import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { encodePart } from './encoding.ts'
import { alterSignature } from './signatures.ts'
import { listForged, without, type Forged, type ForgeryInput } from './forgery.ts'

/** Tokens with a critical extension that no server knows. */
export function forgeCritical({ header, claims, signWithSecret }: ForgeryInput): Forged[] {
  return listForged('critical', [
    [
      'with an unknown extension in crit',
      signWithSecret({ ...header, crit: ['touchstone'], touchstone: true }, claims),
    ],
    ['with an empty crit', signWithSecret({ ...header, crit: [] }, claims)],
    ['with b64 false in crit', signWithSecret({ ...header, b64: false, crit: ['b64'] }, claims)],
  ])
}

/** Strings that are not signed JSON Web Tokens. */
export function forgeFormats({
  good,
  header,
  claims,
  signWithSecret,
  secret,
}: ForgeryInput): Forged[] {
  const [head = '', body = ''] = good.split('.')
  return listForged('form', [
    ['of two parts', `${head}.${body}`],
    ['of four parts', `${good}.${head}`],
    ['of five parts', `${good}.${head}.${body}`],
    ['that is encrypted, not signed', encryptClaims(claims, secret)],
    ['with an array as its payload', signWithSecret(header, [claims])],
    ['with a string as its payload', signWithSecret(header, JSON.stringify('claims'))],
    ['with a payload that is not JSON', signWithSecret(header, 'claims')],
    ['with a header that is not JSON', signWithSecret('header', claims)],
    ['of nothing but dots', '..'],
    ['of letters', 'garbage'],
  ])
}

/** A JWE in compact form. Its key is derived from the server's secret, if that is known. */
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
 * A token of 64 kB. Its signature is invalid too, because a server may accept a long token that is
 * valid.
 */
export function forgeOversized({ good, claims }: ForgeryInput): Forged[] {
  const [head = '', , mark = ''] = good.split('.')
  const long = 64 * 1024
  const filling = Math.ceil(
    (long - head.length - mark.length - encodePart({ ...claims, filling: '' }).length) * 0.75,
  )
  return listForged('size', [
    [
      'of 64 kB',
      `${head}.${encodePart({ ...claims, filling: 'x'.repeat(filling) })}.${alterSignature(mark)}`,
    ],
  ])
}

/** Tokens that a server may accept or refuse. */
export function openTokens({
  good,
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
    ['longer MAC', 'of HS384', signWithSecret({ ...header, alg: 'HS384' }, claims, 'sha384')],
    ['longer MAC', 'of HS512', signWithSecret({ ...header, alg: 'HS512' }, claims, 'sha512')],
    ['padding', 'with padding', padded(good)],
    [
      'future issue',
      'that was issued in ten minutes from now',
      signWithSecret(header, { ...claims, iat: now + 600 }),
    ],
    ['leeway', 'that expired a second ago', signWithSecret(header, { ...claims, exp: now - 1 })],
  ]
  return candidates.flatMap(([open, name, token]) =>
    token === undefined ? [] : [{ name, open, token }],
  )
}

/** Points that RFC 7519 and the contract leave to the server. */
export type OpenPoint = 'no expiry' | 'longer MAC' | 'padding' | 'future issue' | 'leeway'
