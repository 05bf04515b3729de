import { serve } from '@hono/node-server'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parseDelivery, type WebhookDelivery } from 'touchstone/events'
import { judge } from '../../conformance/judge.ts'
import { plan } from '../../conformance/suite.ts'
import { loadTarget } from '../../conformance/target.ts'
import { events } from '../../generated/events/contract.ts'
import { examples, exampleOf } from '../../generated/events/examples.ts'
import { receiver as expressReceiver } from './express.ts'
import { receiver as fetchReceiver } from './fetch.ts'
import { describe as describeDelivery, type Handle } from './handle.ts'
import { receiver as honoReceiver } from './hono.ts'
import { receiver as nodeReceiver } from './node-http.ts'

const token = 'delivery-secret'
// A server must not replace the global Response: other tests use it in the same process.
const loopback = { port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }
/** Starts each receiver. */
const receivers: Record<string, (handle: Handle) => Server> = {
  'node-http': (handle) => nodeReceiver(token, handle).listen(0, '127.0.0.1'),
  express: (handle) => expressReceiver(token, handle).listen(0, '127.0.0.1'),
  hono: (handle) => serve({ ...loopback, fetch: honoReceiver(token, handle).fetch }) as Server,
  fetch: (handle) => serve({ ...loopback, fetch: fetchReceiver(token, handle) }) as Server,
}

let server: Server
async function start(name: string, handle: Handle) {
  server = receivers[name]!(handle)
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return (headers: Record<string, string>, body: string, method = 'POST') =>
    fetch(`http://127.0.0.1:${port}/hook`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body }),
    })
}

const push = { 'X-Hook-Event': 'Push Hook', 'X-Hook-Token': token }
const text = exampleOf('push')!.text

describe.each(Object.keys(receivers))('the receiver with %s', (name) => {
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('handles every sample payload', async () => {
    const handled: WebhookDelivery[] = []
    const send = await start(name, (delivery) => handled.push(delivery))
    for (const example of examples) {
      const headers = { ...push, 'X-Hook-Event': events[example.event].header }
      expect((await send(headers, example.text)).status).toBe(204)
    }
    expect(handled.map(({ event }) => event)).toEqual(examples.map(({ event }) => event))
    expect(handled.map(({ payload }) => payload)).toEqual(examples.map(({ payload }) => payload))
  })

  it('refuses other requests, and acknowledges unknown events', async () => {
    const handled: WebhookDelivery[] = []
    const send = await start(name, (delivery) => handled.push(delivery))
    expect((await send({ ...push, 'X-Hook-Token': 'guess' }, text)).status).toBe(401)
    expect((await send({ 'X-Hook-Event': 'Push Hook' }, text)).status).toBe(401)
    expect((await send({ ...push, 'X-Hook-Event': 'Lunch Hook' }, text)).status).toBe(204)
    expect((await send({ ...push, 'X-Hook-Event': 'Job Hook' }, text)).status).toBe(400)
    expect((await send({ 'X-Hook-Token': token }, text)).status).toBe(400)
    const invalid = await send(push, '{"object_kind":"push"}')
    expect(invalid.status).toBe(400)
    expect(await invalid.text()).toContain('EVT-PUSH-')
    const unreadable = await send(push, '{')
    expect(unreadable.status).toBe(400)
    expect(await unreadable.text()).toContain('not JSON')
    expect((await send(push, '', 'GET')).status).toBeGreaterThanOrEqual(404)
    expect(handled).toEqual([])
  })

  it('conforms, by the verdicts of the suite', async () => {
    await start(name, () => {})
    const { port } = server.address() as AddressInfo
    const target = await loadTarget({
      text: JSON.stringify({
        receiver: { url: `http://127.0.0.1:${port}/hook`, secret: token },
      }),
    })
    const { verdicts, crashes } = await judge({ target, planned: await plan({}, ['receiver']) })
    expect(crashes).toEqual([])
    expect(verdicts.length).toBeGreaterThan(20)
    // Express and Hono return 404, not 405, to GET.
    const isExpected = ({ verdict, requirement }: (typeof verdicts)[number]) =>
      verdict === 'pass' || (verdict === 'not applicable' && requirement === 'EVT-RECEIVER-33')
    expect(verdicts.filter((one) => !isExpected(one))).toEqual([])
  })

  it('accepts a payload of one megabyte', async () => {
    const handled: WebhookDelivery[] = []
    const send = await start(name, (delivery) => handled.push(delivery))
    const large = { ...(JSON.parse(text) as object), extra: 'x'.repeat(1_000_000) }
    expect((await send(push, JSON.stringify(large))).status).toBe(204)
    expect(handled).toHaveLength(1)
  })
})

it.each(Object.keys(receivers))('the source of the receiver with %s is short', (name) => {
  const source = readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8')
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

it('describes each delivery in one line', () => {
  const lines = examples.map(({ event, text: body }) =>
    describeDelivery(parseDelivery({ 'X-Hook-Event': events[event].header }, body)),
  )
  expect(lines.filter((line) => line.includes('undefined') || line.includes('\n'))).toEqual([])
  expect(lines).toContain('job deploy-kiosks: failed')
})
