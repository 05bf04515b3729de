import { createHmac, generateKeyPairSync } from 'node:crypto'
import { CompactEncrypt, CompactSign, exportJWK, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { newAudit } from '../../../audit.ts'
import { newJwtGuard, type JwtOptions } from './guard.ts'

const now = 1_800_000_000
const secret = 'a secret that is long enough for HS256'
const key = new TextEncoder().encode(secret)
const good = { iss: 'i', aud: 'a', exp: now + 60 }
const clock = { now: () => now * 1000, after: () => () => {} }
const guardOf = (choices: JwtOptions['choices'] = {}) =>
  newJwtGuard(
    { pattern: 'jwt', secret, issuer: 'i', audience: 'a', choices },
    { clock, audit: newAudit(clock.now) },
  )

/** The status for a token; 200 if it is accepted. */
async function statusFor(
  token: string | Promise<string>,
  choices: JwtOptions['choices'] = {},
): Promise<number> {
  const admission = await guardOf(choices).admit({
    headers: { authorization: `Bearer ${await token}` },
    method: 'POST',
    url: '/mcp',
  } as never)
  return 'reply' in admission ? admission.reply.status : 200
}

const signClaims = (claims: object, header: object = {}) =>
  new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: 'HS256', ...header }).sign(key)
const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const buildToken = (
  header: unknown,
  payload: unknown,
  by: string | Buffer = secret,
  hash = 'sha256',
) => {
  const input = `${encoded(header)}.${encoded(payload)}`
  return `${input}.${createHmac(hash, by).update(input).digest('base64url')}`
}
const plainHeader = { alg: 'HS256' }

describe('valid tokens', () => {
  test.each([
    ['a plain token', buildToken({ alg: 'HS256', typ: 'JWT' }, good)],
    ['without typ', buildToken(plainHeader, good)],
    ['with kid', signClaims({}, { kid: 'one' })],
    ['with several audiences', signClaims({ aud: ['b', 'a'] })],
    ['with further claims', signClaims({ scope: 'read', deep: { er: 1 } })],
    ['issued in the future', signClaims({ iat: now + 100 })],
    ['valid from now', signClaims({ nbf: now })],
  ])('are accepted: %s', async (_, token) => expect(await statusFor(token)).toBe(200))
})

describe('invalid tokens', () => {
  const valid = buildToken(plainHeader, good)
  const [head = '', body = '', signature = ''] = valid.split('.')
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  const otherSecret = 'the secret of another issuer, long enough'
  test.each<[string, string | Promise<string>]>([
    ['alg none', new UnsecuredJWT(good).encode()],
    ['alg nOnE with a signature', buildToken({ alg: 'nOnE' }, good)],
    ['alg none with a signature', buildToken({ alg: 'none' }, good)],
    ['no signature', `${head}.${body}.`],
    ['half a signature', `${head}.${body}.${signature.slice(0, 20)}`],
    ['a signature with a changed first character', `${head}.${body}.${flipped}`],
    ['two parts', `${head}.${body}`],
    ['four parts', `${valid}.x`],
    ['five parts', `${valid}.x.y`],
    ['a wrong secret', buildToken(plainHeader, good, otherSecret)],
    ['an empty secret', buildToken(plainHeader, good, '')],
    ['a changed payload', `${head}.${encoded({ ...good, sub: 'eve' })}.${signature}`],
    ['a changed header', `${encoded({ ...plainHeader, kid: 'x' })}.${body}.${signature}`],
    ['iss wrong', signClaims({ iss: 'j' })],
    ['iss longer', signClaims({ iss: 'ii' })],
    ['iss missing', buildToken(plainHeader, { aud: 'a', exp: good.exp })],
    ['iss in an array', signClaims({ iss: ['i'] as never })],
    ['aud wrong', signClaims({ aud: 'b' })],
    ['aud missing', buildToken(plainHeader, { iss: 'i', exp: good.exp })],
    ['aud longer', signClaims({ aud: 'aa' })],
    ['aud in upper case', signClaims({ aud: 'A' })],
    ['aud empty', signClaims({ aud: [] })],
    ['exp past', signClaims({ exp: now - 1 })],
    ['exp now', signClaims({ exp: now })],
    ['exp 0', signClaims({ exp: 0 })],
    ['exp a string', buildToken(plainHeader, { ...good, exp: String(now + 60) })],
    ['exp null', buildToken(plainHeader, { ...good, exp: null })],
    ['no exp', buildToken(plainHeader, { iss: 'i', aud: 'a' })],
    ['nbf in an hour', signClaims({ nbf: now + 3600 })],
    ['nbf a string', buildToken(plainHeader, { ...good, nbf: 'now' })],
    ['iat a string', buildToken(plainHeader, { ...good, iat: 'now' })],
    [
      'RS256 with its own key',
      exportJWK(publicKey).then((jwk) =>
        new SignJWT(good).setProtectedHeader({ alg: 'RS256', jwk }).sign(privateKey),
      ),
    ],
    ['a MAC keyed with a public key', buildToken(plainHeader, good, pem)],
    ['HS256 with the MAC of HS512', buildToken(plainHeader, good, secret, 'sha512')],
    ['hs256', buildToken({ alg: 'hs256' }, good)],
    ['no alg', buildToken({ typ: 'JWT' }, good)],
    ['alg in an array', buildToken({ alg: ['HS256'] }, good)],
    ['HS512', buildToken({ alg: 'HS512' }, good, secret, 'sha512')],
    [
      'kid that leads to an empty file',
      buildToken({ ...plainHeader, kid: '../../../../dev/null' }, good, ''),
    ],
    [
      'a key in its header',
      buildToken(
        { ...plainHeader, jwk: { kty: 'oct', k: encoded(otherSecret) } },
        good,
        otherSecret,
      ),
    ],
    ['jku', buildToken({ ...plainHeader, jku: 'http://127.0.0.1:9/keys' }, good, otherSecret)],
    ['crit unknown', buildToken({ ...plainHeader, crit: ['exp'], exp: 1 }, good)],
    ['crit empty', buildToken({ ...plainHeader, crit: [] }, good)],
    [
      'b64 false',
      new CompactSign(Buffer.from(JSON.stringify(good)))
        .setProtectedHeader({ alg: 'HS256', b64: false, crit: ['b64'] })
        .sign(key)
        .catch(() => buildToken({ ...plainHeader, b64: false, crit: ['b64'] }, good)),
    ],
    [
      'encrypted',
      new CompactEncrypt(Buffer.from(JSON.stringify(good)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key.slice(0, 32)),
    ],
    ['payload a list', buildToken(plainHeader, [good])],
    ['payload a string', buildToken(plainHeader, '"x"')],
    ['payload not JSON', buildToken(plainHeader, 'x')],
    ['header not JSON', buildToken('x', good)],
    ['only dots', '..'],
    ['garbage', 'garbage'],
  ])('are refused: %s', async (_, token) => expect(await statusFor(token)).toBe(403))
})

describe('choices', () => {
  test.each([
    ['no exp', { expiry: 'optional' }, buildToken(plainHeader, { iss: 'i', aud: 'a' })],
    ['leeway at the end', { leewaySeconds: 2 }, signClaims({ exp: now - 1 })],
    ['leeway at the start', { leewaySeconds: 2 }, signClaims({ nbf: now + 1 })],
    [
      'longer MACs',
      { algorithms: ['HS256', 'HS384', 'HS512'] },
      buildToken({ alg: 'HS384' }, good, secret, 'sha384'),
    ],
  ] as const)('can accept tokens that are refused by default: %s', async (_, choices, token) =>
    expect([await statusFor(token, choices), await statusFor(token)]).toEqual([200, 403]),
  )

  test('can refuse an issue time in the future', async () => {
    expect(await statusFor(signClaims({ iat: now + 100 }), { futureIssue: 'refused' })).toBe(403)
  })
})
