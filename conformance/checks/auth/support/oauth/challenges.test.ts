import { describe, expect, it } from 'vitest'
import { HttpExchange } from '../../../../wire/index.ts'
import { metadataNamed, namesBearer } from './challenges.ts'

const answered = (...challenges: string[]): HttpExchange =>
  new HttpExchange(
    1,
    { operation: 'resource', method: 'GET', url: 'http://127.0.0.1/mcp' },
    { headers: {}, text: null },
    {
      status: 401,
      headers: challenges.map((one): [string, string] => ['www-authenticate', one]),
      body: Buffer.alloc(0),
    },
    1,
    (text) => text,
  )

describe('a challenge', () => {
  it.each([
    'Bearer',
    'bearer realm="x"',
    'Basic realm="x", Bearer error="invalid_token"',
    'DPoP algs="ES256", BEARER',
    'Negotiate,Bearer',
  ])('asks for a Bearer: %s', (challenge) => {
    expect(namesBearer(answered(challenge))).toBe(true)
  })

  it.each(['Basic realm="Bearer"', 'Basic realm="a, Bearer b"', 'Bearerish x="y"', ''])(
    'does not: %s',
    (challenge) => {
      expect(namesBearer(answered(challenge))).toBe(false)
    },
  )

  it('may be one of several headers', () => {
    expect(namesBearer(answered('Basic realm="x"', 'Bearer'))).toBe(true)
  })

  it('tells where metadata are, with quotes or without', () => {
    expect(metadataNamed(answered('Bearer error="x", resource_metadata="http://a/b"'))).toBe(
      'http://a/b',
    )
    expect(metadataNamed(answered('Bearer resource_metadata=http://a/b, error=x'))).toBe(
      'http://a/b',
    )
    expect(metadataNamed(answered('Bearer'))).toBeUndefined()
  })
})
