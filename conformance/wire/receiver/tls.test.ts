import { X509Certificate } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { generateCertificate } from '../certificate.ts'
import { Receiver } from '../receiver.ts'
import { bare, endAll, ended, send, started } from './receiver.testing.ts'

afterEach(endAll)

describe('a receiver with TLS', () => {
  it('gets requests only from clients that accept its certificate', async () => {
    const receiver = await started({ tls: true })
    const box = receiver.openMailbox()
    expect(box.url).toMatch(/^https:\/\/127\.0\.0\.1:/)
    await expect(send(box.url)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect([receiver.connections, box.deliveries.length, receiver.strayDeliveries.length]).toEqual([
      1, 0, 0,
    ])
    expect((await send(box.url, { rejectUnauthorized: false })).status).toBe(200)
    expect([receiver.connections, box.deliveries.length]).toEqual([2, 1])
    expect(box.deliveries[0]).toMatchObject({ isSecure: true })
    expect(box.deliveries[0]!.record().curl).toMatch(/ -k$/)
  })

  it('is trusted under each of its names by a client with its certificate', async () => {
    const receiver = await started({ tls: true })
    const box = receiver.openMailbox()
    expect((await send(box.url, { ca: receiver.certificate! })).status).toBe(200)
    expect(
      (
        await send(box.url, {
          ca: receiver.certificate!,
          servername: 'localhost',
          headers: { Host: 'localhost' },
        })
      ).status,
    ).toBe(200)
    await expect(
      send(box.url, {
        ca: receiver.certificate!,
        servername: 'other.example',
        headers: { Host: 'other.example' },
      }),
    ).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  it('counts failed handshakes, and can be closed during a handshake', async () => {
    const receiver = await started({ tls: true })
    await ended(bare(receiver, 'POST / HTTP/1.1\r\n\r\n'))
    expect(receiver.connectionErrors).toMatchObject({ tls: 1, http: 0 })
    const half = ended(bare(receiver, '\x16\x03\x01'))
    while (receiver.connections < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    await receiver.close()
    await half
  })

  it('requires https in its public URL', async () => {
    await expect(
      Receiver.start({ tls: true, publicUrl: 'http://hooks.example.com', nextNumber: () => 1 }),
    ).rejects.toThrow('must start with https:')
  })

  it('has a certificate for this machine and its public host, valid for some days', async () => {
    const certificate = new X509Certificate(
      (await generateCertificate(['hooks.example.com', '192.0.2.7', 'localhost'])).cert,
    )
    expect(certificate.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:hooks.example.com, IP Address:192.0.2.7',
    )
    expect(certificate.ca).toBe(false)
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now() - 3_600_000)
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 24 * 3_600_000)
    const own = await started({ tls: true, publicUrl: 'https://hooks.example.com:8443' })
    expect(new X509Certificate(own.certificate!).checkHost('hooks.example.com')).toBe(
      'hooks.example.com',
    )
  })
})
