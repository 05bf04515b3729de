import { afterEach, describe, expect, it } from 'vitest'
import { Receiver } from './receiver.ts'
import { bare, endAll, ended, timeoutMs, send, started } from './receiver/receiver.testing.ts'

afterEach(endAll)

describe('a receiver', () => {
  it('adds deliveries to their mailbox even if path or query were changed', async () => {
    const receiver = await started()
    const [one, other] = [receiver.openMailbox(), receiver.openMailbox()]
    const key = /k[0-9a-f]{32}/.exec(one.url)![0]
    const paths = [
      `/touchstone/${key}/`,
      `/${key.toUpperCase()}`,
      `/touchstone%2F${key}%2Fhook`,
      `/x?run=${key}`,
      `/a/b/${key}/hook+caf?list=1`,
    ]
    for (const path of paths) expect((await send(receiver.baseUrl + path)).status).toBe(200)
    expect(one.deliveries.map(({ url }) => url)).toEqual(paths)
    expect([other.deliveries, receiver.strayDeliveries]).toEqual([[], []])
  })

  it('keeps a limited number of stray deliveries', async () => {
    const receiver = await started()
    for (const path of ['/', `/touchstone/k${'0'.repeat(32)}/hook`])
      expect((await send(receiver.baseUrl + path)).status).toBe(404)
    expect(
      receiver.strayDeliveries.map(({ url, responseOutcome }) => [url, responseOutcome]),
    ).toEqual([
      ['/', 404],
      [`/touchstone/k${'0'.repeat(32)}/hook`, 404],
    ])
    for (let count = 0; count < 100; count += 1) await send(receiver.baseUrl)
    expect([receiver.strayDeliveries.length, receiver.droppedStrays]).toEqual([100, 2])
  })

  it('receives requests at any path in the catch-all mailbox', async () => {
    const receiver = await started()
    const own = receiver.openMailbox()
    const rest = receiver.openCatchAll({ response: { status: 202 } })
    expect(rest.url).toBe(`${receiver.baseUrl}/`)
    for (const path of ['', '/', '/hook?a=b', `/touchstone/k${'0'.repeat(32)}/hook`])
      expect((await send(receiver.baseUrl + path)).status).toBe(202)
    expect((await send(own.url)).status).toBe(200)
    expect([
      rest.deliveries.length,
      own.deliveries.length,
      receiver.strayDeliveries.length,
    ]).toEqual([4, 1, 0])
    expect((await rest.next(0))?.url).toBe('/')
    const waiting = Array.from({ length: 4 }, () => rest.next(Infinity))
    await receiver.close()
    expect((await Promise.all(waiting)).at(-1)).toBeUndefined()
    expect(() => receiver.openCatchAll()).toThrow('closed')
  })

  it('prefixes mailboxes with its public URL', async () => {
    const receiver = await started({ publicUrl: 'https://hooks.example.com/base/' })
    const box = receiver.openMailbox()
    expect(box.url).toMatch(/^https:\/\/hooks\.example\.com\/base\/touchstone\/k/)
    expect(box.pathAndQuery).toMatch(/^\/base\/touchstone\/k/)
    await send(receiver.origin + box.pathAndQuery)
    expect(box.deliveries[0]).toMatchObject({ url: box.pathAndQuery, isSecure: false })
    expect(box.deliveries[0]!.record().request.url).toBe(receiver.origin + box.pathAndQuery)
  })

  it('ends all connections and all waits at once when it is closed', async () => {
    const receiver = await started({ tls: false })
    const [silent, slow, box] = [
      receiver.openMailbox({ response: 'silence' }),
      receiver.openMailbox({ response: { status: 200, afterMs: 60_000 } }),
      receiver.openMailbox(),
    ]
    const lost = Promise.allSettled([send(silent.url), send(slow.url)])
    const half = ended(
      bare(receiver, `POST ${box.pathAndQuery} HTTP/1.1\r\nContent-Length: 9\r\n\r\nx`),
    )
    const idle = ended(bare(receiver, ''))
    await Promise.all([silent.next(timeoutMs), slow.next(timeoutMs)])
    while (receiver.connections < 4) await new Promise((resolve) => setTimeout(resolve, 5))
    const [waiting, waitingFor] = [box.next(Infinity), box.waitFor(() => true, timeoutMs)]
    await Promise.all([receiver.close(), receiver.close()])
    expect([await waiting, await waitingFor, await box.next(timeoutMs)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await Promise.all([half, idle])
    expect([box.deliveries, silent.deliveries.length]).toEqual([[], 1])
    expect(() => receiver.openMailbox()).toThrow('closed')
    await expect(send(silent.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('survives connections without HTTP', async () => {
    const receiver = await started()
    await ended(bare(receiver, 'SSH-2.0-OpenSSH_9.2\r\n'))
    expect(receiver.connectionErrors).toMatchObject({
      http: 1,
      tls: 0,
      last: expect.any(String) as string,
    })
    expect((await send(receiver.openMailbox().url)).status).toBe(200)
  })

  it('reports a port in use', async () => {
    const port = Number(new URL((await started()).origin).port)
    await expect(
      Receiver.start({ listen: `127.0.0.1:${port}`, nextNumber: () => 1 }),
    ).rejects.toThrow(`port ${port} on 127.0.0.1 is in use`)
  })

  it.each([
    '',
    '8080',
    ':8080',
    '127.0.0.1',
    '127.0.0.1:65536',
    '127.0.0.1:-1',
    'http://127.0.0.1:80',
    '::1:80',
    'a b:1',
  ])('cannot listen on "%s"', async (listen) => {
    await expect(Receiver.start({ listen, nextNumber: () => 1 })).rejects.toThrow(
      `"${listen}" is not an address to listen on`,
    )
  })

  it.each(['hooks.example.com', 'ftp://hooks.example.com', 'http://h/?a=b'])(
    'rejects the public URL "%s"',
    async (publicUrl) => {
      await expect(Receiver.start({ publicUrl, nextNumber: () => 1 })).rejects.toThrow(
        `"${publicUrl}" is not a public URL`,
      )
    },
  )
})
