import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { decodeGreetingResponse, encodeGreetingRequest } from '../../../generated/greeting/index.ts'
import { startGreeting, targetOf, type GreetingChoices, type GreetingServer } from '../greeting.ts'
import {
  clientOf,
  framed,
  raw,
  talk,
  type GreetingClient,
  type Transcript,
} from './greeting.testing.ts'

const path = '/examples.GreetingService/BidirectionalGreeting'
const body = framed(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))
const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function started(
  choices: Partial<GreetingChoices>,
): Promise<{ server: GreetingServer; client: GreetingClient }> {
  const server = await startGreeting({ choices })
  const client = clientOf(server)
  opened.push(server, client)
  return { server, client }
}

const names = ['Ada', 'Grace', 'Łucja', 'Mary']
const hello = names.map((name) => `Hello, ${name}!`)

test.each<[GreetingChoices['pairing'], string[]]>([
  ['one', hello],
  ['two', hello.flatMap((text) => [text, text])],
  ['batched', ['Hello, Ada, Grace, Łucja!', 'Hello, Mary!']],
  ['after', hello],
  ['backwards', hello.toReversed()],
  ['together', ['Hello, Ada, Grace, Łucja, Mary!']],
  ['framed', ['Hello there!', ...hello, 'Hello there!']],
])('pairing %s', async (pairing, messages) => {
  const { server, client } = await started({ pairing })
  expect(await talk(client, names)).toMatchObject({ messages, status: { code: 0 } })
  expect(targetOf(server).greeting.relationship).toBe(pairing === 'one' ? 'one-to-one' : undefined)
  // However many come, not all of them are kept for later.
  expect(
    (
      await talk(
        client,
        Array.from({ length: 250 }, (_, index) => `N${index}`),
      )
    ).messages.join(),
  ).toContain('N249')
})

test.each<[GreetingChoices['wording'], string]>([
  ['bare', 'Ada'],
  ['shouted', 'HELLO, ADA!'],
  ['numbered', 'Hello, Ada! (request id-0)'],
  ['anonymous', 'Hello there!'],
])('wording %s', async (wording, message) => {
  expect((await talk((await started({ wording })).client, ['Ada'])).messages).toEqual([message])
})

test.each<[GreetingChoices['timestamp'], RegExp]>([
  ['iso', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['offset', /T\d\d:\d\d:\d\d\+01:00$/],
  ['nanos', /\.\d{9}Z$/],
  ['plain', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ['http', /^\w{3}, \d\d \w{3} \d{4} .* GMT$/],
  ['seconds', /^\d{10}$/],
  ['millis', /^\d{13}$/],
])('timestamp %s', async (timestamp, form) => {
  expect((await talk((await started({ timestamp })).client, ['Ada'])).times[0]).toMatch(form)
})

test.each<[Partial<GreetingChoices>, string[], number]>([
  [{ emptyName: 'refuse' }, ['Hello, Ada!'], 3],
  [{ emptyName: 'skip' }, ['Hello, Ada!', 'Hello, Bob!', 'Hello, Cyd!'], 0],
  [{ missingId: 'refuse', refusalStatus: 9 }, ['Hello, Ada!', 'Hello, stranger!'], 9],
  [{ missingId: 'skip' }, ['Hello, Ada!', 'Hello, stranger!', 'Hello, Cyd!'], 0],
  [{ repeatedId: 'refuse' }, ['Hello, Ada!', 'Hello, stranger!', 'Hello, Bob!'], 3],
  [{ repeatedId: 'skip' }, ['Hello, Ada!', 'Hello, stranger!', 'Hello, Bob!'], 0],
  [{ streamLimit: 2 }, ['Hello, Ada!', 'Hello, stranger!'], 8],
])('odd requests with %j', async (choices, messages, code) => {
  const odd = [
    { name: 'Ada', request_id: '1' },
    { request_id: '2' },
    { name: 'Bob' },
    { name: 'Cyd', request_id: '1' },
  ]
  expect(await talk((await started(choices)).client, odd)).toMatchObject({
    messages,
    status: { code },
  })
})

test('no requests at all, refused', async () => {
  expect(await talk((await started({ noRequests: 'refuse' })).client, [])).toMatchObject({
    messages: [],
    status: { code: 3 },
  })
})

test('bounds of size and of streams', async () => {
  const { client } = await started({ maxReceiveBytes: 1000 })
  expect((await talk(client, ['a'.repeat(900)])).status.code).toBe(0)
  expect((await talk(client, ['a'.repeat(1000)])).status.code).toBe(8)
  expect(
    (await talk((await started({ maxReceiveBytes: -1 })).client, ['a'.repeat(5_000_000)]))
      .messages[0],
  ).toHaveLength(5_000_008)
  const few = await started({ maxStreams: 2 })
  const all = await Promise.all(names.map((name) => talk(few.client, [name])))
  expect(all.flatMap(({ messages }) => messages)).toEqual(hello)
})

test('headers at once, or with the first response', async () => {
  const begins = async (headers: GreetingChoices['headers']) => {
    const call = (await started({ headers })).client.greet()
    const early = await Promise.race([
      new Promise((resolve) => call.once('metadata', () => resolve(true))),
      new Promise((resolve) => setTimeout(resolve, 100, false)),
    ])
    call.cancel()
    call.on('error', () => {})
    return early
  }
  expect([await begins('at once'), await begins('first response')]).toEqual([true, false])
})

test('metadata of its own, or of the caller', async () => {
  const beside = ({ headers, status }: Transcript) =>
    [headers, status.metadata].map((metadata) =>
      Object.fromEntries(
        Object.entries(metadata?.getMap() ?? {}).filter(([key]) => key.startsWith('x-')),
      ),
    )
  const sent = {
    'x-one': '1',
    'x-two-bin': Buffer.from([0, 255]) as never,
    'y-three': '3',
    'x-huge': 'a'.repeat(5000),
  }
  expect(beside(await talk((await started({ metadata: 'own' })).client, ['Ada'], sent))).toEqual([
    { 'x-served-by': 'touchstone' },
    { 'x-served-by': 'touchstone' },
  ])
  const { 'x-one': one, 'x-two-bin': two } = sent
  expect(beside(await talk((await started({ metadata: 'echo' })).client, ['Ada'], sent))).toEqual([
    { 'x-one': one, 'x-two-bin': two },
    { 'x-one': one, 'x-two-bin': two },
  ])
})

test('forms of headers and trailers', async () => {
  const { server } = await started({ contentType: 'application/grpc', okMessage: false })
  const { headers, trailers } = await raw(server.address, path, body)
  expect([headers['content-type'], trailers['grpc-status'], trailers['grpc-message']]).toEqual([
    'application/grpc',
    '0',
    undefined,
  ])
  expect((await raw(server.address, '/examples.Other/Method', body)).headers).toMatchObject({
    'content-type': 'application/grpc',
    'grpc-status': '12',
    'grpc-message': expect.stringContaining(''),
  })
})

test('compressed responses for those who take them, requests refused or taken', async () => {
  const { server, client } = await started({ gzipResponses: true, frames: 'split' })
  expect((await talk(client, names)).messages).toEqual(hello)
  const { headers, data } = await raw(server.address, path, body, {
    'grpc-accept-encoding': 'gzip',
  })
  expect([headers['grpc-encoding'], data[0]]).toEqual(['gzip', 1])
  expect(decodeGreetingResponse(gunzipSync(data.subarray(5))).message).toBe('Hello, Ada!')
  expect((await raw(server.address, path, body)).data[0]).toBe(0)

  const zipped = framed(gzipSync(body.subarray(5)), true)
  const refusing = await started({ gzipRequests: 'refuse' })
  expect(
    (await raw(refusing.server.address, path, zipped, { 'grpc-encoding': 'gzip' })).headers,
  ).toMatchObject({ 'grpc-status': '12', 'grpc-accept-encoding': 'identity' })
  expect((await talk(refusing.client, ['Ada'])).messages).toEqual(['Hello, Ada!'])
  expect(
    (await raw(server.address, path, zipped, { 'grpc-encoding': 'gzip' })).trailers['grpc-status'],
  ).toBe('0')
})

test.each(['split', 'bytes'] as const)(
  'what cannot be read ends a stream in the middle of a message, with frames in %s',
  async (frames) => {
    const { server } = await started({ frames, pairing: 'framed' })
    const { data, trailers } = await raw(
      server.address,
      path,
      framed(Buffer.from([0x0a, 0x64, 0x41])),
    )
    expect([data.length > 5, trailers['grpc-status']]).toEqual([true, '13'])
  },
)
