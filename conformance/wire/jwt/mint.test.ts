import { createHmac } from 'node:crypto'
import { jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { attackersSecret } from './attacker.ts'
import { decodePart } from './encoding.ts'
import { newJwtMint, newTokenSeconds, type JwtSource } from './mint.ts'

const secret = 'a secret of the server, long enough for HS256'
const now = 1_800_000_000
const base: JwtSource = {
  secret,
  issuer: 'https://issuer.example',
  audience: 'shelf_mcp',
  claims: { email: 'ada@shelf.example' },
  now: () => now * 1000,
}
const mintOf = (source: Partial<JwtSource> = {}) => newJwtMint({ ...base, ...source })!
const mint = mintOf()
const keysUrl = 'http://127.0.0.1:9/keys'

/** Verifies a token as a conforming server does, with the library jose. */
const verified = (token: string, algorithms = ['HS256']) =>
  jwtVerify(token, new TextEncoder().encode(secret), {
    algorithms,
    issuer: base.issuer!,
    audience: base.audience!,
    requiredClaims: ['exp', 'iss', 'aud'],
    currentDate: new Date(now * 1000),
  })

const partsOf = (token: string) => {
  const [head = '', body = '', signature = ''] = token.split('.')
  return {
    head,
    body,
    signature,
    header: decodePart(head),
    claims: decodePart(body),
    hasValidSignature:
      createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url') === signature,
  }
}

describe('valid tokens', () => {
  it.each([{ name: 'as it is generated', token: mint.validToken() }, ...mint.variants()])(
    'a token $name is accepted by a conforming server',
    async ({ token }) => {
      const { payload } = await verified(token)
      expect({ ...payload, exp: Math.floor(payload.exp!) }).toMatchObject({
        iss: base.issuer,
        sub: 'touchstone',
        email: 'ada@shelf.example',
        exp: now + newTokenSeconds,
      })
    },
  )

  it('are only the given token if the secret is not known', () => {
    const token = mint.validToken()
    const other = newJwtMint({ token, issuer: 'i', now: () => 0 })!
    expect([other.validToken(), other.variants(), other.open().map(({ open }) => open)]).toEqual([
      token,
      [],
      ['padding'],
    ])
  })

  it('need a secret or a token', () => {
    expect([newJwtMint({ now: () => 0 }), newJwtMint({ token: 'opaque', now: () => 0 })]).toEqual([
      undefined,
      undefined,
    ])
  })
})

describe('forged tokens', () => {
  it.each(mint.forged(keysUrl))(
    'a token $name is refused by a conforming server',
    async ({ token }) => {
      await expect(verified(token)).rejects.toThrow()
    },
  )

  it('have unique names', () => {
    const names = [...mint.forged(keysUrl), ...mint.variants(), ...mint.open()].map(
      ({ name }) => name,
    )
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it.each(
    mint
      .forged(keysUrl)
      .filter(({ forgery }) => ['issuer', 'audience', 'expiry', 'begin'].includes(forgery)),
  )('a token $name differs from a valid one in one claim only', ({ token }) => {
    const [good, bad] = [partsOf(mint.validToken()), partsOf(token)]
    const names = new Set([...Object.keys(good.claims!), ...Object.keys(bad.claims!)])
    expect([bad.head, bad.hasValidSignature]).toEqual([good.head, true])
    expect(
      [...names].filter(
        (name) => JSON.stringify(good.claims![name]) !== JSON.stringify(bad.claims![name]),
      ),
    ).toHaveLength(1)
  })

  it.each(
    mint
      .forged(keysUrl)
      .filter(
        ({ name, forgery }) =>
          forgery === 'critical' ||
          [
            'with alg hs256',
            'without alg',
            'with alg in an array',
            'with alg none and a signature',
          ].includes(name),
      ),
  )('a token $name differs from a valid one in its header only', ({ token }) => {
    const [good, bad] = [partsOf(mint.validToken()), partsOf(token)]
    expect([bad.body, bad.hasValidSignature, bad.head === good.head]).toEqual([
      good.body,
      true,
      false,
    ])
  })

  it.each(mint.forged(keysUrl).filter(({ forgery }) => forgery === 'key'))(
    'a token $name is never signed with the secret of the server',
    ({ token }) => {
      expect(partsOf(token)).toMatchObject({
        body: partsOf(mint.validToken()).body,
        hasValidSignature: false,
      })
    },
  )

  it('are derived from the last valid token that was returned, even some time later', () => {
    let seconds = now
    const slow = mintOf({ now: () => seconds * 1000 })
    const good = slow.validToken()
    seconds += 5
    const changed = slow.forged().find(({ name }) => name === 'whose header was changed')!
    expect(changed.token.split('.').slice(1)).toEqual(good.split('.').slice(1))
  })

  it('are also derived from a token alone, if they need no secret', async () => {
    const forged = newJwtMint({ ...base, secret: undefined, token: mint.validToken() })!.forged(
      keysUrl,
    )
    expect([...new Set(forged.map(({ forgery }) => forgery))].sort()).toEqual([
      'algorithm',
      'form',
      'key',
      'secret',
      'size',
      'unsigned',
    ])
    for (const { token } of forged) await expect(verified(token)).rejects.toThrow()
  })

  it('omit claims that cannot be wrong', () => {
    const names = mintOf({ audience: '7', issuer: undefined })
      .forged(keysUrl)
      .map(({ name }) => name)
    expect(names).not.toContain('whose audience has upper and lower case swapped')
    expect(names).not.toContain('whose audience lacks the last character')
    expect(names).not.toContain('without iss')
  })

  it('are not returned if they would be valid', () => {
    expect(() => mintOf({ secret: attackersSecret }).forged(keysUrl)).toThrow(
      'a token signed with a wrong secret would be valid, so it is not a forgery',
    )
  })

  it('of the kind "size" are at least 64 KiB long', () => {
    expect(
      mint.forged(keysUrl).find(({ forgery }) => forgery === 'size')!.token.length,
    ).toBeGreaterThanOrEqual(64 * 1024)
  })
})

describe('open tokens', () => {
  // The library jose refuses tokens of these two kinds.
  const refusedByJose = ['empty crit', 'text expiry']

  it.each(mint.open().filter(({ open }) => !refusedByJose.includes(open)))(
    'a token $name is accepted by some conforming server',
    async ({ token, open }) => {
      const taken = jwtVerify(token.replaceAll('=', ''), new TextEncoder().encode(secret), {
        issuer: base.issuer!,
        audience: base.audience!,
        currentDate: new Date(now * 1000),
        clockTolerance: open === 'leeway' ? 2 : 0,
      })
      await expect(taken).resolves.toBeDefined()
    },
  )
})
