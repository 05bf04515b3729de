import { credentials } from '@grpc/grpc-js'
import { createServer, type AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeGreetingRequest } from '../../generated/greeting/index.ts'
import { startGreeting, targetOf, type GreetingOptions, type GreetingServer } from './greeting.ts'
import {
  clientOf,
  frameMessage,
  collectTranscript,
  rawCall,
  greetAll,
  type TestGreetingClient,
} from './greeting/greeting.testing.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

function track<T extends { close(): unknown }>(one: T): T {
  opened.push(one)
  return one
}
const startTracked = async (options?: GreetingOptions) => track(await startGreeting(options))
const path = '/examples.GreetingService/BidirectionalGreeting'
const body = frameMessage(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))

describe('the greeting service', () => {
  let server: GreetingServer
  let client: TestGreetingClient
  beforeEach(async () => {
    server = await startTracked()
    client = track(clientOf(server))
  })

  test('greets each name with a timestamp, and ends with OK', async () => {
    const before = Date.now()
    const { messages, times, status } = await greetAll(client, ['Ada', 'Łucja', '王秀英', '👩‍🚀'])
    expect(messages).toEqual(['Hello, Ada!', 'Hello, Łucja!', 'Hello, 王秀英!', 'Hello, 👩‍🚀!'])
    for (const time of times) {
      expect(Date.parse(time)).toBeGreaterThanOrEqual(before - 1000)
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
    }
    expect([status.code, status.details]).toEqual([0, 'OK'])
    expect(targetOf(server)).toEqual({
      greeting: {
        address: server.address,
        service: 'examples.GreetingService',
        relationship: 'one-to-one',
      },
    })
  })

  test('responds while the stream is open', async () => {
    const call = client.greet()
    for (const name of ['Ada', 'Grace']) {
      call.write({ name, request_id: name })
      expect(await new Promise((resolve) => call.once('data', resolve))).toMatchObject({
        message: `Hello, ${name}!`,
      })
    }
    call.end()
    expect((await collectTranscript(call)).status.code).toBe(0)
  })

  test('ends a stream without requests with OK, and greets an empty name', async () => {
    expect(await greetAll(client, [])).toMatchObject({ messages: [], status: { code: 0 } })
    expect((await greetAll(client, [{}])).messages).toEqual(['Hello, stranger!'])
  })

  test('follows the gRPC protocol', async () => {
    const { headers, trailers, data } = await rawCall(server.address, path, body)
    expect([headers[':status'], headers['content-type']]).toEqual([200, 'application/grpc+proto'])
    expect(trailers['grpc-status']).toBe('0')
    expect(data.readUInt32BE(1)).toBe(data.length - 5)
    for (const unknown of [
      '/examples.GreetingService/Other',
      '/examples.Other/BidirectionalGreeting',
    ]) {
      expect((await rawCall(server.address, unknown, body)).headers).toMatchObject({
        ':status': 200,
        'grpc-status': '12',
      })
    }
    expect(
      (await rawCall(server.address, path, frameMessage(Buffer.from([0x0a, 9, 1])))).headers[
        'grpc-status'
      ],
    ).toBe('13')
    expect(
      (await rawCall(server.address, path, frameMessage(Buffer.alloc(5_000_000)))).headers[
        'grpc-status'
      ],
    ).toBe('8')
    expect(
      (await rawCall(server.address, path, body, { 'content-type': 'text/plain' })).headers[
        ':status'
      ],
    ).toBe(415)
  })

  test('accepts compressed requests', async () => {
    expect(
      (await greetAll(track(clientOf(server, { compress: true })), ['Ada'.repeat(1000)]))
        .messages[0],
    ).toHaveLength(3008)
  })

  test('keeps serving after a stream was cancelled', async () => {
    const call = client.greet()
    call.write({ name: 'Ada' })
    await new Promise((resolve) => call.once('data', resolve))
    expect(server.context.openCalls.size).toBe(1)
    call.cancel()
    expect((await collectTranscript(call)).status.code).toBe(1)
    expect((await greetAll(client, ['Grace'])).messages).toEqual(['Hello, Grace!'])
    await expect.poll(() => server.context.openCalls.size).toBe(0)
  })
})

test('serves under another service name', async () => {
  const server = await startTracked({ service: 'examples.Greeter' })
  expect((await greetAll(track(clientOf(server)), ['Ada'])).messages).toEqual(['Hello, Ada!'])
  expect((await rawCall(server.address, path, body)).headers['grpc-status']).toBe('12')
  expect(targetOf(server).greeting.service).toBe('examples.Greeter')
})

test('rejects with an error that contains the port, if the port is in use', async () => {
  const other = track(createServer())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  await expect(startGreeting({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
})

test('requires the token if one is set', async () => {
  const server = await startTracked({ token: 'a-token' })
  const client = track(clientOf(server))
  const { metadata } = targetOf(server).greeting
  expect((await greetAll(client, ['Ada'], metadata)).messages).toEqual(['Hello, Ada!'])
  expect((await greetAll(client, ['Ada'], { authorization: 'bearer a-token' })).messages).toEqual([
    'Hello, Ada!',
  ])
  for (const authorization of ['Bearer a-tokens', 'Basic a-token', 'a-token', 'Bearer ']) {
    expect(await greetAll(client, ['Ada'], { authorization })).toMatchObject({
      messages: [],
      status: { code: 16 },
    })
  }
  expect((await greetAll(client, ['Ada'])).status.code).toBe(16)
  const other = await startTracked({ token: 'a-token', choices: { unauthenticatedStatus: 7 } })
  expect((await greetAll(track(clientOf(other)), ['Ada'])).status.code).toBe(7)
})

describe('over TLS', () => {
  const greetOverTls = async (server: GreetingServer, ...pem: (string | undefined)[]) => {
    const [ca, key, cert] = pem.map((part) => (part === undefined ? null : Buffer.from(part)))
    return await greetAll(
      track(clientOf(server, { secured: credentials.createSsl(ca, key, cert) })),
      ['Ada'],
    )
  }

  test('presents a self-signed certificate', async () => {
    const server = await startTracked({ tls: true })
    const { tls } = targetOf(server).greeting
    expect((await greetOverTls(server, tls?.ca)).messages).toEqual(['Hello, Ada!'])
    expect(await greetOverTls(server)).toMatchObject({ messages: [], status: { code: 14 } })
    expect((await greetAll(track(clientOf(server)), ['Ada'])).status.code).toBe(14)
  })

  test('requires client certificates if an authority is set', async () => {
    const newCertificate = (name: string) =>
      generate([{ name: 'commonName', value: name }], {
        keyType: 'ec',
        extensions: [{ name: 'basicConstraints', cA: true }],
      })
    const [known, unknown] = [await newCertificate('known'), await newCertificate('unknown')]
    const server = await startTracked({ tls: { clientCa: known.cert } })
    expect((await greetOverTls(server, server.ca, known.private, known.cert)).messages).toEqual([
      'Hello, Ada!',
    ])
    expect((await greetOverTls(server, server.ca, unknown.private, unknown.cert)).status.code).toBe(
      14,
    )
    expect((await greetOverTls(server, server.ca)).status.code).toBe(14)
  })
})
