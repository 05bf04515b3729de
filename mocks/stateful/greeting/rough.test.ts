import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { encodeGreetingRequest } from '../../../generated/greeting/index.ts'
import { startGreeting, type GreetingServer } from '../greeting.ts'
import { clientOf, framed, talk } from './greeting.testing.ts'

const opened: { close(): unknown }[] = []
let server: GreetingServer
beforeEach(async () => {
  opened.push((server = await startGreeting()))
})
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

function session(): ClientHttp2Session {
  const made = connect(`http://${server.address}`)
  made.on('error', () => {})
  opened.push({ close: () => made.destroy() })
  return made
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

/** Writes the same bytes until nobody has taken any for a while. Gives how many times. */
async function flood(stream: ClientHttp2Stream, bytes: Buffer, most: number): Promise<number> {
  for (let count = 1; count <= most; count += 1) {
    const taken = new Promise<boolean>((resolve) => stream.write(bytes, () => resolve(true)))
    if (!(await Promise.race([taken, sleep(500, false)]))) return count
  }
  return most
}

const request = framed(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))
const thousand = Buffer.concat(Array.from({ length: 1000 }, () => request))

async function stillServes(): Promise<void> {
  const client = clientOf(server)
  opened.push(client)
  expect((await talk(client, ['Grace'])).messages).toEqual(['Hello, Grace!'])
}

test('a caller that floods and reads nothing is made to wait, and gets everything once it reads', async () => {
  const stream = call(session())
  const count = await flood(stream, thousand, 500)
  // Some thousand greetings lie between, in windows and buffers; then nobody takes any more.
  expect(count).toBeLessThan(50)
  await stillServes()
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const trailers = new Promise((resolve) => stream.once('trailers', resolve))
  stream.end()
  expect(await trailers).toMatchObject({ 'grpc-status': '0' })
  const each = framed(Buffer.from('..Hello, Ada!..2026-11-21T17:48:27.750Z')).length
  expect(bytes).toBe(count * 1000 * each)
}, 30_000)

test('large greetings that nobody reads do not pile up', async () => {
  const stream = call(session())
  const name = framed(encodeGreetingRequest({ name: 'a'.repeat(1_000_000), request_id: '1' }))
  expect(await flood(stream, name, 100)).toBeLessThan(8)
  await stillServes()
}, 30_000)

test('descriptions that nobody reads do not pile up either', async () => {
  const stream = call(session(), '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo')
  const listing = framed(Buffer.from([0x3a, 1, 0x2a]))
  expect(
    await flood(stream, Buffer.concat(Array.from({ length: 1000 }, () => listing)), 500),
  ).toBeLessThan(100)
  await stillServes()
}, 30_000)

test('callers that disappear leave nothing behind', async () => {
  const over = session()
  const streams = Array.from({ length: 100 }, () => call(over))
  for (const stream of streams) stream.write(thousand)
  await expect.poll(() => server.context.open.size).toBe(100)
  over.destroy()
  await expect.poll(() => server.context.open.size).toBe(0)
  await stillServes()
})

test('a thousand streams at once are told their own names', async () => {
  const client = clientOf(server)
  opened.push(client)
  const all = await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const names = [1, 2, 3].map((number) => `N${index}-${number}`)
      const { messages, status } = await talk(client, names)
      return status.code === 0 && messages.join() === names.map((name) => `Hello, ${name}!`).join()
    }),
  )
  expect(all.filter((good) => !good)).toEqual([])
  await expect.poll(() => server.context.open.size).toBe(0)
}, 30_000)

test('what is no HTTP/2, or no gRPC, does no harm', async () => {
  await fetch(`http://${server.address}/`).catch(() => {})
  const over = session()
  const odd = over.request({ ':method': 'GET', ':path': '/' }).on('error', () => {})
  odd.resume()
  const broken = call(over)
  broken.end(Buffer.from([2, 0, 0]))
  await new Promise((resolve) => broken.resume().once('close', resolve))
  const cut = call(over)
  cut.write(request.subarray(0, 7))
  cut.close(8)
  await stillServes()
})

test('ends at once, whoever is still there', async () => {
  const over = session()
  const streams = Array.from({ length: 10 }, () => call(over))
  for (const stream of streams) stream.write(thousand)
  await expect.poll(() => server.context.open.size).toBe(10)
  const begun = performance.now()
  await server.close()
  expect(performance.now() - begun).toBeLessThan(500)
  await expect.poll(() => server.context.open.size).toBe(0)
})
