import { createHmac, generateKeyPairSync } from 'node:crypto'
import { CompactEncrypt, CompactSign, exportJWK, SignJWT, UnsecuredJWT } from 'jose'
import { describe as suite, expect, test } from 'vitest'
import { newJwtGuard, type JwtOptions } from './guard.ts'

const now = 1_800_000_000
const secret = 'a secret that is long enough for HS256'
const key = new TextEncoder().encode(secret)
const good = { iss: 'i', aud: 'a', exp: now + 60 }
const guardOf = (choices: JwtOptions['choices'] = {}) =>
  newJwtGuard(
    { pattern: 'jwt', secret, issuer: 'i', audience: 'a', choices },
    { now: () => now * 1000, after: () => () => {} },
  )

/** The status for a token; 200 if it is accepted. */
async function status(
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
const made = (header: unknown, payload: unknown, by: string | Buffer = secret, hash = 'sha256') => {
  const input = `${encoded(header)}.${encoded(payload)}`
  return `${input}.${createHmac(hash, by).update(input).digest('base64url')}`
}
const plainly = { alg: 'HS256' }

suite('valid tokens', () => {
  test.each([
    ['a plain one', made({ alg: 'HS256', typ: 'JWT' }, good)],
    ['without typ', made(plainly, good)],
    ['with kid', signClaims({}, { kid: 'one' })],
    ['with several audiences', signClaims({ aud: ['b', 'a'] })],
    ['with further claims', signClaims({ scope: 'read', deep: { er: 1 } })],
    ['issued in the future', signClaims({ iat: now + 100 })],
    ['valid from now', signClaims({ nbf: now })],
  ])('%s', async (_, token) => expect(await status(token)).toBe(200))
})

suite('invalid tokens', () => {
  const valid = made(plainly, good)
  const [head = '', body = '', mark = ''] = valid.split('.')
  const flipped = (mark.startsWith('A') ? 'B' : 'A') + mark.slice(1)
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  const otherSecret = 'the secret of another issuer, long enough'
  test.each<[string, string | Promise<string>]>([
    ['alg none', new UnsecuredJWT(good).encode()],
    ['alg nOnE with a signature', made({ alg: 'nOnE' }, good)],
    ['alg none with a signature', made({ alg: 'none' }, good)],
    ['no signature', `${head}.${body}.`],
    ['half a signature', `${head}.${body}.${mark.slice(0, 20)}`],
    ['another first character', `${head}.${body}.${flipped}`],
    ['two parts', `${head}.${body}`],
    ['four parts', `${valid}.x`],
    ['five parts', `${valid}.x.y`],
    ['a wrong secret', made(plainly, good, otherSecret)],
    ['an empty secret', made(plainly, good, '')],
    ['another payload', `${head}.${encoded({ ...good, sub: 'eve' })}.${mark}`],
    ['another header', `${encoded({ ...plainly, kid: 'x' })}.${body}.${mark}`],
    ['iss wrong', signClaims({ iss: 'j' })],
    ['iss longer', signClaims({ iss: 'ii' })],
    ['iss missing', made(plainly, { aud: 'a', exp: good.exp })],
    ['iss in an array', signClaims({ iss: ['i'] as never })],
    ['aud wrong', signClaims({ aud: 'b' })],
    ['aud missing', made(plainly, { iss: 'i', exp: good.exp })],
    ['aud longer', signClaims({ aud: 'aa' })],
    ['aud in another case', signClaims({ aud: 'A' })],
    ['aud empty', signClaims({ aud: [] })],
    ['exp past', signClaims({ exp: now - 1 })],
    ['exp now', signClaims({ exp: now })],
    ['exp 0', signClaims({ exp: 0 })],
    ['exp a string', made(plainly, { ...good, exp: String(now + 60) })],
    ['exp null', made(plainly, { ...good, exp: null })],
    ['no exp', made(plainly, { iss: 'i', aud: 'a' })],
    ['nbf in an hour', signClaims({ nbf: now + 3600 })],
    ['nbf a string', made(plainly, { ...good, nbf: 'now' })],
    ['iat a string', made(plainly, { ...good, iat: 'now' })],
    [
      'RS256 with its own key',
      exportJWK(publicKey).then((jwk) =>
        new SignJWT(good).setProtectedHeader({ alg: 'RS256', jwk }).sign(privateKey),
      ),
    ],
    ['keyed with a public key', made(plainly, good, pem)],
    ['HS256 with the MAC of HS512', made(plainly, good, secret, 'sha512')],
    ['hs256', made({ alg: 'hs256' }, good)],
    ['no alg', made({ typ: 'JWT' }, good)],
    ['alg in an array', made({ alg: ['HS256'] }, good)],
    ['HS512', made({ alg: 'HS512' }, good, secret, 'sha512')],
    [
      'kid that leads to an empty file',
      made({ ...plainly, kid: '../../../../dev/null' }, good, ''),
    ],
    [
      'a key in its header',
      made({ ...plainly, jwk: { kty: 'oct', k: encoded(otherSecret) } }, good, otherSecret),
    ],
    ['jku', made({ ...plainly, jku: 'http://127.0.0.1:9/keys' }, good, otherSecret)],
    ['crit unknown', made({ ...plainly, crit: ['exp'], exp: 1 }, good)],
    ['crit empty', made({ ...plainly, crit: [] }, good)],
    [
      'b64 false',
      new CompactSign(Buffer.from(JSON.stringify(good)))
        .setProtectedHeader({ alg: 'HS256', b64: false, crit: ['b64'] })
        .sign(key)
        .catch(() => made({ ...plainly, b64: false, crit: ['b64'] }, good)),
    ],
    [
      'encrypted',
      new CompactEncrypt(Buffer.from(JSON.stringify(good)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key.slice(0, 32)),
    ],
    ['payload a list', made(plainly, [good])],
    ['payload a string', made(plainly, '"x"')],
    ['payload not JSON', made(plainly, 'x')],
    ['header not JSON', made('x', good)],
    ['dots', '..'],
    ['garbage', 'garbage'],
  ])('%s', async (_, token) => expect(await status(token)).toBe(403))
})

suite('choices', () => {
  test.each([
    ['no exp', { expiry: 'optional' }, made(plainly, { iss: 'i', aud: 'a' })],
    ['leeway at the end', { leewaySeconds: 2 }, signClaims({ exp: now - 1 })],
    ['leeway at the start', { leewaySeconds: 2 }, signClaims({ nbf: now + 1 })],
    [
      'longer MACs',
      { algorithms: ['HS256', 'HS384', 'HS512'] },
      made({ alg: 'HS384' }, good, secret, 'sha384'),
    ],
  ] as const)('%s', async (_, choices, token) =>
    expect([await status(token, choices), await status(token)]).toEqual([200, 403]),
  )

  test('can refuse an issue time in the future', async () => {
    expect(await status(signClaims({ iat: now + 100 }), { futureIssue: 'refused' })).toBe(403)
  })
})
