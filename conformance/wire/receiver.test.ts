import { X509Certificate } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest, type RequestOptions as TlsOptions } from 'node:https'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { makeCertificate } from './certificate.ts'
import { Receiver, type ReceiverOptions } from './receiver.ts'

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Long enough for anything that does come. */
const patience = 5000

async function started(more: Partial<ReceiverOptions> = {}): Promise<Receiver> {
  let count = 0
  const receiver = await Receiver.start({ number: () => (count += 1), ...more })
  closers.push(() => receiver.close())
  return receiver
}

/** Sends a request with the path as it is written; resolves with status, headers and text. */
async function send(url: string, { body, ...options }: TlsOptions & RequestOptions & { body?: string | Buffer } = {}): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  return new Promise((resolve, reject) => {
    const { origin } = new URL(url)
    const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(origin, { path: url.slice(origin.length), method: 'POST', agent: false, ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** A bare connection to a receiver, to write bytes by hand. */
function bare(receiver: Receiver, bytes: string): Socket {
  const socket = connect(Number(new URL(receiver.origin).port), '127.0.0.1', () => socket.write(bytes))
  socket.on('error', () => {})
  closers.unshift(() => socket.destroy())
  return socket
}
const ended = (socket: Socket) => new Promise<void>((resolve) => socket.resume().once('close', resolve))

describe('a delivery', () => {
  it('is what was sent: path, query, headers and bytes', async () => {
    const box = (await started()).open()
    const { status, text } = await send(box.url, {
      headers: ['X-Hook-TOKEN', 'a', 'x-hook-token', 'b', 'Content-Type', 'application/json', 'Content-Length', '9'] as unknown as Record<string, string>,
      body: '{"é":1}\n',
    })
    expect([status, text]).toEqual([200, 'received\n'])
    const delivery = (await box.next(patience))!
    expect(delivery).toMatchObject({ number: 1, operation: 'delivery', method: 'POST', url: box.target, secure: false, complete: true, failure: undefined, answered: 200, json: { é: 1 } })
    expect(delivery.url).toMatch(/^\/touchstone\/k[0-9a-f]{32}\/hook%20caf%C3%A9\?run=k[0-9a-f]{32}&list=1&list=2&path=a%2Fb&words=un%20caf%C3%A9$/)
    expect(delivery.headers.slice(0, 2)).toEqual([['X-Hook-TOKEN', 'a'], ['x-hook-token', 'b']])
    expect([delivery.header('X-HOOK-token'), delivery.headersOf('x-hook-Token'), delivery.header('none')]).toEqual(['a', ['a', 'b'], undefined])
    expect(delivery.body.equals(Buffer.from('{"é":1}\n'))).toBe(true)
    expect(Math.abs(Date.now() - delivery.arrivedAt)).toBeLessThan(60_000)
    expect(delivery.summary).toBe(`POST ${box.target}  {"é":1}`)
  })

  it('may come in chunks, in a coding, without a body, or as no JSON', async () => {
    const box = (await started()).open()
    await send(box.url, { headers: { 'Transfer-Encoding': 'chunked' }, body: '[1]' })
    await send(box.url, { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('[2]') })
    await send(box.url, { method: 'GET' })
    await send(box.url, { body: Buffer.from([0x22, 0xff, 0x22]) })
    await send(box.url, { body: '{' })
    expect(box.deliveries.map(({ json, method, complete }) => [json, method, complete])).toEqual([
      [[1], 'POST', true],
      [[2], 'POST', true],
      [undefined, 'GET', true],
      [undefined, 'POST', true],
      [undefined, 'POST', true],
    ])
  })

  it('keeps secrets out of its record, which repeats it', async () => {
    const receiver = await started({ secrets: { HOOK_SECRET: 's3cr3t-word' } })
    const box = receiver.open({ answer: { status: 201, body: 'thanks, s3cr3t-word', headers: { 'X-Odd': 's3cr3t-word' } } })
    await send(box.url, { headers: { 'X-Hook-Token': 's3cr3t-word', 'Content-Type': 'application/json', 'X-Two': ['1', '2'] }, body: '{"a":"it\'s"}' })
    const [delivery] = box.deliveries
    const record = delivery!.record()
    expect(JSON.stringify(record) + delivery!.summary).not.toContain('s3cr3t')
    expect(record).toMatchObject({
      number: 1,
      operation: 'delivery',
      request: { method: 'POST', url: box.url, headers: { 'X-Hook-Token': '$HOOK_SECRET', 'X-Two': '1, 2' }, body: '{"a":"it\'s"}' },
      response: { status: 201, headers: [['Content-Type', 'text/plain; charset=utf-8'], ['X-Odd', '$HOOK_SECRET']], body: 'thanks, $HOOK_SECRET' },
    })
    expect(record).not.toHaveProperty('failure')
    expect(record.curl).toBe(
      `curl -i -H "X-Hook-Token: $HOOK_SECRET" -H 'X-Two: 1, 2' -H 'Content-Type: application/json' -d '{"a":"it'\\''s"}' '${box.url}'`,
    )
  })

  it('is of the kind that it is told to be', async () => {
    const [plain, told] = [await started(), await started({ kindOf: (delivery) => delivery.header('x-hook-event') ?? 'none' })]
    for (const box of [plain.open(), told.open()]) {
      await send(box.url, { headers: { 'X-Hook-Event': 'Push Hook' } })
      expect(box.deliveries[0]!.kind).toBe(box.url.startsWith(told.base) ? 'Push Hook' : 'delivery')
    }
  })

  it('leaves to a file what no command line carries', async () => {
    const box = (await started()).open()
    for (const body of ['@file', Buffer.from([0xff]), 'x'.repeat(100_000), '']) await send(box.url, { body })
    const curls = box.deliveries.map((delivery) => delivery.record().curl)
    expect(curls.map((curl) => / --data-binary @exchange-\d\.body\b/.test(curl))).toEqual([true, true, true, false])
    expect(curls.at(-1)).toBe(`curl -i -X POST '${box.url}'`)
    expect(box.deliveries[2]!.record().request.body).toMatch(/^x{65536}… \(100000 characters\)$/)
  })

  it('is cut where it is too long, and still answered', async () => {
    const box = (await started({ maxBytes: 1000 })).open()
    expect((await send(box.url, { body: Buffer.alloc(3_000_000, 'x') })).status).toBe(200)
    const [delivery] = box.deliveries
    expect(delivery).toMatchObject({ complete: false, answered: 200, failure: "of the body's 3000000 bytes only the first 1000 were kept" })
    expect(delivery!.body).toHaveLength(1000)
    await send(box.url, { body: 'x'.repeat(1000) })
    expect(box.deliveries[1]).toMatchObject({ complete: true })
  })

  it.each([
    ['broken off', 'Content-Length: 100\r\n\r\n{"a":1}', true],
    ['no proper chunks', 'Transfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\nnonsense\r\n', false],
  ])('is incomplete where its body is %s', async (_, rest, leave) => {
    const receiver = await started()
    const box = receiver.open()
    const socket = bare(receiver, `POST ${box.target} HTTP/1.1\r\nHost: h\r\n${rest}`)
    if (leave) setTimeout(() => socket.destroy(), 50)
    const delivery = await box.next(patience)
    expect(delivery).toMatchObject({ complete: false, answered: undefined })
    expect(delivery!.failure).toMatch(/in the middle of the body, after 7 bytes/)
    expect(delivery!.record()).toMatchObject({ failure: delivery!.failure, request: { body: '{"a":1}' } })
    await ended(socket)
  })

  it('needs no Host header', async () => {
    const receiver = await started()
    const box = receiver.open()
    bare(receiver, `POST ${box.target} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`)
    expect((await box.next(patience))?.answered).toBe(200)
  })
})

describe('a mailbox', () => {
  it('gives what came before and what comes after, each once', async () => {
    const box = (await started()).open()
    await send(box.url, { body: '1' })
    await send(box.url, { body: '2' })
    expect((await box.next(patience, ({ json }) => json === 2))?.json).toBe(2)
    expect((await box.next(patience))?.json).toBe(1)
    expect(await box.next(0)).toBeUndefined()
    const [third, fourth, seen] = [box.next(patience), box.next(Infinity, ({ json }) => json !== 3), box.waitFor(({ json }) => json === 4, patience)]
    await send(box.url, { body: '3' })
    await send(box.url, { body: '4' })
    expect([await third, await fourth, await seen].map((delivery) => delivery?.json)).toEqual([3, 4, 4])
    expect((await box.waitFor(({ json }) => json === 1, 0))?.json).toBe(1)
    expect(await box.waitFor(() => false, 20)).toBeUndefined()
    expect(box.deliveries.map(({ json }) => json)).toEqual([1, 2, 3, 4])
  })

  it('hands on what a question throws to the one who asked', async () => {
    const box = (await started()).open()
    const asked = box.next(patience, () => {
      throw new Error('odd question')
    })
    const rejected = expect(asked).rejects.toThrow('odd question')
    expect((await send(box.url)).status).toBe(200)
    await rejected
    expect(await box.next(patience)).toBeDefined()
  })

  it('answers as it is told', async () => {
    const box = (await started()).open({ answer: { status: 503, body: '{}', headers: { 'content-type': 'application/json', 'Retry-After': '1' } } })
    expect(await send(box.url)).toMatchObject({ status: 503, text: '{}', headers: { 'content-type': 'application/json', 'retry-after': '1', 'content-length': '2' } })
    box.answer = { status: 204, afterMs: 20 }
    expect(await send(box.url)).toMatchObject({ status: 204, text: '' })
    box.answer = 'close'
    await expect(send(box.url)).rejects.toThrow()
    box.answer = { status: 200 }
    expect((await send(box.url)).status).toBe(200)
    expect(box.deliveries.map(({ answered }) => answered)).toEqual([503, 204, 'closed the connection', 200])
    expect(box.deliveries[2]!.record()).toMatchObject({ failure: 'the receiver closed the connection' })
    expect(() => (box.answer = { status: 42 })).toThrow(RangeError)
    expect(() => (box.answer = { status: 200, headers: { a: 'b\n' } })).toThrow(TypeError)
  })

  it('keeps silent, but not for ever', async () => {
    const box = (await started({ silenceMs: 50 })).open({ answer: 'silence' })
    await expect(send(box.url)).rejects.toThrow()
    expect(box.deliveries[0]).toMatchObject({ answered: 'kept silent', complete: true })
  })

  it('has the delivery before its answer, also where the sender does not wait for it', async () => {
    const receiver = await started()
    const box = receiver.open({ answer: { status: 200, afterMs: 60 } })
    const socket = bare(receiver, `POST ${box.target} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`)
    const delivery = (await box.next(patience))!
    expect(delivery).toMatchObject({ answered: undefined, complete: true, json: {} })
    expect(delivery.record().failure).toMatch(/no answer yet/)
    socket.destroy()
    // The same answer, begun later, is sent: the first one had its time.
    expect((await send(box.url)).status).toBe(200)
    expect(box.deliveries.map(({ answered }) => answered)).toEqual([undefined, 200])
  })

  it('keeps the latest of a flood', async () => {
    const receiver = await started()
    const box = receiver.open()
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    closers.unshift(() => agent.destroy())
    await Promise.all(Array.from({ length: 1010 }, (_, index) => send(box.url, { agent, body: String(index) })))
    expect([box.deliveries.length, box.dropped, receiver.connections]).toEqual([1000, 10, 4])
    expect(new Set(box.deliveries.map(({ number }) => number)).size).toBe(1000)
    expect((await box.next(0))?.number).toBe(11)
  })
})

describe('a receiver', () => {
  it('gives deliveries to their mailbox, whatever became of path and query', async () => {
    const receiver = await started()
    const [one, other] = [receiver.open(), receiver.open()]
    const key = /k[0-9a-f]{32}/.exec(one.url)![0]
    const paths = [`/touchstone/${key}/`, `/${key.toUpperCase()}`, `/touchstone%2F${key}%2Fhook`, `/x?run=${key}`, `/a/b/${key}/hook+caf?list=1`]
    for (const path of paths) expect((await send(receiver.base + path)).status).toBe(200)
    expect(one.deliveries.map(({ url }) => url)).toEqual(paths)
    expect([other.deliveries, receiver.strays]).toEqual([[], []])
  })

  it('keeps strays, some of them', async () => {
    const receiver = await started()
    for (const path of ['/', `/touchstone/k${'0'.repeat(32)}/hook`]) expect((await send(receiver.base + path)).status).toBe(404)
    expect(receiver.strays.map(({ url, answered }) => [url, answered])).toEqual([['/', 404], [`/touchstone/k${'0'.repeat(32)}/hook`, 404]])
    for (let count = 0; count < 100; count += 1) await send(receiver.base)
    expect([receiver.strays.length, receiver.straysDropped]).toEqual([100, 2])
  })

  it('takes whatever comes anywhere, where it is opened so', async () => {
    const receiver = await started()
    const own = receiver.open()
    const rest = receiver.openAnywhere({ answer: { status: 202 } })
    expect(rest.url).toBe(`${receiver.base}/`)
    for (const path of ['', '/', '/hook?a=b', `/touchstone/k${'0'.repeat(32)}/hook`]) expect((await send(receiver.base + path)).status).toBe(202)
    expect((await send(own.url)).status).toBe(200)
    expect([rest.deliveries.length, own.deliveries.length, receiver.strays.length]).toEqual([4, 1, 0])
    expect((await rest.next(0))?.url).toBe('/')
    const waiting = Array.from({ length: 4 }, () => rest.next(Infinity))
    await receiver.close()
    expect((await Promise.all(waiting)).at(-1)).toBeUndefined()
    expect(() => receiver.openAnywhere()).toThrow('closed')
  })

  it('stands below its public URL', async () => {
    const receiver = await started({ publicUrl: 'https://hooks.example.com/base/' })
    const box = receiver.open()
    expect(box.url).toMatch(/^https:\/\/hooks\.example\.com\/base\/touchstone\/k/)
    expect(box.target).toMatch(/^\/base\/touchstone\/k/)
    await send(receiver.origin + box.target)
    expect(box.deliveries[0]).toMatchObject({ url: box.target, secure: false })
    expect(box.deliveries[0]!.record().request.url).toBe(receiver.origin + box.target)
  })

  it('ends everything at once', async () => {
    const receiver = await started({ tls: false })
    const [silent, slow, box] = [receiver.open({ answer: 'silence' }), receiver.open({ answer: { status: 200, afterMs: 60_000 } }), receiver.open()]
    const lost = Promise.allSettled([send(silent.url), send(slow.url)])
    const half = ended(bare(receiver, `POST ${box.target} HTTP/1.1\r\nContent-Length: 9\r\n\r\nx`))
    const idle = ended(bare(receiver, ''))
    await Promise.all([silent.next(patience), slow.next(patience)])
    while (receiver.connections < 4) await new Promise((resolve) => setTimeout(resolve, 5))
    const [waiting, waitingFor] = [box.next(Infinity), box.waitFor(() => true, patience)]
    await Promise.all([receiver.close(), receiver.close()])
    expect([await waiting, await waitingFor, await box.next(patience)]).toEqual([undefined, undefined, undefined])
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await Promise.all([half, idle])
    expect([box.deliveries, silent.deliveries.length]).toEqual([[], 1])
    expect(() => receiver.open()).toThrow('closed')
    await expect(send(silent.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('survives what is no HTTP', async () => {
    const receiver = await started()
    await ended(bare(receiver, 'SSH-2.0-OpenSSH_9.2\r\n'))
    expect(receiver.troubles).toMatchObject({ http: 1, tls: 0, last: expect.any(String) as string })
    expect((await send(receiver.open().url)).status).toBe(200)
  })

  it('says which port is taken', async () => {
    const port = Number(new URL((await started()).origin).port)
    await expect(Receiver.start({ listen: `127.0.0.1:${port}`, number: () => 1 })).rejects.toThrow(`port ${port} on 127.0.0.1 is taken`)
  })

  it.each(['', '8080', ':8080', '127.0.0.1', '127.0.0.1:65536', '127.0.0.1:-1', 'http://127.0.0.1:80', '::1:80', 'a b:1'])('cannot listen on «%s»', async (listen) => {
    await expect(Receiver.start({ listen, number: () => 1 })).rejects.toThrow(`«${listen}» is no address to listen on`)
  })

  it.each(['hooks.example.com', 'ftp://hooks.example.com', 'http://h/?a=b'])('has no public URL «%s»', async (publicUrl) => {
    await expect(Receiver.start({ publicUrl, number: () => 1 })).rejects.toThrow(`«${publicUrl}» is no public URL`)
  })
})

describe('a receiver with TLS', () => {
  it('hears no request of a client that rejects it, and hears one that does not', async () => {
    const receiver = await started({ tls: true })
    const box = receiver.open()
    expect(box.url).toMatch(/^https:\/\/127\.0\.0\.1:/)
    await expect(send(box.url)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect([receiver.connections, box.deliveries.length, receiver.strays.length]).toEqual([1, 0, 0])
    expect((await send(box.url, { rejectUnauthorized: false })).status).toBe(200)
    expect([receiver.connections, box.deliveries.length]).toEqual([2, 1])
    expect(box.deliveries[0]).toMatchObject({ secure: true })
    expect(box.deliveries[0]!.record().curl).toMatch(/ -k$/)
  })

  it('is trusted by who is told to, under each of its names', async () => {
    const receiver = await started({ tls: true })
    const box = receiver.open()
    expect((await send(box.url, { ca: receiver.certificate! })).status).toBe(200)
    expect((await send(box.url, { ca: receiver.certificate!, servername: 'localhost', headers: { Host: 'localhost' } })).status).toBe(200)
    await expect(send(box.url, { ca: receiver.certificate!, servername: 'other.example', headers: { Host: 'other.example' } })).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  it('counts what is no handshake, and closes in the middle of one', async () => {
    const receiver = await started({ tls: true })
    await ended(bare(receiver, 'POST / HTTP/1.1\r\n\r\n'))
    expect(receiver.troubles).toMatchObject({ tls: 1, http: 0 })
    const half = ended(bare(receiver, '\x16\x03\x01'))
    while (receiver.connections < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    await receiver.close()
    await half
  })

  it('has a public URL with https', async () => {
    await expect(Receiver.start({ tls: true, publicUrl: 'http://hooks.example.com', number: () => 1 })).rejects.toThrow('has to begin with https:')
  })

  it('has a certificate for this machine and for its public host, valid for some days', async () => {
    const certificate = new X509Certificate((await makeCertificate(['hooks.example.com', '192.0.2.7', 'localhost'])).cert)
    expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:hooks.example.com, IP Address:192.0.2.7')
    expect(certificate.ca).toBe(false)
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now() - 3_600_000)
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 24 * 3_600_000)
    const own = await started({ tls: true, publicUrl: 'https://hooks.example.com:8443' })
    expect(new X509Certificate(own.certificate!).checkHost('hooks.example.com')).toBe('hooks.example.com')
  })
})
