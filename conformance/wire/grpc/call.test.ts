import { afterEach, describe, expect, test } from 'vitest'
import { frameOf, statusOf } from '../grpc.ts'
import { echo, endAll, received, sendAll, small, text } from './small-server.testing.ts'

afterEach(endAll)

describe('a call', () => {
  test('exchanges messages, and returns the status that the server sent', async () => {
    const { channel } = await small(echo)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    const { grpcStatus, httpStatus, failure } = await sendAll(stream, ['one', 'two', ''])
    expect({ grpcStatus, httpStatus, failure }).toEqual({
      grpcStatus: 0,
      httpStatus: 200,
      failure: undefined,
    })
    expect(received(stream)).toEqual(['one', 'two', ''])
    expect(stream.exchange.summary).toBe('3 messages, status OK (0)')
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

  test('is given up soon after the run is cancelled', async () => {
    const cancellation = new AbortController()
    const { channel } = await small(() => {}, { signal: cancellation.signal, timeout: 5000 })
    const ended = channel.call({ operation: 'greet', path: '/a.B/C' }).drain()
    cancellation.abort()
    expect((await ended).failure).toBe('the run was cancelled')
  })

  test('carries metadata of the client and of the call, and announces a deadline', async () => {
    const seen: unknown[] = []
    const { channel } = await small((call) => (seen.push(call.headers), call.end(0)), {
      metadata: { authorization: 'Bearer x' },
    })
    await channel
      .call({ operation: 'greet', path: '/a.B/C', metadata: { 'x-own': '1' }, deadline: 1500 })
      .drain()
    await channel.call({ operation: 'greet', path: '/a.B/C', isBare: true }).drain()
    expect(seen[0]).toMatchObject({
      te: 'trailers',
      'content-type': 'application/grpc',
      authorization: 'Bearer x',
      'x-own': '1',
      'grpc-timeout': '1500m',
    })
    expect(seen[1]).not.toHaveProperty('authorization')
  })

  test('understands gzip in both directions', async () => {
    const { channel } = await small(
      (call) => void (call.onMessage = (message) => call.send(message, { gzip: true })),
    )
    const stream = channel.call({
      operation: 'greet',
      path: '/a.B/C',
      metadata: { 'grpc-encoding': 'gzip' },
    })
    await sendAll(stream, ['coded'.repeat(100)], { gzip: true })
    expect(received(stream)).toEqual(['coded'.repeat(100)])
    expect(stream.exchange.record().curl).toMatch(/^printf '\\001.*curl -i --http2-prior-knowledge/)
  })

  test('reads a status from headers only if nothing follows them', async () => {
    const { channel } = await small((call) => {
      if (call.path.endsWith('Only')) call.end(statusOf.UNIMPLEMENTED, 'nö')
      else if (call.path.endsWith('Early')) {
        call.stream.respond({
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': '0',
        })
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

  test('reports a reset stream, and one that ends within a message', async () => {
    const { channel, client } = await small((call) => {
      if (call.path.endsWith('Reset')) call.stream.close(2)
      else if (call.path.endsWith('Crash')) {
        call.onMessage = (message) =>
          void (call.send(message), setTimeout(() => call.stream.session?.destroy(), 20))
        call.onEnd = () => {}
      } else {
        call.stream.respond(
          { ':status': 200, 'content-type': 'application/grpc' },
          { waitForTrailers: true },
        )
        call.stream.once('wantTrailers', () => call.stream.sendTrailers({ 'grpc-status': '0' }))
        call.stream.end(frameOf(text('whole words')).subarray(0, 9))
      }
    })
    expect(await channel.call({ operation: 'greet', path: '/a.B/Reset' }).drain()).toMatchObject({
      rstCode: 2,
      failure: 'the server reset the stream (code 2)',
    })
    const crash = await sendAll(channel.call({ operation: 'greet', path: '/a.B/Crash' }), ['one'])
    expect(crash).toMatchObject({ httpStatus: 200, failure: 'the connection was closed' })
    expect([crash.rstCode, crash.grpcStatus]).toEqual([undefined, undefined])
    const half = (await client.openChannel()).call({ operation: 'greet', path: '/a.B/Half' })
    expect((await half.drain()).grpcStatus).toBe(0)
    expect(half.exchange.problems).toEqual([
      'the stream ended in the middle of a message, 9 bytes into it',
    ])
  })

  test.each([
    ['a frame of an unknown kind', Buffer.from([7, 0, 0, 0, 0]), /starts with 7/],
    [
      'a message that is too long',
      Buffer.from([0, 0xff, 0xff, 0xff, 0xff]),
      /4294967295 bytes is announced/,
    ],
    [
      'compression that was never announced',
      Buffer.from([1, 0, 0, 0, 1, 0]),
      /grpc-encoding is missing/,
    ],
  ])('reports %s', async (_, bytes, problem) => {
    const { channel } = await small((call) => {
      call.stream.respond(
        { ':status': 200, 'content-type': 'application/grpc' },
        { waitForTrailers: true },
      )
      call.stream.once('wantTrailers', () => call.stream.sendTrailers({ 'grpc-status': '0' }))
      call.stream.end(bytes)
    })
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    await stream.drain()
    expect(stream.exchange.problems[0]).toMatch(problem)
  })
})
