import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { processClock } from '../../engine/index.ts'
import { bare, endAll, ended, timeoutMs, send, started } from './receiver.testing.ts'

afterEach(endAll)

describe('a delivery', () => {
  it('contains path, query, headers and bytes as sent', async () => {
    const startedAt = processClock.now()
    const box = (await started()).openMailbox()
    const { status, text } = await send(box.url, {
      headers: [
        'X-Hook-TOKEN',
        'a',
        'x-hook-token',
        'b',
        'Content-Type',
        'application/json',
        'Content-Length',
        '9',
      ] as unknown as Record<string, string>,
      body: '{"é":1}\n',
    })
    expect([status, text]).toEqual([200, 'received\n'])
    const delivery = (await box.next(timeoutMs))!
    expect(delivery).toMatchObject({
      number: 1,
      operation: 'delivery',
      method: 'POST',
      url: box.pathAndQuery,
      isSecure: false,
      isComplete: true,
      failure: undefined,
      responseOutcome: 200,
      json: { é: 1 },
    })
    expect(delivery.url).toMatch(
      /^\/touchstone\/k[0-9a-f]{32}\/Hook%20caf%C3%A9\?run=k[0-9a-f]{32}&list=1&list=2&path=a%2Fb&words=un%20caf%C3%A9$/,
    )
    expect(delivery.headers.slice(0, 2)).toEqual([
      ['X-Hook-TOKEN', 'a'],
      ['x-hook-token', 'b'],
    ])
    expect([
      delivery.header('X-HOOK-token'),
      delivery.headersOf('x-hook-Token'),
      delivery.header('none'),
    ]).toEqual(['a', ['a', 'b'], undefined])
    expect(delivery.body.equals(Buffer.from('{"é":1}\n'))).toBe(true)
    expect(delivery.arrivedAt).toBeGreaterThanOrEqual(startedAt)
    expect(delivery.arrivedAt).toBeLessThanOrEqual(processClock.now())
    expect(delivery.summary).toBe(`POST ${box.pathAndQuery}  {"é":1}`)
  })

  it('may be chunked, encoded, empty, or not JSON', async () => {
    const box = (await started()).openMailbox()
    await send(box.url, { headers: { 'Transfer-Encoding': 'chunked' }, body: '[1]' })
    await send(box.url, { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('[2]') })
    await send(box.url, { method: 'GET' })
    await send(box.url, { body: Buffer.from([0x22, 0xff, 0x22]) })
    await send(box.url, { body: '{' })
    expect(
      box.deliveries.map(({ json, method, isComplete }) => [json, method, isComplete]),
    ).toEqual([
      [[1], 'POST', true],
      [[2], 'POST', true],
      [undefined, 'GET', true],
      [undefined, 'POST', true],
      [undefined, 'POST', true],
    ])
  })

  it('keeps secrets out of its record and its curl command', async () => {
    const receiver = await started({ secrets: { HOOK_SECRET: 's3cr3t-word' } })
    const box = receiver.openMailbox({
      response: { status: 201, body: 'thanks, s3cr3t-word', headers: { 'X-Odd': 's3cr3t-word' } },
    })
    await send(box.url, {
      headers: {
        'X-Hook-Token': 's3cr3t-word',
        'Content-Type': 'application/json',
        'X-Two': ['1', '2'],
      },
      body: '{"a":"it\'s"}',
    })
    const [delivery] = box.deliveries
    const record = delivery!.record()
    expect(JSON.stringify(record) + delivery!.summary).not.toContain('s3cr3t')
    expect(record).toMatchObject({
      number: 1,
      operation: 'delivery',
      request: {
        method: 'POST',
        url: box.url,
        headers: { 'X-Hook-Token': '$HOOK_SECRET', 'X-Two': '1, 2' },
        body: '{"a":"it\'s"}',
      },
      response: {
        status: 201,
        headers: [
          ['Content-Type', 'text/plain; charset=utf-8'],
          ['X-Odd', '$HOOK_SECRET'],
        ],
        body: 'thanks, $HOOK_SECRET',
      },
    })
    expect(record).not.toHaveProperty('failure')
    expect(record.curl).toBe(
      `curl -i -H "X-Hook-Token: $HOOK_SECRET" -H 'X-Two: 1, 2' -H 'Content-Type: application/json' -d '{"a":"it'\\''s"}' '${box.url}'`,
    )
  })

  it('has the kind that the receiver is configured with', async () => {
    const [plain, labelling] = [
      await started(),
      await started({ kindOf: (delivery) => delivery.header('x-hook-event') ?? 'none' }),
    ]
    for (const box of [plain.openMailbox(), labelling.openMailbox()]) {
      await send(box.url, { headers: { 'X-Hook-Event': 'Push Hook' } })
      expect(box.deliveries[0]!.kind).toBe(
        box.url.startsWith(labelling.baseUrl) ? 'Push Hook' : 'delivery',
      )
    }
  })

  it('has a command that reads the body from a file if it is binary, long or begins with @', async () => {
    const box = (await started()).openMailbox()
    for (const body of ['@file', Buffer.from([0xff]), 'x'.repeat(100_000), ''])
      await send(box.url, { body })
    const curls = box.deliveries.map((delivery) => delivery.record().curl)
    expect(curls.map((curl) => / --data-binary @exchange-\d\.body\b/.test(curl))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(curls.at(-1)).toBe(`curl -i -X POST '${box.url}'`)
    expect(box.deliveries[2]!.record().request.body).toMatch(/^x{65536}… \(100000 bytes\)$/)
  })

  it('says why its body is not JSON', async () => {
    const box = (await started()).openMailbox()
    const cases: readonly (readonly [body: string | Buffer, failure: string | undefined])[] = [
      ['{}', undefined],
      ['', 'the body is empty'],
      ['{"a":1', 'the body ends before the JSON is complete'],
      ['{"a":"b', 'the body ends before the JSON is complete'],
      ['{}{}', 'in the body, other text follows the JSON, at character 3'],
      ['{a}', 'the body is not valid JSON at character 2'],
      [Buffer.from([0x22, 0xff, 0x22]), 'the body is not UTF-8'],
    ]
    for (const [body] of cases) await send(box.url, { body })
    expect(box.deliveries.map(({ jsonFailure }) => jsonFailure)).toEqual(
      cases.map(([, failure]) => failure),
    )
  })

  it('is cut if it is too long, and still answered', async () => {
    const box = (await started({ maxBytes: 1000 })).openMailbox()
    expect((await send(box.url, { body: Buffer.alloc(3_000_000, 'x') })).status).toBe(200)
    const [delivery] = box.deliveries
    expect(delivery).toMatchObject({
      isComplete: false,
      responseOutcome: 200,
      failure: "only the first 1000 of the body's 3000000 bytes were kept",
    })
    expect(delivery!.body).toHaveLength(1000)
    await send(box.url, { body: 'x'.repeat(1000) })
    expect(box.deliveries[1]).toMatchObject({ isComplete: true })
  })

  it.each([
    ['broken off', 'Content-Length: 100\r\n\r\n{"a":1}', true],
    [
      'not properly chunked',
      'Transfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\nnonsense\r\n',
      false,
    ],
  ])('is incomplete if its body is %s', async (_, rest, leave) => {
    const receiver = await started()
    const box = receiver.openMailbox()
    const socket = bare(receiver, `POST ${box.pathAndQuery} HTTP/1.1\r\nHost: h\r\n${rest}`)
    if (leave) setTimeout(() => socket.destroy(), 50)
    const delivery = await box.next(timeoutMs)
    expect(delivery).toMatchObject({ isComplete: false, responseOutcome: undefined })
    expect(delivery!.failure).toMatch(/in the middle of the body, after 7 bytes/)
    expect(delivery!.record()).toMatchObject({
      failure: delivery!.failure,
      request: { body: '{"a":1}' },
    })
    await ended(socket)
  })

  it('needs no Host header', async () => {
    const receiver = await started()
    const box = receiver.openMailbox()
    bare(receiver, `POST ${box.pathAndQuery} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`)
    expect((await box.next(timeoutMs))?.responseOutcome).toBe(200)
  })
})
