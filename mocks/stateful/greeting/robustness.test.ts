import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { encodeGreetingRequest } from '../../../generated/greeting/index.ts'
import { startGreeting, type GreetingServer } from '../greeting.ts'
import { clientOf, frameMessage, greetAll } from './greeting.testing.ts'

const opened: { close(): unknown }[] = []
let server: GreetingServer
beforeEach(async () => {
  opened.push((server = await startGreeting()))
})
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

function openSession(): ClientHttp2Session {
  const client = connect(`http://${server.address}`)
  client.on('error', () => {})
  opened.push({ close: () => client.destroy() })
  return client
}

const greeting = '/examples.GreetingService/BidirectionalGreeting'
function call(over: ClientHttp2Session, path = greeting): ClientHttp2Stream {
  const stream = over.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  })
  return stream.on('error', () => {})
}

/** Writes the same bytes until the server stops reading. Returns the number of writes. */
async function flood(stream: ClientHttp2Stream, bytes: Buffer, maxWrites: number): Promise<number> {
  for (let count = 1; count <= maxWrites; count += 1) {
    const written = new Promise<boolean>((resolve) => stream.write(bytes, () => resolve(true)))
    if (!(await Promise.race([written, sleep(500, false)]))) return count
  }
  return maxWrites
}

const request = frameMessage(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))
const thousand = Buffer.concat(Array.from({ length: 1000 }, () => request))

async function expectToServe(): Promise<void> {
  const client = clientOf(server)
  opened.push(client)
  expect((await greetAll(client, ['Grace'])).messages).toEqual(['Hello, Grace!'])
}

test('a caller that floods without reading is paused, and receives everything once it reads', async () => {
  const stream = call(openSession())
  const count = await flood(stream, thousand, 500)
  // A few thousand greetings fit into flow-control windows and buffers. Then the server stops
  // reading.
  expect(count).toBeLessThan(50)
  await expectToServe()
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const trailers = new Promise((resolve) => stream.once('trailers', resolve))
  stream.end()
  expect(await trailers).toMatchObject({ 'grpc-status': '0' })
  const each = frameMessage(Buffer.from('..Hello, Ada!..2026-11-21T17:48:27.750Z')).length
  expect(bytes).toBe(count * 1000 * each)
})

test('large unread greetings do not accumulate', async () => {
  const stream = call(openSession())
  const name = frameMessage(encodeGreetingRequest({ name: 'a'.repeat(1_000_000), request_id: '1' }))
  expect(await flood(stream, name, 100)).toBeLessThan(8)
  await expectToServe()
})

test('unread reflection responses do not accumulate', async () => {
  const stream = call(openSession(), '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo')
  const listing = frameMessage(Buffer.from([0x3a, 1, 0x2a]))
  expect(
    await flood(stream, Buffer.concat(Array.from({ length: 1000 }, () => listing)), 500),
  ).toBeLessThan(100)
  await expectToServe()
})

test('cleans up after callers that disconnect', async () => {
  const over = openSession()
  const streams = Array.from({ length: 100 }, () => call(over))
  for (const stream of streams) stream.write(thousand)
  await expect.poll(() => server.context.openCalls.size).toBe(100)
  over.destroy()
  await expect.poll(() => server.context.openCalls.size).toBe(0)
  await expectToServe()
})

test('serves a thousand concurrent streams', async () => {
  const client = clientOf(server)
  opened.push(client)
  const all = await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const names = [1, 2, 3].map((number) => `N${index}-${number}`)
      const { messages, status } = await greetAll(client, names)
      return status.code === 0 && messages.join() === names.map((name) => `Hello, ${name}!`).join()
    }),
  )
  expect(all.filter((good) => !good)).toEqual([])
  await expect.poll(() => server.context.openCalls.size).toBe(0)
})

test('keeps serving after requests that are not HTTP/2 or not gRPC', async () => {
  await fetch(`http://${server.address}/`).catch(() => {})
  const over = openSession()
  const plainGet = over.request({ ':method': 'GET', ':path': '/' }).on('error', () => {})
  plainGet.resume()
  const broken = call(over)
  broken.end(Buffer.from([2, 0, 0]))
  await new Promise((resolve) => broken.resume().once('close', resolve))
  const cut = call(over)
  cut.write(request.subarray(0, 7))
  cut.close(8)
  await expectToServe()
})

test('closes despite open streams', async () => {
  const over = openSession()
  const streams = Array.from({ length: 10 }, () => call(over))
  for (const stream of streams) stream.write(thousand)
  await expect.poll(() => server.context.openCalls.size).toBe(10)
  await server.close()
  await expect.poll(() => server.context.openCalls.size).toBe(0)
})
