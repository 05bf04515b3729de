import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { generateCertificate } from '../../conformance/wire/index.ts'
import { exampleOf, examples, story } from '../../generated/events/examples.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeEmitCommand } from './emit.ts'

interface ReceivedDelivery {
  url: string
  headers: IncomingMessage['headers']
  body: {
    object_kind: string
    object_attributes: Record<string, unknown>
    before: string
  } & Record<string, unknown>
}

const servers: Server[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/**
 * Starts a receiver that records requests. `answer` returns the status of a response, or undefined
 * for no response.
 */
async function receiver(
  answer: (received: ReceivedDelivery, count: number) => number | undefined = () => 200,
  tls?: { key: string; cert: string },
): Promise<{ url: string; received: ReceivedDelivery[] }> {
  const received: ReceivedDelivery[] = []
  const onRequest = (request: IncomingMessage, response: import('node:http').ServerResponse) => {
    let text = ''
    request
      .on('data', (chunk) => {
        text += String(chunk)
      })
      .on('end', () => {
        const one = {
          url: request.url!,
          headers: request.headers,
          body: JSON.parse(text) as ReceivedDelivery['body'],
        }
        received.push(one)
        const status = answer(one, received.length)
        if (status !== undefined)
          response.writeHead(status).end(`said ${request.headers['x-hook-token']}`)
      })
  }
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest)
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b`,
    received,
  }
}

const emit = commandOf('emit', describeEmitCommand)
const linesOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('touchstone emit', () => {
  test('sends one delivery like a sender, and prints the response without the token', async () => {
    const { url, received } = await receiver()
    const { status, out } = await emit(
      'Pipeline Hook',
      '--action',
      'failed_tag',
      '--token',
      'hush-hush',
      '--to',
      url,
    )
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(
        /^1 delivery to http\S+\n✓ 200 {2}pipeline failed-tag {2,}\d+\.\d ms {2}said \$RECEIVER_SECRET\n$/,
      ),
    ])
    expect(received).toEqual([
      {
        url: '/hook?a=b',
        body: exampleOf('pipeline', 'failed-tag')!.payload,
        headers: expect.objectContaining({
          'x-hook-event': 'Pipeline Hook',
          'x-hook-token': 'hush-hush',
          'user-agent': expect.stringMatching(/^Touchstone\/\d/),
        }),
      },
    ])
  })

  test('reads the token from the environment, and sends a wrong one with --wrong-token', async () => {
    const { url, received } = await receiver(({ headers }) =>
      headers['x-hook-token'] === 'hush-hush' ? 200 : 401,
    )
    expect(await emit('push', '--to', url)).toMatchObject({
      status: 1,
      out: expect.stringContaining('export RECEIVER_SECRET=…'),
    })
    vi.stubEnv('RECEIVER_SECRET', 'hush-hush')
    expect((await emit('push', '--to', url)).status).toBe(0)
    expect(await emit('push', '--wrong-token', '--to', url)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/\n✓ 401 {2}push /),
    })
    expect(await emit('push', '--token', 'other', '--to', url)).toMatchObject({
      status: 1,
      out: expect.stringContaining('The receiver refuses the token'),
    })
    expect(received.map(({ headers }) => headers['x-hook-token'])).toEqual([
      undefined,
      'hush-hush',
      expect.stringMatching(/^(?!hush-hush).{9}$/),
      'other',
    ])
  })

  test('--wrong-token reports a receiver that does not compare the token', async () => {
    const { url } = await receiver((_, count) => (count === 1 ? 401 : 200))
    const { status, out } = await emit('release', '--all', '--wrong-token', '--to', url)
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(
        /✓ 401 .*\n✗ 200 [^]*: 1 refused, \d+ not\nThe receiver acknowledged a delivery with a wrong token/,
      ),
    ])
  })

  test('sets values of the payload, and generates others from a seed that each repetition increases', async () => {
    const { url, received } = await receiver()
    await emit(
      'issue',
      '--set',
      'object_attributes.action=close',
      '--set',
      'object_attributes.labels[0].title="a=b"',
      '--to',
      url,
    )
    expect(received[0]!.body.object_attributes).toMatchObject({
      action: 'close',
      labels: [{ title: 'a=b' }, expect.anything()],
    })
    await emit('push', '--seed', '7', '--repeat', '3', '--to', url)
    await emit('push', '--seed', '8', '--to', url)
    const [first, second, third, again] = received
      .slice(1)
      .map(({ body }) => body.before)
      .sort()
    expect(new Set([first, second, third, again]).size).toBe(3)
  })

  test('sends a story in order, and prints its sentences', async () => {
    const { url, received } = await receiver()
    const { status, out } = await emit('--story', '--to', url)
    expect([status, received.length]).toEqual([0, story.deliveries.length])
    expect(received.map(({ body }) => body)).toEqual(
      story.deliveries.map(({ event, example }) => exampleOf(event, example)!.payload),
    )
    expect(out).toContain(
      '09:02  Amina opens issue 12: dates after midnight are wrong.\n       ✓ 200  issue open  ',
    )
    expect(out).toMatch(/\n50 deliveries: 50 acknowledged\n$/)
  })

  test('sends every payload, or every payload of an event', async () => {
    const { url, received } = await receiver()
    expect(linesOf((await emit('--all', '--to', url, '--json')).out).at(-1)).toMatchObject({
      summary: {
        deliveries: examples.length,
        acknowledged: examples.length,
        responses: { 200: examples.length },
        exit: 0,
      },
    })
    await emit('release', '--all', '--to', url)
    expect(new Set(received.slice(examples.length).map(({ body }) => body.object_kind))).toEqual(
      new Set(['release']),
    )
  })

  test('the printed pace is at most that of --rate', async () => {
    const { url } = await receiver(() => 204)
    const { out } = await emit('push', '--repeat', '4', '--rate', '20', '--to', url)
    const [, seconds, rate] = /4 deliveries in ([\d.]+) s, ([\d.]+) per second/.exec(out) ?? []
    expect(Number(seconds)).toBeGreaterThan(0)
    expect(Number(rate)).toBeGreaterThan(0)
    expect(Number(rate)).toBeLessThanOrEqual(20)
  })

  test('repeats a delivery, and prints the totals and the first failures', async () => {
    const { url, received } = await receiver((_, count) => (count % 10 === 0 ? 503 : 204))
    const { status, out } = await emit('push', '--repeat', '100', '--to', url)
    expect([status, received.length]).toEqual([1, 100])
    expect(out.match(/✗ 503/g)).toHaveLength(5)
    expect(out).toMatch(
      /\n100 deliveries in \d+\.\d s, \d+ per second: 90 acknowledged, 10 not\nresponses {2}204 × 90, 503 × 10\ntimes {6}median [\d.]+ ms, 95th percentile [\d.]+ ms, longest [\d.]+ ms\n$/,
    )
  })

  test('sends no faster than --rate', async () => {
    const { url } = await receiver()
    const began = performance.now()
    await emit('push', '--repeat', '21', '--rate', '100', '--to', url)
    expect(performance.now() - began).toBeGreaterThan(195)
  })

  test('prints the summary when it is interrupted', async () => {
    const { url, received } = await receiver((_, count) => {
      if (count === 5) process.emit('SIGINT')
      return count > 5 ? undefined : 200
    })
    const { status, out } = await emit(
      'push',
      '--repeat',
      '1000000',
      '--rate',
      '50',
      '--to',
      url,
      '--json',
    )
    expect([status, received.length < 20]).toEqual([130, true])
    const [{ summary }] = linesOf(out) as [{ summary: { deliveries: number } }]
    expect([4, 5]).toContain(summary.deliveries)
    expect(process.listenerCount('SIGINT')).toBe(0)
  })

  test('prints why there was no response, and what to try', async () => {
    const { url } = await receiver(() => undefined)
    expect(await emit('push', '--to', url, '--timeout', '60ms')).toMatchObject({
      status: 1,
      out: expect.stringMatching(/✗ timeout {2}push .*\n.*--timeout 30s/),
    })
    expect(await emit('push', '--to', 'http://127.0.0.1:1/')).toMatchObject({
      status: 1,
      out: expect.stringMatching(/✗ unreachable .*\n.*touchstone listen/),
    })
    const secure = await receiver(() => 200, await generateCertificate())
    expect(await emit('push', '--to', secure.url)).toMatchObject({
      status: 1,
      out: expect.stringMatching(/✗ tls .*\n[^]*NODE_EXTRA_CA_CERTS[^]*--insecure/),
    })
    expect(secure.received).toEqual([])
    expect((await emit('push', '--to', secure.url, '--insecure')).status).toBe(0)
  })

  test('prints payloads, and sends nothing', async () => {
    const { out } = await emit(
      'wiki_page',
      '--action',
      'delete',
      '--print',
      '--set',
      'object_attributes.title=Ü',
    )
    expect(out).toMatch(/^\{\n {2}"object_kind": "wiki_page",\n/)
    expect(JSON.parse(out)).toMatchObject({ object_attributes: { action: 'delete', title: 'Ü' } })
    expect(linesOf((await emit('--all', '--print')).out)).toEqual(
      examples.map(({ payload }) => payload).sort(byKind),
    )
  })

  test.each(['issues', 'Issue Hook', 'issues_events', 'IssueEvent'])(
    'finds an event by the name %s, as the hooks mock does',
    async (name) => {
      const { out } = await emit(name, '--print')
      expect(JSON.parse(out)).toMatchObject({ object_kind: 'issue' })
    },
  )

  test.each(['confidential_issue', 'confidential_issues_events'])(
    'prints a confidential issue for the name %s',
    async (name) => {
      const { out } = await emit(name, '--print', '--set', 'object_attributes.title=T')
      expect(JSON.parse(out)).toMatchObject({
        object_kind: 'issue',
        object_attributes: { confidential: true, title: 'T' },
      })
    },
  )

  test('lists the events and their payloads', async () => {
    expect((await emit('--list')).out).toMatch(
      /^push {11}Push Hook, push_events\n {15}.*many-commits.*\n[^]*--story {8}\S/,
    )
    expect(linesOf((await emit('issue', '--list', '--json')).out)[0]).toMatchObject({
      events: [
        { event: 'issue', flag: 'issues_events', actions: expect.arrayContaining(['reopen']) },
      ],
    })
  })

  test.each([
    [[], 'no event. Example'],
    [['pusch', '--to', 'http://h/'], 'Did you mean push?'],
    [['merge', '--to', 'http://h/'], 'Did you mean merge_request?'],
    [['star', '--to', 'http://h/'], 'there is no event named star. Known: push,'],
    [['pushh', '--to', 'http://h/'], ', confidential_issue'],
    [['issue', '--action', 'clos', '--to', 'http://h/'], 'Did you mean close?'],
    [['push'], '--to is missing'],
    [['push', '--to', '127.0.0.1:1'], 'must begin with http://'],
    [['push', '--set', 'a.b=1', '--to', 'http://h/'], 'a does not exist'],
    [
      ['push', '--repeat', '0', '--to', 'http://h/'],
      '--repeat must be a whole number, 1 or more, not 0',
    ],
    [['--all', '--repeat', '1000000', '--to', 'http://h/'], 'the maximum is'],
    [['push', '--rate', '0', '--to', 'http://h/'], '--rate must be'],
    [['push', '--story', '--to', 'http://h/'], '--story sends a fixed sequence'],
    [['push', '--timeout', '5', '--to', 'http://h/'], 'a duration with its unit'],
    [['push', '--token', 'a\nb', '--to', 'http://h/'], 'a valid header value'],
    [['push', '--token', '', '--to', 'http://h/'], '--token has no value'],
    [['push', '--seed', 'x', '--print'], '--seed must be'],
    [['issue', '--all', '--action', 'open', '--to', 'http://h/'], 'remove one of the two'],
  ])('%j is a usage error', async (args, text) => {
    expect(await emit(...args)).toMatchObject({
      status: 3,
      out: '',
      error: expect.stringContaining(text),
    })
  })
})

/** Sorts in the order of events in the document. */
function byKind(one: { object_kind?: unknown }, other: { object_kind?: unknown }): number {
  const order = [
    'push',
    'tag_push',
    'issue',
    'merge_request',
    'pipeline',
    'build',
    'deployment',
    'wiki_page',
    'release',
  ]
  return order.indexOf(String(one.object_kind)) - order.indexOf(String(other.object_kind))
}
