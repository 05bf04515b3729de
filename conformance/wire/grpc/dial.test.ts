import { generate } from 'selfsigned'
import { afterEach, describe, expect, test } from 'vitest'
import { generateCertificate } from '../certificate.ts'
import { echo, endAll, sendAll, small } from './small-server.testing.ts'

afterEach(endAll)

describe('TLS', () => {
  test('is trusted with its authority and not without, and shows who the client is', async () => {
    const own = await generateCertificate()
    const made = await generate([{ name: 'commonName', value: 'a client' }], {
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
    })
    const client = { cert: made.cert, key: made.private }
    const { door, channel } = await small(
      echo,
      { tls: { ca: own.cert, cert: client.cert, key: client.key } },
      { ...own, ca: client.cert },
    )
    expect([channel.failure, channel.alpn]).toEqual([undefined, 'h2'])
    expect(
      (await sendAll(channel.call({ operation: 'greet', path: '/a.B/C' }), ['one'])).grpcStatus,
    ).toBe(0)
    expect((await door.openChannel({ tls: {} })).failure).toMatch(/not trusted/)
    const anonymous = await door.openChannel({ tls: { ca: own.cert } })
    const { grpcStatus, failure } = await sendAll(
      anonymous.call({ operation: 'greet', path: '/a.B/C' }),
      ['one'],
    )
    expect([grpcStatus, failure]).toEqual([undefined, 'TLS alert: certificate required'])
    expect((await door.openChannel({ tls: null })).failure).toBeDefined()
  })

  test('is not found where there is none', async () => {
    const { channel } = await small(echo, { tls: { verify: false } })
    expect(channel.failure).toMatch(/does not use TLS|closed|reset/)
  })
})
