import { createServer } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate } from './certificate.ts'
import { frameOf, GrpcDoor, statusOf, type GrpcDoorOptions, type GrpcStream } from './grpc.ts'
import { serve, serveBytes, type SmallCall } from './grpc/testing.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const text = (words: string) => Buffer.from(words)

/** Every message comes back; at the end of the requests the stream ends with OK. */
const echo = (call: SmallCall) => void (call.onMessage = (message) => call.send(message))

async function small(handle: (call: SmallCall) => void, options: Partial<GrpcDoorOptions> = {}, tls?: Parameters<typeof serve>[1]) {
  const server = await serve(handle, tls)
  const door = GrpcDoor.open({ address: server.address, timeout: 2000, ...options })
  closing.push(() => server.close(), () => door.close())
  return { server, door, channel: await door.channel() }
}

/** Sends messages while it reads, and waits for the end. */
async function sendAll(stream: GrpcStream, messages: readonly string[], options?: { gzip: boolean }) {
  const end = stream.drain()
  for (const message of messages) await stream.send(text(message), options)
  stream.halfClose()
  return end
}

const received = ({ exchange }: GrpcStream) => exchange.received.map(({ bytes }) => bytes.toString())

describe('a call', () => {
  test('brings messages both ways, and the status that the server sent', async () => {
    const { channel } = await small(echo)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    const { grpcStatus, httpStatus, failure } = await sendAll(stream, ['one', 'two', ''])
    expect({ grpcStatus, httpStatus, failure }).toEqual({ grpcStatus: 0, httpStatus: 200, failure: undefined })
    expect(received(stream)).toEqual(['one', 'two', ''])
    expect(stream.exchange.summary).toBe('3 messages, OK (0)')
    expect(await stream.send(text('late'))).toBe(false)
  })

  test('is read message by message while it is open', async () => {
    const { channel } = await small(echo)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    expect(await stream.next(30)).toBeUndefined()
    for (const word of ['one', 'two']) {
      await stream.send(text(word))
      expect((await stream.next())?.bytes.toString()).toBe(word)
    }
    stream.halfClose()
    expect(await stream.next()).toBeUndefined()
    expect((await stream.ended).grpcStatus).toBe(0)
  })

  test('carries metadata of the door and of its own, and announces a deadline', async () => {
    const seen: unknown[] = []
    const { channel } = await small((call) => (seen.push(call.headers), call.end(0)), { metadata: { authorization: 'Bearer x' } })
    await channel.call({ operation: 'greet', path: '/a.B/C', metadata: { 'x-own': '1' }, deadline: 1500 }).drain()
    await channel.call({ operation: 'greet', path: '/a.B/C', bare: true }).drain()
    expect(seen[0]).toMatchObject({ te: 'trailers', 'content-type': 'application/grpc', authorization: 'Bearer x', 'x-own': '1', 'grpc-timeout': '1500m' })
    expect(seen[1]).not.toHaveProperty('authorization')
  })

  test('understands gzip in both directions', async () => {
    const { channel } = await small((call) => void (call.onMessage = (message) => call.send(message, { gzip: true })))
    const stream = channel.call({ operation: 'greet', path: '/a.B/C', metadata: { 'grpc-encoding': 'gzip' } })
    await sendAll(stream, ['coded'.repeat(100)], { gzip: true })
    expect(received(stream)).toEqual(['coded'.repeat(100)])
    expect(stream.exchange.record().curl).toMatch(/^printf '\\001.*curl -i --http2-prior-knowledge/)
  })

  test('takes a status from headers that are all there is, and from nowhere else', async () => {
    const { channel } = await small((call) => {
      if (call.path.endsWith('Only')) call.end(statusOf.UNIMPLEMENTED, 'nö')
      else if (call.path.endsWith('Early')) {
        call.stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '0' })
        call.stream.end()
      } else call.stream.respond({ ':status': 404 }, { endStream: true })
    })
    const only = await channel.call({ operation: 'greet', path: '/a.B/Only' }).drain()
    expect(only).toMatchObject({ grpcStatus: 12, grpcMessage: 'nö', httpStatus: 200 })
    const early = await channel.call({ operation: 'greet', path: '/a.B/Early' }).drain()
    expect(early).toMatchObject({ httpStatus: 200 })
    expect(early.grpcStatus).toBeUndefined()
    const proxy = channel.call({ operation: 'greet', path: '/a.B/Proxy' })
    expect((await proxy.drain()).grpcStatus).toBeUndefined()
    expect(proxy.exchange.summary).toBe('0 messages, no grpc-status, HTTP 404')
  })

  test('tells a stream that the server breaks off, and one that ends in the middle of a message', async () => {
    const { channel, door } = await small((call) => {
      if (call.path.endsWith('Reset')) call.stream.close(2)
      else if (call.path.endsWith('Crash')) {
        call.onMessage = (message) => void (call.send(message), setTimeout(() => call.stream.session?.destroy(), 20))
        call.onEnd = () => {}
      }
      else {
        call.stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
        call.stream.once('wantTrailers', () => call.stream.sendTrailers({ 'grpc-status': '0' }))
        call.stream.end(frameOf(text('whole words')).subarray(0, 9))
      }
    })
    expect(await channel.call({ operation: 'greet', path: '/a.B/Reset' }).drain()).toMatchObject({ rstCode: 2, failure: 'the server reset the stream (code 2)' })
    const crash = await sendAll(channel.call({ operation: 'greet', path: '/a.B/Crash' }), ['one'])
    expect(crash).toMatchObject({ httpStatus: 200, failure: 'the connection was closed' })
    expect([crash.rstCode, crash.grpcStatus]).toEqual([undefined, undefined])
    const half = (await door.channel()).call({ operation: 'greet', path: '/a.B/Half' })
    expect((await half.drain()).grpcStatus).toBe(0)
    expect(half.exchange.problems).toEqual(['the stream ended in the middle of a message, 9 bytes into it'])
  })

  test.each([
    ['a frame of an unknown kind', Buffer.from([7, 0, 0, 0, 0]), /begins with 7/],
    ['a message that is too long', Buffer.from([0, 0xff, 0xff, 0xff, 0xff]), /4294967295 bytes is announced/],
    ['compression that was never announced', Buffer.from([1, 0, 0, 0, 1, 0]), /grpc-encoding is not given/],
  ])('notes %s', async (_, bytes, problem) => {
    const { channel } = await small((call) => {
      call.stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
      call.stream.once('wantTrailers', () => call.stream.sendTrailers({ 'grpc-status': '0' }))
      call.stream.end(bytes)
    })
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    await stream.drain()
    expect(stream.exchange.problems[0]).toMatch(problem)
  })
})

describe('a stream that does not end', () => {
  test('is given up, as is one that is silent, and one that floods', async () => {
    const flood = Buffer.alloc(60_000)
    const { channel } = await small(
      (call) => {
        if (call.path.endsWith('Flood')) {
          const pour = () => {
            while (call.send(flood));
          }
          call.stream.on('drain', pour)
          pour()
        } else if (call.path.endsWith('Drip')) {
          const drip = setInterval(() => call.send(text('.')) || clearInterval(drip), 20)
        }
      },
      { maxBytes: 1_000_000 },
    )
    const call = (path: string, limits: object) => channel.call({ operation: 'greet', path: `/a.B/${path}`, ...limits }).drain()
    const [silent, dripping, idle, flooding] = await Promise.all([call('Silent', { timeout: 200 }), call('Drip', { timeout: 300, idle: 100 }), call('Idle', { timeout: 2000, idle: 100 }), call('Flood', {})])
    expect(silent.failure).toBe('no end within 0.2 s')
    expect(dripping.failure).toBe('no end within 0.3 s')
    expect(idle.failure).toBe('nothing happened for 0.1 s')
    expect(flooding.failure).toBe('more than 1000000 bytes came')
  })

  test('waits for a slow reader, and then brings everything', async () => {
    let written = 0
    const { channel } = await small((call) => {
      const pour = () => {
        while (written < 200) {
          written += 1
          if (!call.send(Buffer.alloc(10_000))) return
        }
        call.end(0)
      }
      call.stream.on('drain', pour)
      pour()
    })
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    stream.pause()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(written).toBeLessThan(100)
    expect(stream.exchange.receivedCount).toBe(0)
    stream.resume()
    expect((await stream.drain()).grpcStatus).toBe(0)
    expect(stream.exchange.receivedCount).toBe(200)
  })

  test('can be called off, and its connection goes on', async () => {
    let aborted = false
    const { channel } = await small((call) => {
      call.stream.on('aborted', () => (aborted = true))
      echo(call)
    })
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    await stream.send(text('one'))
    await stream.next()
    stream.cancel()
    expect((await stream.ended).failure).toBe('the client cancelled it')
    expect((await sendAll(channel.call({ operation: 'greet', path: '/a.B/C' }), ['two'])).grpcStatus).toBe(0)
    expect(aborted).toBe(true)
  })
})

describe('a channel', () => {
  const refused = async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `127.0.0.1:${(server.address() as { port: number }).port}`
    await new Promise((resolve) => server.close(resolve))
    return { address, close: async () => {} }
  }
  test.each([
    ['a closed port', refused, /^connection refused$/],
    ['a server that says nothing', () => serveBytes((socket) => void socket.resume()), /^no HTTP\/2 within 0.3 s$/],
    ['garbage', () => serveBytes((socket) => void socket.write('220 mail.example.com ready\r\n'.repeat(40))), /does not speak HTTP\/2/],
    ['an echo', () => serveBytes((socket) => void socket.pipe(socket)), /HTTP\/2|closed/],
    ['a server that hangs up', () => serveBytes((socket) => void socket.end()), /closed|reset/],
    ['a reset', () => serveBytes((socket) => void socket.on('data', () => socket.resetAndDestroy())), /reset/],
  ])('to %s says why it is of no use, and so do its calls', async (_, start, message) => {
    const server = await start()
    const door = GrpcDoor.open({ address: server.address, timeout: 300 })
    closing.push(() => server.close(), () => door.close())
    const channel = await door.channel()
    expect(channel.failure).toMatch(message)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    expect(await stream.send(text('x'))).toBe(false)
    expect(await stream.next()).toBeUndefined()
    const { failure, grpcStatus } = await stream.drain()
    expect(failure).toMatch(message)
    expect(grpcStatus).toBeUndefined()
    expect(stream.exchange.record().response).toBeUndefined()
  })

  test('knows when the server takes no more calls', async () => {
    const { channel, server } = await small(echo)
    for (const session of server.sessions) session.goaway(0)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(channel.failure).toMatch(/no further calls|closed/)
  })

  test('carries many streams at a time', async () => {
    const { channel } = await small(echo)
    const streams = Array.from({ length: 50 }, () => channel.call({ operation: 'greet', path: '/a.B/C' }))
    const ends = await Promise.all(streams.map((stream, index) => sendAll(stream, [`${index}`])))
    expect(ends.every(({ grpcStatus }) => grpcStatus === 0)).toBe(true)
    expect(streams.map(received)).toEqual(streams.map((_, index) => [`${index}`]))
  })

  test('ends whatever is under way when it is closed', async () => {
    const { channel } = await small(echo)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    await stream.send(text('one'))
    channel.close()
    expect((await stream.drain()).failure).toBeDefined()
    expect(channel.failure).toBe('the channel was closed')
  })
})

describe('TLS', () => {
  test('is trusted with its authority and not without, and shows who the client is', async () => {
    const own = await makeCertificate()
    const made = await generate([{ name: 'commonName', value: 'a client' }], { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' })
    const client = { cert: made.cert, key: made.private }
    const { door, channel } = await small(echo, { tls: { ca: own.cert, cert: client.cert, key: client.key } }, { ...own, ca: client.cert })
    expect([channel.failure, channel.alpn]).toEqual([undefined, 'h2'])
    expect((await sendAll(channel.call({ operation: 'greet', path: '/a.B/C' }), ['one'])).grpcStatus).toBe(0)
    expect((await door.channel({ tls: {} })).failure).toMatch(/not trusted/)
    const anonymous = await door.channel({ tls: { ca: own.cert } })
    const { grpcStatus, failure } = await sendAll(anonymous.call({ operation: 'greet', path: '/a.B/C' }), ['one'])
    expect([grpcStatus, failure]).toEqual([undefined, 'TLS alert: certificate required'])
    expect((await door.channel({ tls: null })).failure).toBeDefined()
  })

  test('is not found where there is none', async () => {
    const { channel } = await small(echo, { tls: { verify: false } })
    expect(channel.failure).toMatch(/does not speak TLS|closed|reset/)
  })
})

describe('a record', () => {
  const tell = { request: (bytes: Uint8Array) => JSON.stringify({ name: Buffer.from(bytes).toString() }), response: (bytes: Uint8Array) => Buffer.from(bytes).toString() }

  test('shows both sides without secrets, and a line that repeats the call', async () => {
    const { door, channel, server } = await small(echo, { metadata: { authorization: 'Bearer hush-hush' }, secrets: { TOKEN: 'hush-hush' } })
    const stream = channel.call({ operation: 'greet', path: '/a.B/C', tell })
    await sendAll(stream, ['Ada', "O'Brien", 'hush-hush'])
    const record = stream.exchange.record()
    expect(record).toMatchObject({ operation: 'greet', request: { method: 'POST', url: `http://${server.address}/a.B/C`, body: '{"name":"Ada"}\n{"name":"O\'Brien"}\n{"name":"$TOKEN"}' }, response: { status: 200, body: "Ada\nO'Brien\n$TOKEN" } })
    expect(record.response?.headers).toContainEqual(['grpc-status', '0'])
    expect(record.curl).toBe(`grpcurl -plaintext -H "authorization: Bearer $TOKEN" -d "{\\"name\\":\\"Ada\\"} {\\"name\\":\\"O'Brien\\"} {\\"name\\":\\"$TOKEN\\"}" ${server.address} a.B/C`)
    expect(JSON.stringify(record)).not.toContain('hush-hush')
    door.close()
  })

  test('is bounded, and shows bytes that are no message', async () => {
    const { channel } = await small(echo)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C', tell })
    await sendAll(stream, Array.from({ length: 3000 }, () => 'x'.repeat(100)))
    const record = stream.exchange.record()
    expect(JSON.stringify(record).length).toBeLessThan(200_000)
    expect(record.response?.body).toMatch(/… and 2950 more$/)
    const raw = channel.call({ operation: 'greet', path: '/a.B/C', tell })
    await raw.sendRaw(Buffer.from([0, 0, 0, 0, 1, 255]))
    raw.halfClose()
    await raw.drain()
    expect(raw.exchange.record()).toMatchObject({ request: { body: 'base64:AAAAAAH/' }, curl: expect.stringContaining("printf '\\000\\000\\000\\000\\001\\377' | curl") as string })
  })
})
