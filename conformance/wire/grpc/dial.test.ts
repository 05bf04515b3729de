import { generate } from 'selfsigned'
import { afterEach, describe, expect, test } from 'vitest'
import { generateCertificate } from '../certificate.ts'
import { echo, endAll, sendAll, small } from './small-server.testing.ts'

afterEach(endAll)

describe('TLS', () => {
  test('trusts a server only with its CA certificate, and sends the client certificate', async () => {
    const own = await generateCertificate()
    const made = await generate([{ name: 'commonName', value: 'a client' }], {
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
    })
    const identity = { cert: made.cert, key: made.private }
    const { client, channel } = await small(
      echo,
      { tls: { ca: own.cert, cert: identity.cert, key: identity.key } },
      { ...own, ca: identity.cert },
    )
    expect([channel.failure, channel.alpn]).toEqual([undefined, 'h2'])
    expect(
      (await sendAll(channel.call({ operation: 'greet', path: '/a.B/C' }), ['one'])).grpcStatus,
    ).toBe(0)
    expect((await client.openChannel({ tls: {} })).failure).toMatch(/not trusted/)
    const anonymous = await client.openChannel({ tls: { ca: own.cert } })
    const { grpcStatus, failure } = await sendAll(
      anonymous.call({ operation: 'greet', path: '/a.B/C' }),
      ['one'],
    )
    expect([grpcStatus, failure]).toEqual([undefined, 'TLS alert: certificate required'])
    expect((await client.openChannel({ tls: null })).failure).toBeDefined()
  })

  test('fails if the server does not use TLS', async () => {
    const { channel } = await small(echo, { tls: { verify: false } })
    expect(channel.failure).toMatch(/does not use TLS|closed|reset/)
  })
})
