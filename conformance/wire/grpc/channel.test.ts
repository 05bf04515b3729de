import { createServer } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { GrpcClient } from '../grpc.ts'
import { echo, endAll, received, sendAll, small, text, toEnd } from './small-server.testing.ts'
import { serveBytes } from './grpc.testing.ts'

afterEach(endAll)

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
    [
      'a server that sends nothing',
      () => serveBytes((socket) => void socket.resume()),
      /^no HTTP\/2 within 0.3 s$/,
    ],
    [
      'a server of another protocol',
      () => serveBytes((socket) => void socket.write('220 mail.example.com ready\r\n'.repeat(40))),
      /does not use HTTP\/2/,
    ],
    [
      'a server that returns all bytes',
      () => serveBytes((socket) => void socket.pipe(socket)),
      /HTTP\/2|closed/,
    ],
    [
      'a server that closes connections',
      () => serveBytes((socket) => void socket.end()),
      /closed|reset/,
    ],
    [
      'a server that resets connections',
      () => serveBytes((socket) => void socket.on('data', () => socket.resetAndDestroy())),
      /reset/,
    ],
  ])('to %s and its calls report why no call is possible', async (_, start, message) => {
    const server = await start()
    const client = GrpcClient.open({ address: server.address, timeout: 300 })
    toEnd(
      () => server.close(),
      () => client.close(),
    )
    const channel = await client.openChannel()
    expect(channel.failure).toMatch(message)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    expect(await stream.send(text('x'))).toBe(false)
    expect(await stream.next()).toBeUndefined()
    const { failure, grpcStatus } = await stream.drain()
    expect(failure).toMatch(message)
    expect(grpcStatus).toBeUndefined()
    expect(stream.exchange.record().response).toBeUndefined()
  })

  test('reports that the server accepts no more calls', async () => {
    const { channel, server } = await small(echo)
    for (const session of server.sessions) session.goaway(0)
    await vi.waitFor(() => expect(channel.failure).toMatch(/no further calls|closed/), {
      timeout: 60_000,
    })
  })

  test('carries many streams at a time', async () => {
    const { channel } = await small(echo)
    const streams = Array.from({ length: 50 }, () =>
      channel.call({ operation: 'greet', path: '/a.B/C' }),
    )
    const ends = await Promise.all(streams.map((stream, index) => sendAll(stream, [`${index}`])))
    expect(ends.every(({ grpcStatus }) => grpcStatus === 0)).toBe(true)
    expect(streams.map(received)).toEqual(streams.map((_, index) => [`${index}`]))
  })

  test('ends all open calls when it is closed', async () => {
    const { channel } = await small(echo)
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    await stream.send(text('one'))
    channel.close()
    expect((await stream.drain()).failure).toBeDefined()
    expect(channel.failure).toBe('the channel was closed')
  })
})
