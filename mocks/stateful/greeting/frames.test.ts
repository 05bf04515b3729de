import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { bidirectionalGreeting, encodeGreetingRequest } from '../../../generated/greeting/index.ts'
import { startGreeting, type GreetingChoices, type GreetingServer } from '../greeting.ts'
import { frameMessage } from './greeting.testing.ts'

const body = frameMessage(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))
const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function startTracked(choices: Partial<GreetingChoices>): Promise<GreetingServer> {
  const server = await startGreeting({ choices })
  opened.push(server)
  return server
}

/** Returns the lengths of the non-empty DATA frames that a server sends for one request. */
async function dataFrames({ address }: GreetingServer): Promise<number[]> {
  const socket = connect(Number(address.split(':')[1]), '127.0.0.1')
  const frame = (type: number, flags: number, stream: number, payload: Uint8Array) => {
    const head = Buffer.alloc(9)
    head.writeUIntBE(payload.length, 0, 3)
    head.writeUInt8(type, 3)
    head.writeUInt8(flags, 4)
    head.writeUInt32BE(stream, 5)
    return Buffer.concat([head, payload])
  }
  // Literal header fields, neither indexed nor compressed.
  const field = (name: string, value: string) =>
    Buffer.concat([
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ])
  const headers = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', bidirectionalGreeting.path],
    [':authority', 'a'],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
  ] as const
  socket.write(
    Buffer.concat([
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      frame(4, 0, 0, Buffer.alloc(0)),
      frame(1, 4, 1, Buffer.concat(headers.map(([name, value]) => field(name, value)))),
      frame(0, 1, 1, body),
    ]),
  )
  let received = Buffer.alloc(0)
  const lengths: number[] = []
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer])
    while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
      const [length, type, flags] = [received.readUIntBE(0, 3), received[3], received[4] ?? 0]
      received = received.subarray(9 + length)
      if (type === 0) lengths.push(length)
      // Trailers end the stream.
      if (type === 1 && (flags & 1) === 1) return lengths.filter((one) => one > 0)
    }
  }
  return lengths
}

test('splits messages into frames', async () => {
  const whole = await startTracked({})
  const size = (await dataFrames(whole))[0]!
  expect(await dataFrames(whole)).toEqual([size])
  for (const [frames, step] of [
    ['split', 7],
    ['bytes', 1],
  ] as const) {
    const lengths = await dataFrames(await startTracked({ frames }))
    expect(lengths.reduce((sum, one) => sum + one, 0)).toBe(size)
    expect(lengths).toHaveLength(Math.ceil(size / step))
  }
})
