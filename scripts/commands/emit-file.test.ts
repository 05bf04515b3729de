import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { Receiver } from '../../conformance/wire/index.ts'
import { countExchanges } from '../../conformance/wire/mcp/exchange.ts'
import { exampleOf } from '../../generated/events/examples.ts'
import { headersOf, type Header } from '../../mocks/deliveries/headers.ts'
import { send } from '../../mocks/deliveries/send.ts'
import { commandOf } from './command.testing.ts'
import { tokenState } from './deliveries/headers.ts'
import { judgeDelivery } from './deliveries/judge.ts'
import { describe as describeEmitCommand } from './emit.ts'
import { bodyOf } from './listen/body.ts'
import { DeliveryFolder } from './listen/save.ts'

interface ReceivedRequest {
  at: number
  method: string
  headers: [string, string][]
  body: Buffer
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-emit-'))
afterAll(() => rmSync(folder, { recursive: true }))
const servers: Server[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/**
 * Starts a receiver that records requests, and responds with a status and a body. It holds its
 * responses until it has received `hold` requests, and then sends each of them after `afterMs`
 * milliseconds.
 */
async function receiver(status = 200, body = '', { afterMs = 0, hold = 0 } = {}) {
  const received: ReceivedRequest[] = []
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    const at = performance.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', rawHeaders: raw } = request
      const headers = Array.from({ length: raw.length / 2 }, (_, index): [string, string] => [
        raw[2 * index]!,
        raw[2 * index + 1]!,
      ])
      received.push({ at, method, headers, body: Buffer.concat(chunks) })
      held.push(() => response.writeHead(status).end(body))
      if (received.length >= hold)
        for (const respond of held.splice(0)) setTimeout(respond, afterMs)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

const emit = commandOf('emit', describeEmitCommand)
const headers = { 'Content-Type': 'application/json', 'X-Hook-Event': 'Push Hook' }
const payload = (ref: string) => ({ ...exampleOf('push')!.payload, ref })
const start = Date.parse('2026-01-01T12:00:00.000Z')

let folders = 0
/**
 * Writes deliveries as `listen --save` does, and returns their folder. `afterMs` is the time from
 * `start` until a delivery was received.
 */
function saved(...deliveries: { afterMs?: number; [member: string]: unknown }[]): string {
  const path = mkdtempSync(join(folder, `${(folders += 1)}-`))
  for (const [index, { afterMs, ...members }] of deliveries.entries()) {
    const receivedAt =
      afterMs === undefined ? {} : { receivedAt: new Date(start + afterMs).toISOString() }
    const delivery = { method: 'POST', url: '/', headers, body: {}, ...receivedAt, ...members }
    writeFileSync(join(path, `${index + 1}-push.json`), JSON.stringify(delivery))
  }
  return path
}

describe('touchstone emit --file', () => {
  test('sends the method, headers and body that listen has saved, with the secret', async () => {
    vi.stubEnv('RECEIVER_SECRET', 'hush-hush')
    const path = join(folder, 'listened')
    const listener = await Receiver.start({ nextNumber: countExchanges() })
    const mailbox = listener.openCatchAll()
    const saver = new DeliveryFolder(path, 'hush-hush')
    const own: Header[] = [
      ...headersOf({ event: 'push', token: 'hush-hush', userAgent: 'Forge/17.3' }),
      ['X-Request-Id', 'a-1'],
      ['X-Gate', 'perhaps a secret'],
    ]
    const sendTo = (body: string | Buffer, more: Header[] = [], method = 'POST') =>
      send({ url: mailbox.url, method, headers: [...own, ...more], body })
    const bytes = Buffer.from([0xff, 0x00, 0x7b])
    try {
      await sendTo(gzipSync(JSON.stringify(payload('main'))), [['Content-Encoding', 'gzip']])
      await sendTo('no "json"', [], 'PUT')
      await sendTo(bytes)
      for (const delivery of mailbox.deliveries) {
        const body = bodyOf(delivery)
        const token = tokenState(delivery.headers, 'hush-hush')
        saver.save(delivery, body, judgeDelivery({ headers: delivery.headers, body, token }))
      }
    } finally {
      await listener.close()
    }
    const { url, received } = await receiver()
    const { status, out } = await emit('--file', path, '--to', url)
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(
        /^3 deliveries to http\S+\nheaders not sent, because their values were not saved: X-Gate\n(✓ 200 .*\n){3}3 deliveries: 3 acknowledged\n$/,
      ),
    ])
    expect(received.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST'])
    expect(JSON.parse(received[0]!.body.toString())).toEqual(payload('main'))
    expect(received[1]!.body.toString()).toBe('no "json"')
    expect(received[2]!.body.equals(bytes)).toBe(true)
    expect(received[0]!.headers.filter(([name]) => !/^(host|conn|content-l)/i.test(name))).toEqual(
      own.slice(0, -1),
    )
  })

  test('without a secret, omits tokens that were not saved, and prints how to send them', async () => {
    const { url, received } = await receiver()
    const path = saved({ headers: { ...headers, 'X-Hook-Token': '$RECEIVER_SECRET' } })
    const { out } = await emit('--file', join(path, '1-push.json'), '--to', url)
    expect(out).toMatch(
      /\nheaders not sent, because their values were not saved: X-Hook-Token\nTo send a token, set RECEIVER_SECRET or use --token\.\n/,
    )
    expect(received[0]!.headers.map(([name]) => name)).not.toContain('X-Hook-Token')
    const json = await emit('--file', path, '--to', url, '--token', 'hush', '--json')
    expect(received[1]!.headers).toContainEqual(['X-Hook-Token', 'hush'])
    expect(JSON.parse(json.out.split('\n')[0]!)).toMatchObject({
      event: 'push',
      file: join(path, '1-push.json'),
      headersNotSent: [],
      status: 200,
    })
  })

  test('sends files in the order of their names, each after the previous response', async () => {
    const refs = Array.from({ length: 9 }, (_, index) => `ref-${index}`)
    const { url, received } = await receiver(200, '', { afterMs: 5 })
    const path = saved(...refs.map((ref) => ({ body: payload(ref), afterMs: 60_000 })))
    await emit('--file', path, '--repeat', '2', '--to', url)
    expect(
      received.map(({ body }) => (JSON.parse(body.toString()) as { ref: string }).ref),
    ).toEqual([...refs, ...refs])
    for (const [index, { at }] of received.slice(1).entries())
      expect(at - received[index]!.at).toBeGreaterThan(4)
  })

  test('keeps the original intervals, and does not wait for responses', async () => {
    const { url, received } = await receiver(200, '', { hold: 5 })
    const path = saved(
      ...[0, 40, 40, 41, 120].map((afterMs, index) => ({ body: payload(`${index}`), afterMs })),
    )
    const began = performance.now()
    const { out } = await emit('--file', path, '--pace', 'original', '--to', url)
    expect(out).toMatch(/^5 deliveries to .*\noriginal pace: 0\.1 s\n/)
    expect(
      received.map(({ body }) => (JSON.parse(body.toString()) as { ref: string }).ref),
    ).toEqual(['0', '1', '2', '3', '4'])
    expect(received[1]!.at - began).toBeGreaterThan(38)
    expect(received[4]!.at - began).toBeGreaterThan(118)
  })

  test('prints the body of a response that is not 2xx, with visible control characters', async () => {
    const { url } = await receiver(422, '{\n  "error": "no \u001b[2Jref"\n}\n')
    const { status, out } = await emit('--file', saved({ body: payload('main') }), '--to', url)
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(
        /\n✗ 422 {2}\S+1-push\.json .* ms\n {2}\| \{\n {2}\| {3}"error": "no ␛\[2Jref"\n {2}\| \}\n$/,
      ),
    ])
  })

  test('blames the URL only if no delivery was acknowledged there', async () => {
    const blame = 'Correct the URL in --to'
    const { url } = await receiver(404)
    const path = saved({}, {})
    expect((await emit('--file', path, '--to', url)).out).toContain(blame)
    expect(
      (await emit('--file', saved({ method: 'GET', body: '' }), '--to', url)).out,
    ).not.toContain(blame)
    let count = 0
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead((count += 1) === 1 ? 404 : 200).end()
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { status, out } = await emit('--file', path, '--to', `http://127.0.0.1:${port}/`)
    expect([status, out]).toEqual([1, expect.not.stringContaining(blame)])
  })

  test('reads arrays, lines, and payloads without headers', async () => {
    const { url, received } = await receiver()
    const path = join(folder, 'lines.ndjson')
    writeFileSync(
      path,
      [payload('a'), [payload('b'), { headers, body: payload('c') }]]
        .map((value) => JSON.stringify(value))
        .join('\n'),
    )
    const { out } = await emit('--file', path, '--to', url)
    expect(out.match(/lines\.ndjson\S+/g)).toEqual([
      'lines.ndjson:1',
      'lines.ndjson:2[0]',
      'lines.ndjson:2[1]',
    ])
    expect(received[0]!.headers).toContainEqual(['X-Hook-Event', 'Push Hook'])
    expect(received).toHaveLength(3)
  })

  test.each([
    [['push', '--file', '.'], 'remove the event push'],
    [['--file', '.', '--all'], '--all is for sample payloads'],
    [['--file', '.', '--pace', 'fast'], '--pace must be original or none'],
    [['--file', '.', '--pace', 'original', '--rate', '5'], 'remove --rate'],
    [['push', '--pace', 'none'], '--pace has an effect only together with --file'],
    [['--file', 'missing.json'], 'missing.json cannot be read: there is no such file'],
    [
      ['--file', 'FOLDER/1-push.json', '--pace', 'original'],
      'does not contain the time at which it was received',
    ],
    [['--file', 'FOLDER/broken.json'], 'broken.json:1 is not JSON'],
    [['--file', 'FOLDER/other.json'], 'other.json:1 is not a delivery'],
  ])('%j is a usage error, and nothing is sent', async (args, text) => {
    const { url, received } = await receiver()
    const path = saved({})
    writeFileSync(join(path, 'broken.json'), 'nonsense')
    writeFileSync(join(path, 'other.json'), '{"a": 1}')
    const real = args.map((word) => word.replace('FOLDER', path))
    expect(await emit(...real, '--to', url)).toMatchObject({
      status: 3,
      out: '',
      error: expect.stringContaining(text),
    })
    expect(received).toEqual([])
  })
})
