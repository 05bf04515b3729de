import { credentials } from '@grpc/grpc-js'
import { createServer, type AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeGreetingRequest } from '../../generated/greeting/index.ts'
import { startGreeting, targetOf, type GreetingOptions, type GreetingServer } from './greeting.ts'
import {
  clientOf,
  framed,
  heard,
  raw,
  talk,
  type GreetingClient,
} from './greeting/greeting.testing.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

function keep<T extends { close(): unknown }>(one: T): T {
  opened.push(one)
  return one
}
const started = async (options?: GreetingOptions) => keep(await startGreeting(options))
const path = '/examples.GreetingService/BidirectionalGreeting'
const body = framed(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))

describe('the greeting service', () => {
  let server: GreetingServer
  let client: GreetingClient
  beforeEach(async () => {
    server = await started()
    client = keep(clientOf(server))
  })

  test('greets each name, tells the time, and ends with OK', async () => {
    const before = Date.now()
    const { messages, times, status } = await talk(client, ['Ada', 'Łucja', '王秀英', '👩‍🚀'])
    expect(messages).toEqual(['Hello, Ada!', 'Hello, Łucja!', 'Hello, 王秀英!', 'Hello, 👩‍🚀!'])
    for (const time of times) expect(Math.abs(Date.parse(time) - before)).toBeLessThan(5000)
    expect([status.code, status.details]).toEqual([0, 'OK'])
    expect(targetOf(server)).toEqual({
      greeting: {
        address: server.address,
        service: 'examples.GreetingService',
        relationship: 'one-to-one',
      },
    })
  })

  test('answers while the stream is open', async () => {
    const call = client.greet()
    for (const name of ['Ada', 'Grace']) {
      call.write({ name, request_id: name })
      expect(await new Promise((resolve) => call.once('data', resolve))).toMatchObject({
        message: `Hello, ${name}!`,
      })
    }
    call.end()
    expect((await heard(call)).status.code).toBe(0)
  })

  test('ends a stream without requests with OK, and greets whoever has no name', async () => {
    expect(await talk(client, [])).toMatchObject({ messages: [], status: { code: 0 } })
    expect((await talk(client, [{}])).messages).toEqual(['Hello, stranger!'])
  })

  test('speaks gRPC as it is written', async () => {
    const { headers, trailers, data } = await raw(server.address, path, body)
    expect([headers[':status'], headers['content-type']]).toEqual([200, 'application/grpc+proto'])
    expect(trailers['grpc-status']).toBe('0')
    expect(data.readUInt32BE(1)).toBe(data.length - 5)
    for (const unknown of [
      '/examples.GreetingService/Other',
      '/examples.Other/BidirectionalGreeting',
    ]) {
      expect((await raw(server.address, unknown, body)).headers).toMatchObject({
        ':status': 200,
        'grpc-status': '12',
      })
    }
    expect(
      (await raw(server.address, path, framed(Buffer.from([0x0a, 9, 1])))).headers['grpc-status'],
    ).toBe('13')
    expect(
      (await raw(server.address, path, framed(Buffer.alloc(5_000_000)))).headers['grpc-status'],
    ).toBe('8')
    expect(
      (await raw(server.address, path, body, { 'content-type': 'text/plain' })).headers[':status'],
    ).toBe(415)
  })

  test('takes compressed requests', async () => {
    expect(
      (await talk(keep(clientOf(server, { compress: true })), ['Ada'.repeat(1000)])).messages[0],
    ).toHaveLength(3008)
  })

  test('goes on after a stream was cancelled', async () => {
    const call = client.greet()
    call.write({ name: 'Ada' })
    await new Promise((resolve) => call.once('data', resolve))
    expect(server.context.open.size).toBe(1)
    call.cancel()
    expect((await heard(call)).status.code).toBe(1)
    expect((await talk(client, ['Grace'])).messages).toEqual(['Hello, Grace!'])
    await expect.poll(() => server.context.open.size).toBe(0)
  })
})

test('serves under another name', async () => {
  const server = await started({ service: 'examples.Greeter' })
  expect((await talk(keep(clientOf(server)), ['Ada'])).messages).toEqual(['Hello, Ada!'])
  expect((await raw(server.address, path, body)).headers['grpc-status']).toBe('12')
  expect(targetOf(server).greeting.service).toBe('examples.Greeter')
})

test('names a taken port', async () => {
  const other = keep(createServer())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  await expect(startGreeting({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
})

test('wants the token where there is one', async () => {
  const server = await started({ token: 'a-token' })
  const client = keep(clientOf(server))
  const { metadata } = targetOf(server).greeting
  expect((await talk(client, ['Ada'], metadata)).messages).toEqual(['Hello, Ada!'])
  expect((await talk(client, ['Ada'], { authorization: 'bearer a-token' })).messages).toEqual([
    'Hello, Ada!',
  ])
  for (const authorization of ['Bearer a-tokens', 'Basic a-token', 'a-token', 'Bearer ']) {
    expect(await talk(client, ['Ada'], { authorization })).toMatchObject({
      messages: [],
      status: { code: 16 },
    })
  }
  expect((await talk(client, ['Ada'])).status.code).toBe(16)
  const other = await started({ token: 'a-token', choices: { unauthenticatedStatus: 7 } })
  expect((await talk(keep(clientOf(other)), ['Ada'])).status.code).toBe(7)
})

describe('over TLS', () => {
  const speaks = async (server: GreetingServer, ...pem: (string | undefined)[]) => {
    const [ca, key, cert] = pem.map((text) => (text === undefined ? null : Buffer.from(text)))
    return await talk(keep(clientOf(server, { secured: credentials.createSsl(ca, key, cert) })), [
      'Ada',
    ])
  }

  test('shows a certificate that signs itself', async () => {
    const server = await started({ tls: true })
    const { tls } = targetOf(server).greeting
    expect((await speaks(server, tls?.ca)).messages).toEqual(['Hello, Ada!'])
    expect(await speaks(server)).toMatchObject({ messages: [], status: { code: 14 } })
    expect((await talk(keep(clientOf(server)), ['Ada'])).status.code).toBe(14)
  })

  test('asks for certificates of an authority, where one is given', async () => {
    const made = (name: string) =>
      generate([{ name: 'commonName', value: name }], {
        keyType: 'ec',
        extensions: [{ name: 'basicConstraints', cA: true }],
      })
    const [known, unknown] = [await made('known'), await made('unknown')]
    const server = await started({ tls: { clientCa: known.cert } })
    expect((await speaks(server, server.ca, known.private, known.cert)).messages).toEqual([
      'Hello, Ada!',
    ])
    expect((await speaks(server, server.ca, unknown.private, unknown.cert)).status.code).toBe(14)
    expect((await speaks(server, server.ca)).status.code).toBe(14)
  })
})
