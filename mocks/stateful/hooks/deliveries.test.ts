import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, test } from 'vitest'
import { eventOf, events, flags } from '../../deliveries/events.ts'
import { startFixture, waitUntil, type HooksFixture } from './hooks.testing.ts'

const tracked: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of tracked.splice(0)) await one.close()
})

async function startTracked(...options: Parameters<typeof startFixture>): Promise<HooksFixture> {
  const fixture = await startFixture(...options)
  tracked.push(fixture)
  return fixture
}

async function listenTracked<S extends Server & { closeAllConnections(): void }>(
  server: S,
): Promise<number> {
  tracked.push({
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  return (server.address() as AddressInfo).port
}

describe('a test call', () => {
  test.each(flags)('%s delivers a realistic event, whatever the flags are', async (flag) => {
    const fixture = await startTracked()
    const id = await fixture.hook({ push_events: false })
    const { status, body } = await fixture.test(id, flag)
    expect([status, body]).toEqual([201, { message: '201 Created' }])
    const [delivery] = await fixture.delivered(1)
    const { header, objectKind } = events[eventOf(flag)!]
    expect(delivery).toMatchObject({
      event: header,
      object_kind: objectKind,
      headers: {
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^Touchstone\/\S+$/),
      },
    })
    const { project, project_id } = delivery!.payload as {
      project?: { id: number }
      project_id?: number
    }
    expect(project?.id ?? project_id).toBe(42)
  })

  test('for an unknown event is refused', async () => {
    const fixture = await startTracked()
    const id = await fixture.hook()
    for (const event of ['push', 'enable_ssl_verification', '__proto__', 'push_events%2F'])
      expect((await fixture.test(id, event)).status).toBe(404)
    expect(await fixture.events(id)).toEqual([])
  })

  test('delivers new ids each time', async () => {
    const fixture = await startTracked()
    const id = await fixture.hook()
    for (let n = 0; n < 3; n += 1) await fixture.test(id, 'pipeline_events')
    const ids = (await fixture.delivered(3)).map(
      ({ payload }) => (payload as { object_attributes: { id: number } }).object_attributes.id,
    )
    expect(new Set(ids).size).toBe(3)
  })

  test('responds at once, however slow the receiver is', async () => {
    const fixture = await startTracked({ rules: { deliveryTimeoutMs: 600_000 } })
    const requests: IncomingMessage[] = []
    const port = await listenTracked(createServer((request) => requests.push(request)))
    const id = await fixture.hook({ url: `http://127.0.0.1:${port}/` })
    expect((await fixture.test(id)).status).toBe(201)
    await waitUntil(async () => requests.length === 1, 'a request')
    expect(await fixture.events(id)).toEqual([])
  })
})

describe('deliveries', () => {
  test('contain a token only if one is set, and are recorded without it', async () => {
    const fixture = await startTracked({}, { secret: '' })
    const [without, empty] = [
      await fixture.hook({ token: undefined }),
      await fixture.hook({ token: '' }),
    ]
    for (const id of [without, empty]) await fixture.test(id)
    const secret = createServer((request, response) => {
      response.writeHead(request.headers['x-hook-token'] === 'the-secret' ? 299 : 400).end('noted')
    })
    const id = await fixture.hook({
      url: `http://127.0.0.1:${await listenTracked(secret)}/a?b=c`,
      token: 'the-secret',
    })
    await fixture.test(id)
    await waitUntil(async () => (await fixture.events(id)).length === 1, 'an event')
    expect(await fixture.events(id)).toEqual([
      {
        id: expect.any(String),
        trigger: 'push_events',
        event: 'push',
        url: expect.stringContaining('/a?b=c'),
        created_at: expect.any(String),
        attempt: 1,
        request_headers: {
          'Content-Type': 'application/json',
          'User-Agent': expect.any(String),
          'X-Hook-Event': 'Push Hook',
        },
        response_status: 299,
        response_headers: expect.any(Object),
        response_body: 'noted',
        duration: expect.any(Number),
        error: null,
      },
    ])
    for (const one of await fixture.delivered(2))
      expect(one.headers).not.toHaveProperty('x-hook-token')
    expect((await fixture.call('GET', `/${id}/events`)).text).not.toContain('the-secret')
  })

  test('are sent to the url without normalising it', async () => {
    const fixture = await startTracked()
    const urls: (string | undefined)[] = []
    const port = await listenTracked(
      createServer((request, response) => {
        urls.push(request.url)
        response.end()
      }),
    )
    await fixture.test(
      await fixture.hook({ url: `http://127.0.0.1:${port}/a/%7Eb/../c?x=1&x=%20&y` }),
    )
    await waitUntil(() => urls.length === 1, 'a delivery')
    expect(urls).toEqual(['/a/%7Eb/../c?x=1&x=%20&y'])
  })

  test('verify the certificate if the hook requires it', async () => {
    const fixture = await startTracked()
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
    })
    let requests = 0
    const url = `https://127.0.0.1:${await listenTracked(
      createTlsServer({ key, cert }, (_request, response) => {
        requests += 1
        response.end()
      }),
    )}/`
    const [verifying, unverified] = [
      await fixture.hook({ url }),
      await fixture.hook({ url, enable_ssl_verification: false }),
    ]
    await fixture.test(verifying)
    await waitUntil(async () => (await fixture.events(verifying)).length === 1, 'an event')
    expect([(await fixture.events(verifying))[0], requests]).toEqual([
      expect.objectContaining({ response_status: null, error: expect.stringMatching(/^tls: /) }),
      0,
    ])
    await fixture.test(unverified)
    await waitUntil(() => requests === 1, 'a request')
  })

  test('wait only for their own receiver', async () => {
    const fixture = await startTracked({
      rules: { concurrency: 4, queueLimit: 10, recentLimit: 5 },
    })
    const heldResponses: ServerResponse[] = []
    const slow = await fixture.hook({
      url: `http://127.0.0.1:${await listenTracked(
        createServer((_request, response) => {
          heldResponses.push(response)
        }),
      )}/`,
    })
    const responses = await Promise.all(Array.from({ length: 20 }, () => fixture.test(slow)))
    // Four deliveries are being sent and ten wait. The other six are refused and recorded.
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(14).fill(201),
      ...Array<number>(6).fill(429),
    ])
    expect(await fixture.events(slow)).toEqual(
      Array(5).fill(
        expect.objectContaining({
          response_status: null,
          error: expect.stringContaining('waiting'),
        }),
      ),
    )
    const fast = await fixture.hook()
    for (let n = 0; n < 20; n += 1) await fixture.test(fast)
    await fixture.delivered(20)
    expect(heldResponses).toHaveLength(4)
    heldResponses[0]!.end()
    await waitUntil(() => heldResponses.length === 5, 'the next delivery')
  })

  test('are cancelled by the timeout, and when the service closes', async () => {
    const fixture = await startTracked({ rules: { deliveryTimeoutMs: 40 } })
    const port = await listenTracked(createServer(() => {}))
    const id = await fixture.hook({ url: `http://127.0.0.1:${port}/` })
    await fixture.test(id)
    await waitUntil(async () => (await fixture.events(id)).length === 1, 'an event')
    expect((await fixture.events(id))[0]).toMatchObject({
      response_status: null,
      error: expect.stringMatching(/^timeout: /),
    })
    // More than the time limit of the test.
    fixture.server.context.rules.deliveryTimeoutMs = 3_600_000
    await fixture.test(id)
    await fixture.server.close()
  })

  test('can be changed or suppressed by beforeDelivery, and API calls can be changed by middleware', async () => {
    const fixture = await startTracked({
      beforeDelivery: (delivery) => {
        if (delivery.trigger === 'job_events') return undefined
        if (delivery.trigger === 'issues_events') throw new Error('broken hook function')
        delivery.headers = delivery.headers.map(([name, value]) => [
          name,
          name === 'X-Hook-Event' ? 'Pull Hook' : value,
        ])
        return {
          ...delivery,
          body: { ...delivery.body, object_kind: 'pull', of: delivery.hook.id },
        }
      },
      around: async (call, next) => (call.operation === 'listHooks' ? { status: 418 } : next()),
    })
    const id = await fixture.hook()
    for (const event of ['job_events', 'issues_events', 'push_events'])
      await fixture.test(id, event)
    const [delivery] = await fixture.delivered(1)
    expect([delivery?.event, delivery?.payload]).toEqual([
      'Pull Hook',
      expect.objectContaining({ object_kind: 'pull', of: id }),
    ])
    await waitUntil(async () => (await fixture.events(id)).length === 3, 'three events')
    const errors = new Map((await fixture.events(id)).map(({ trigger, error }) => [trigger, error]))
    expect([errors.get('job_events'), errors.get('issues_events')]).toEqual([
      expect.stringContaining('suppressed'),
      expect.stringContaining('broken hook function'),
    ])
    expect((await fixture.call('GET', '')).status).toBe(418)
  })
})
