import { afterEach, describe, expect, test } from 'vitest'
import { echo, endAll, sendAll, small, text } from './small-server.testing.ts'

afterEach(endAll)

describe('a stream', () => {
  test('is cancelled if it does not end in time, is silent or sends too much', async () => {
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
    const call = (path: string, limits: object) =>
      channel.call({ operation: 'greet', path: `/a.B/${path}`, ...limits }).drain()
    const [silent, dripping, idle, flooding] = await Promise.all([
      call('Silent', { timeout: 200 }),
      call('Drip', { timeout: 1500, idle: 700 }),
      call('Idle', { timeout: 60_000, idle: 100 }),
      call('Flood', {}),
    ])
    expect(silent.failure).toBe('the stream did not end within 0.2 s')
    expect(dripping.failure).toBe('the stream did not end within 1.5 s')
    expect(idle.failure).toBe('nothing happened for 0.1 s')
    expect(flooding.failure).toBe('more than 1000000 bytes were received')
  })

  test('waits for a slow reader, and then delivers all messages', async () => {
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

  test('can be cancelled without an effect on its connection', async () => {
    let aborted = false
    const { channel } = await small((call) => {
      call.stream.on('aborted', () => (aborted = true))
      echo(call)
    })
    const stream = channel.call({ operation: 'greet', path: '/a.B/C' })
    await stream.send(text('one'))
    await stream.next()
    stream.cancel()
    expect((await stream.ended).failure).toBe('the client cancelled the call')
    expect(
      (await sendAll(channel.call({ operation: 'greet', path: '/a.B/C' }), ['two'])).grpcStatus,
    ).toBe(0)
    expect(aborted).toBe(true)
  })
})
