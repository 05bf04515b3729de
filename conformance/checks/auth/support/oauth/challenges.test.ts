import { describe, expect, it } from 'vitest'
import { HttpExchange } from '../../../../wire/index.ts'
import { resourceMetadataUrl, namesBearer } from './challenges.ts'

const newExchange = (...challenges: string[]): HttpExchange =>
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
  ])('contains the scheme Bearer: %s', (challenge) => {
    expect(namesBearer(newExchange(challenge))).toBe(true)
  })

  it.each(['Basic realm="Bearer"', 'Basic realm="a, Bearer b"', 'Bearerish x="y"', ''])(
    'does not contain the scheme Bearer: %s',
    (challenge) => {
      expect(namesBearer(newExchange(challenge))).toBe(false)
    },
  )

  it('is found in any of several headers', () => {
    expect(namesBearer(newExchange('Basic realm="x"', 'Bearer'))).toBe(true)
  })

  it('contains the URL of the metadata, with or without quotes', () => {
    expect(
      resourceMetadataUrl(newExchange('Bearer error="x", resource_metadata="http://a/b"')),
    ).toBe('http://a/b')
    expect(resourceMetadataUrl(newExchange('Bearer resource_metadata=http://a/b, error=x'))).toBe(
      'http://a/b',
    )
    expect(resourceMetadataUrl(newExchange('Bearer'))).toBeUndefined()
  })
})
