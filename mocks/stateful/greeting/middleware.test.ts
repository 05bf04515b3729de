import { setTimeout as sleep } from 'node:timers/promises'
import { Metadata } from '@grpc/grpc-js'
import { afterEach, expect, test } from 'vitest'
import { encodeGreetingRequest, encodeGreetingResponse } from '../../../generated/greeting/index.ts'
import { defaultRules, startGreeting, type GreetingOptions } from '../greeting.ts'
import { clientOf, frameMessage, rawCall, greetAll, type Transcript } from './greeting.testing.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const path = '/examples.GreetingService/BidirectionalGreeting'
const body = frameMessage(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))

async function startTracked(options: GreetingOptions) {
  const server = await startGreeting(options)
  const client = clientOf(server)
  opened.push(server, client)
  return {
    ...server,
    exchangeMessages: (...names: string[]): Promise<Transcript> => greetAll(client, names),
  }
}

test('around: can change, omit, add and reorder responses', async () => {
  const server = await startTracked({
    around: async (call, next) => {
      const heldResponses: Parameters<typeof call.send>[0][] = []
      const { send } = call
      call.send = (response) => {
        heldResponses.unshift(response)
        return undefined
      }
      const ending = await next()
      for (const response of [...heldResponses.slice(1), { message: 'Bye!' }])
        await send.call(call, response)
      return ending
    },
  })
  expect(await server.exchangeMessages('Ada', 'Grace', 'Mary')).toMatchObject({
    messages: ['Hello, Grace!', 'Hello, Ada!', 'Bye!'],
    times: [expect.any(String), expect.any(String), ''],
  })
})

test('around: can change requests', async () => {
  const server = await startTracked({
    around: (call, next) => {
      const { requests } = call
      call.requests = (async function* () {
        for await (const { name, request_id } of requests)
          yield { name: request_id, request_id: name }
      })()
      return next()
    },
  })
  expect((await server.exchangeMessages('Ada', 'Grace')).messages).toEqual([
    'Hello, id-0!',
    'Hello, id-1!',
  ])
})

test('around: can change statuses, headers and trailers, with and without responses', async () => {
  const trailers = new Metadata()
  trailers.set('x-after', '2')
  const server = await startTracked({
    around: async (call, next) => {
      call.headers.set('x-before', '1')
      await next()
      return { code: 10, details: 'not today ✓', trailers }
    },
  })
  const { status, headers } = await server.exchangeMessages('Ada')
  expect([
    status.code,
    status.details,
    status.metadata.get('x-after'),
    headers?.get('x-before'),
  ]).toEqual([10, 'not today ✓', ['2'], ['1']])
  expect((await server.exchangeMessages()).status.code).toBe(10)
})

test('around: an error ends the stream with status 13, and a stream may stay open', async () => {
  expect(
    (
      await (
        await startTracked({ around: () => Promise.reject(new Error('secret')) })
      ).exchangeMessages('Ada')
    ).status,
  ).toMatchObject({ code: 13, details: 'Internal error' })
  const endless = await startTracked({
    around: (_call, next) => next().then(() => new Promise(() => {})),
  })
  expect(
    await Promise.race([
      endless.exchangeMessages('Ada'),
      new Promise((resolve) => setTimeout(resolve, 200, 'waits')),
    ]),
  ).toBe('waits')
})

test('around: reading fails if the caller has disconnected before the first read', async () => {
  let start = () => {}
  let fail = (_error: unknown) => {}
  const started = new Promise<void>((resolve) => (start = resolve))
  const failure = new Promise<unknown>((resolve) => (fail = resolve))
  const server = await startGreeting({
    around: async (call, next) => {
      start()
      while (!call.hasDisconnected) await sleep(5)
      const ending = next()
      ending.catch(fail)
      return ending
    },
  })
  const client = clientOf(server)
  opened.push(server, client)
  const stream = client.greet().on('error', () => {})
  stream.write({ name: 'Ada' })
  await started
  stream.cancel()
  expect(await failure).toMatchObject({ message: 'the caller has disconnected' })
})

test('around: can send bytes instead of a response', async () => {
  const bytes = Buffer.from([0x0a, 0xff, 0xff])
  const server = await startTracked({
    around: async (call) => {
      await call.send(bytes)
      return { code: 0 }
    },
  })
  expect((await rawCall(server.address, path, body)).data).toEqual(frameMessage(bytes))
})

test('rules: can be replaced one by one', async () => {
  const server = await startTracked({
    rules: {
      formatMessage: ([request], choices) =>
        `${defaultRules.formatMessage([request!], choices)} Again?`,
      formatTimestamp: () => 'soon',
      encode: ({ message, server_timestamp }) =>
        encodeGreetingResponse({
          message: server_timestamp ?? '',
          server_timestamp: message ?? '',
        }),
      decode: (bytes) =>
        bytes.length === 1 ? { name: 'default', request_id: '' } : defaultRules.decode(bytes),
    },
  })
  expect(await server.exchangeMessages('Ada')).toMatchObject({
    messages: ['soon'],
    times: ['Hello, Ada! Again?'],
  })
  expect(
    (await rawCall(server.address, path, frameMessage(Buffer.from([0xff])))).trailers[
      'grpc-status'
    ],
  ).toBe('0')
})

test('intercept: is called for every method, and may respond itself', async () => {
  const server = await startTracked({
    intercept(stream, headers, next) {
      if (headers[':path'] === '/gone')
        return stream.respond({ ':status': 404 }, { endStream: true })
      if (headers[':path'] === '/other') headers[':path'] = path
      const sendTrailers = stream.sendTrailers.bind(stream)
      stream.sendTrailers = ({ 'grpc-status': _status, ...others }) => sendTrailers(others)
      next()
    },
  })
  expect((await rawCall(server.address, '/gone', body)).headers[':status']).toBe(404)
  const { trailers, data } = await rawCall(server.address, '/other', body)
  expect([data.length > 0, trailers['grpc-status'], trailers['grpc-message']]).toEqual([
    true,
    undefined,
    'OK',
  ])
})

test('intercept: an error resets only that stream', async () => {
  let isThrowing = true
  const server = await startTracked({
    intercept: (_stream, _headers, next) => {
      if (isThrowing) throw new Error('no')
      next()
    },
  })
  await expect(rawCall(server.address, path, body)).rejects.toThrow('INTERNAL_ERROR')
  isThrowing = false
  expect((await server.exchangeMessages('Ada')).messages).toEqual(['Hello, Ada!'])
})

test('delays responses', async () => {
  const server = await startTracked({ delayMs: 60 })
  const begun = performance.now()
  expect((await server.exchangeMessages('Ada', 'Grace')).messages).toHaveLength(2)
  expect(performance.now() - begun).toBeGreaterThan(110)
})
