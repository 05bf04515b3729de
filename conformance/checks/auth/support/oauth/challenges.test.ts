import { describe, expect, it } from 'vitest'
import { HttpExchange, newRedactor } from '../../../../wire/index.ts'
import { resourceMetadataUrl } from './challenges.ts'

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
    newRedactor({}),
  )

describe('a challenge', () => {
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
