import { afterEach, describe, expect, test, vi } from 'vitest'
import { startReceiver, targetOf, type ReceiverOptions, type ReceiverServer } from './receiver.ts'

let receiver: ReceiverServer
afterEach(() => {
  vi.useRealTimers()
  return receiver.close()
})
const start = async (options?: ReceiverOptions) => {
  receiver = await startReceiver(options)
}

interface DeliveryParts {
  token?: string | null
  event?: string | null
  body?: string | Uint8Array<ArrayBuffer>
  method?: string
  headers?: Record<string, string>
  at?: string
}
async function deliver({
  token = 'receiver-secret',
  event = 'Push Hook',
  body = '{"object_kind":"push"}',
  method = 'POST',
  headers = {},
  at = receiver.url,
}: DeliveryParts = {}) {
  const response = await fetch(at, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { 'x-hook-token': token }),
      ...(event === null ? {} : { 'x-hook-event': event }),
      ...headers,
    },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a receiver', () => {
  test('acknowledges, keeps and later processes a delivery', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    await start({ rules: { workMs: 40 } })
    const { status, text, headers } = await deliver({ headers: { 'x-extra': 'a' } })
    expect([status, text, headers.get('content-type')]).toEqual([
      200,
      '{"received":true}',
      'application/json',
    ])
    const [delivery] = receiver.deliveries()
    expect(delivery).toEqual({
      event: 'Push Hook',
      object_kind: 'push',
      received_at: expect.any(String),
      processed_at: null,
      bytes: 22,
      headers: expect.objectContaining({ 'x-extra': 'a' }),
      payload: { object_kind: 'push' },
    })
    expect(JSON.stringify(delivery)).not.toContain('receiver-secret')
    vi.advanceTimersByTime(40)
    await vi.waitFor(() => expect(receiver.deliveries()[0]?.processed_at).not.toBeNull(), {
      timeout: 60_000,
    })
    const listed = await fetch(new URL('/_touchstone/deliveries', receiver.url))
    expect(await listed.json()).toEqual({ deliveries: receiver.deliveries() })
  })

  test.each([
    null,
    '',
    'receiver-secre',
    'receiver-secret2',
    'xeceiver-secret',
    'RECEIVER-SECRET',
    'Bearer receiver-secret',
  ])('refuses the token %j', async (token) => {
    await start()
    expect((await deliver({ token })).status).toBe(401)
    // The token is checked before the body.
    expect((await deliver({ token, body: '{' })).status).toBe(401)
    expect((await deliver({ token, body: 'x'.repeat(3_000_000) })).status).toBe(401)
    expect(receiver.deliveries()).toEqual([])
  })

  test('accepts unknown events, fields and content types', async () => {
    await start()
    for (const one of [
      { event: 'Comet Hook' },
      { event: null },
      { body: '{"a":1}' },
      { body: '{"object_kind":7,"b":[null]}' },
      { headers: { 'content-type': 'text/plain' } },
      {},
      {},
    ] satisfies DeliveryParts[]) {
      expect((await deliver(one)).status).toBe(200)
    }
    expect(receiver.deliveries()).toHaveLength(7)
  })

  test.each(['{', '', '[]', 'null', '"push"', new Uint8Array([0x7b, 0xff, 0x7d])])(
    'refuses the body %j',
    async (body) => {
      await start()
      expect((await deliver({ body })).status).toBe(400)
      expect(receiver.deliveries()).toEqual([])
    },
  )

  test('accepts large bodies up to a limit, and does not keep their payloads', async () => {
    await start({ rules: { maxBodyBytes: 8_000_000, keptDeliveries: 3 } })
    const body = (bytes: number) => JSON.stringify({ object_kind: 'push', text: 'x'.repeat(bytes) })
    expect((await deliver({ body: body(6_000_000) })).status).toBe(200)
    expect(receiver.deliveries()[0]).toMatchObject({
      object_kind: 'push',
      payload: null,
      bytes: 6_000_032,
    })
    expect((await deliver({ body: body(8_000_000) })).status).toBe(413)
    for (let n = 0; n < 5; n += 1) await deliver({ body: `{"n":${n}}` })
    expect(receiver.deliveries().map(({ payload }) => payload)).toEqual([
      { n: 4 },
      { n: 3 },
      { n: 2 },
    ])
  })

  test('accepts only POST at its path', async () => {
    await start()
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await deliver({ method })
      expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    }
    for (const at of [new URL('/', receiver.url).href, `${receiver.url}/`, `${receiver.url}s`])
      expect((await deliver({ at })).status).toBe(404)
    expect((await deliver({ at: `${receiver.url}?a=b` })).status).toBe(200)
  })

  test('refuses deliveries if the queue is full', async () => {
    await start({ rules: { workMs: 60_000, queueLimit: 2 } })
    expect([(await deliver()).status, (await deliver()).status, (await deliver()).status]).toEqual([
      200, 200, 503,
    ])
  })

  test('returns its section of a target file', async () => {
    await start({ secret: 'sécret', path: '/in', choices: { onMismatch: 'drop' } })
    expect(targetOf(receiver)).toEqual({
      receiver: {
        url: receiver.url,
        secret: 'sécret',
        events: expect.arrayContaining(['push', 'release']),
        onMismatch: 'drop',
      },
    })
    await deliver({ token: Buffer.from('sécret').toString('latin1') })
    expect(receiver.deliveries()).toHaveLength(1)
  })
})

describe('a receiver with choices', () => {
  test('drops deliveries with a wrong token', async () => {
    await start({ choices: { onMismatch: 'drop', ackStatus: 202, ackBody: 'text' } })
    for (const body of ['{"a":1}', '{'])
      expect(await deliver({ token: 'x', body })).toMatchObject({ status: 202, text: 'ok' })
    expect(receiver.deliveries()).toEqual([])
  })

  test('refuses deliveries with the chosen statuses', async () => {
    await start({
      choices: {
        mismatchStatus: 422,
        malformed: 422,
        unknownEvent: 404,
        otherMethodStatus: 404,
        ackStatus: 204,
      },
    })
    const statuses = await Promise.all(
      (
        [
          { token: 'x' },
          { body: '{' },
          { event: 'Comet Hook' },
          { method: 'GET' },
          {},
          { event: 'Confidential Issue Hook' },
        ] satisfies DeliveryParts[]
      ).map((one) => deliver(one)),
    )
    expect(statuses.map(({ status }) => status)).toEqual([422, 422, 404, 404, 204, 204])
  })

  test('processes duplicates once, and accepts malformed bodies', async () => {
    await start({
      choices: { duplicates: 'process once', malformed: 'acknowledge', ackBody: 'empty' },
    })
    for (const key of ['a', 'a', 'b'])
      expect((await deliver({ headers: { 'idempotency-key': key } })).text).toBe('')
    expect((await deliver({ body: '{' })).status).toBe(200)
    expect(receiver.deliveries().map(({ payload }) => payload)).toEqual([
      null,
      { object_kind: 'push' },
      { object_kind: 'push' },
    ])
  })
})

test('middleware can replace the response', async () => {
  await start({
    around: async (call, next) =>
      call.headers['x-hook-event'] === 'Job Hook' ? { status: 500 } : next(),
    rules: { acceptsToken: () => true },
  })
  expect([
    (await deliver({ event: 'Job Hook' })).status,
    (await deliver({ token: 'any' })).status,
  ]).toEqual([500, 200])
})
