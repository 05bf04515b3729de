import { Metadata } from '@grpc/grpc-js'
import { afterEach, expect, test } from 'vitest'
import { encodeGreetingRequest, encodeGreetingResponse } from '../../../generated/greeting/index.ts'
import { defaultRules, startGreeting, type GreetingOptions } from '../greeting.ts'
import { clientOf, framed, raw, talk, type Transcript } from './greeting.testing.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const path = '/examples.GreetingService/BidirectionalGreeting'
const body = framed(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))

async function started(options: GreetingOptions) {
  const server = await startGreeting(options)
  const client = clientOf(server)
  opened.push(server, client)
  return { ...server, talk: (...names: string[]): Promise<Transcript> => talk(client, names) }
}

test('around: responses are changed, left out, added and reordered', async () => {
  const server = await started({
    around: async (call, next) => {
      const kept: Parameters<typeof call.send>[0][] = []
      const { send } = call
      call.send = (response) => {
        kept.unshift(response)
        return undefined
      }
      const ending = await next()
      for (const response of [...kept.slice(1), { message: 'Bye!' }])
        await send.call(call, response)
      return ending
    },
  })
  expect(await server.talk('Ada', 'Grace', 'Mary')).toMatchObject({
    messages: ['Hello, Grace!', 'Hello, Ada!', 'Bye!'],
    times: [expect.any(String), expect.any(String), ''],
  })
})

test('around: requests are changed', async () => {
  const server = await started({
    around: (call, next) => {
      const { requests } = call
      call.requests = (async function* () {
        for await (const { name, request_id } of requests)
          yield { name: request_id, request_id: name }
      })()
      return next()
    },
  })
  expect((await server.talk('Ada', 'Grace')).messages).toEqual(['Hello, id-0!', 'Hello, id-1!'])
})

test('around: statuses, headers and trailers are changed, with responses and without', async () => {
  const trailers = new Metadata()
  trailers.set('x-after', '2')
  const server = await started({
    around: async (call, next) => {
      call.headers.set('x-before', '1')
      await next()
      return { code: 10, details: 'not today ✓', trailers }
    },
  })
  const { status, headers } = await server.talk('Ada')
  expect([
    status.code,
    status.details,
    status.metadata.get('x-after'),
    headers?.get('x-before'),
  ]).toEqual([10, 'not today ✓', ['2'], ['1']])
  expect((await server.talk()).status.code).toBe(10)
})

test('around: what it throws is status 13, and a stream may have no end', async () => {
  expect(
    (await (await started({ around: () => Promise.reject(new Error('secret')) })).talk('Ada'))
      .status,
  ).toMatchObject({ code: 13, details: 'Internal error' })
  const endless = await started({
    around: (_call, next) => next().then(() => new Promise(() => {})),
  })
  expect(
    await Promise.race([
      endless.talk('Ada'),
      new Promise((resolve) => setTimeout(resolve, 200, 'waits')),
    ]),
  ).toBe('waits')
})

test('bytes in the place of a response', async () => {
  const bytes = Buffer.from([0x0a, 0xff, 0xff])
  const server = await started({
    around: async (call) => {
      await call.send(bytes)
      return { code: 0 }
    },
  })
  expect((await raw(server.address, path, body)).data).toEqual(framed(bytes))
})

test('rules: replaced one by one', async () => {
  const server = await started({
    rules: {
      message: ([request], choices) => `${defaultRules.message([request!], choices)} Again?`,
      timestamp: () => 'soon',
      encode: ({ message, server_timestamp }) =>
        encodeGreetingResponse({
          message: server_timestamp ?? '',
          server_timestamp: message ?? '',
        }),
      decode: (bytes) =>
        bytes.length === 1 ? { name: 'nobody', request_id: '' } : defaultRules.decode(bytes),
    },
  })
  expect(await server.talk('Ada')).toMatchObject({
    messages: ['soon'],
    times: ['Hello, Ada! Again?'],
  })
  expect(
    (await raw(server.address, path, framed(Buffer.from([0xff])))).trailers['grpc-status'],
  ).toBe('0')
})

test('door: stands before every method, and may answer alone', async () => {
  const server = await started({
    door(stream, headers, next) {
      if (headers[':path'] === '/gone')
        return stream.respond({ ':status': 404 }, { endStream: true })
      if (headers[':path'] === '/other') headers[':path'] = path
      const sendTrailers = stream.sendTrailers.bind(stream)
      stream.sendTrailers = ({ 'grpc-status': _status, ...others }) => sendTrailers(others)
      next()
    },
  })
  expect((await raw(server.address, '/gone', body)).headers[':status']).toBe(404)
  const { trailers, data } = await raw(server.address, '/other', body)
  expect([data.length > 0, trailers['grpc-status'], trailers['grpc-message']]).toEqual([
    true,
    undefined,
    'OK',
  ])
})

test('door: what it throws resets the stream, and nothing else', async () => {
  let angry = true
  const server = await started({
    door: (_stream, _headers, next) => {
      if (angry) throw new Error('no')
      next()
    },
  })
  await expect(raw(server.address, path, body)).rejects.toThrow('INTERNAL_ERROR')
  angry = false
  expect((await server.talk('Ada')).messages).toEqual(['Hello, Ada!'])
})

test('responses are held back', async () => {
  const server = await started({ delayMs: 60 })
  const begun = performance.now()
  expect((await server.talk('Ada', 'Grace')).messages).toHaveLength(2)
  expect(performance.now() - begun).toBeGreaterThan(110)
})
