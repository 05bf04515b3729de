import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { decodeGreetingResponse, encodeGreetingRequest } from '../../../generated/greeting/index.ts'
import { startGreeting, targetOf, type GreetingChoices, type GreetingServer } from '../greeting.ts'
import {
  clientOf,
  frameMessage,
  rawCall,
  greetAll,
  type TestGreetingClient,
  type Transcript,
} from './greeting.testing.ts'

const path = '/examples.GreetingService/BidirectionalGreeting'
const body = frameMessage(encodeGreetingRequest({ name: 'Ada', request_id: '1' }))
const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function startTracked(
  choices: Partial<GreetingChoices>,
): Promise<{ server: GreetingServer; client: TestGreetingClient }> {
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
])('with the pairing "%s", all requests are answered', async (pairing, messages) => {
  const { server, client } = await startTracked({ pairing })
  expect(await greetAll(client, names)).toMatchObject({ messages, status: { code: 0 } })
  expect(targetOf(server).greeting.relationship).toBe(pairing === 'one' ? 'one-to-one' : undefined)
  // The server holds only a limited number of requests before it responds. Still, it must answer
  // all of these 250 requests.
  expect(
    (
      await greetAll(
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
])('with the wording "%s", the message is "%s"', async (wording, message) => {
  expect((await greetAll((await startTracked({ wording })).client, ['Ada'])).messages).toEqual([
    message,
  ])
})

test.each<[GreetingChoices['timestamp'], RegExp]>([
  ['iso', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['offset', /T\d\d:\d\d:\d\d\+01:00$/],
  ['nanos', /\.\d{9}Z$/],
  ['plain', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ['http', /^\w{3}, \d\d \w{3} \d{4} .* GMT$/],
  ['seconds', /^\d{10}$/],
  ['millis', /^\d{13}$/],
])('with the timestamp "%s", the timestamp has the format %s', async (timestamp, form) => {
  expect((await greetAll((await startTracked({ timestamp })).client, ['Ada'])).times[0]).toMatch(
    form,
  )
})

test.each<[Partial<GreetingChoices>, string[], number]>([
  [{ emptyName: 'refuse' }, ['Hello, Ada!'], 3],
  [{ emptyName: 'skip' }, ['Hello, Ada!', 'Hello, Bob!', 'Hello, Cyd!'], 0],
  [{ missingId: 'refuse', refusalStatus: 9 }, ['Hello, Ada!', 'Hello, stranger!'], 9],
  [{ missingId: 'skip' }, ['Hello, Ada!', 'Hello, stranger!', 'Hello, Cyd!'], 0],
  [{ repeatedId: 'refuse' }, ['Hello, Ada!', 'Hello, stranger!', 'Hello, Bob!'], 3],
  [{ repeatedId: 'skip' }, ['Hello, Ada!', 'Hello, stranger!', 'Hello, Bob!'], 0],
  [{ streamLimit: 2 }, ['Hello, Ada!', 'Hello, stranger!'], 8],
])(
  'with the choices %j, unusual requests get the messages %j and the status %i',
  async (choices, messages, code) => {
    const unusual = [
      { name: 'Ada', request_id: '1' },
      { request_id: '2' },
      { name: 'Bob' },
      { name: 'Cyd', request_id: '1' },
    ]
    expect(await greetAll((await startTracked(choices)).client, unusual)).toMatchObject({
      messages,
      status: { code },
    })
  },
)

test('refuses a stream without requests', async () => {
  expect(await greetAll((await startTracked({ noRequests: 'refuse' })).client, [])).toMatchObject({
    messages: [],
    status: { code: 3 },
  })
})

test('the size of requests and the number of concurrent streams can be limited', async () => {
  const { client } = await startTracked({ maxReceiveBytes: 1000 })
  expect((await greetAll(client, ['a'.repeat(900)])).status.code).toBe(0)
  expect((await greetAll(client, ['a'.repeat(1000)])).status.code).toBe(8)
  expect(
    (await greetAll((await startTracked({ maxReceiveBytes: -1 })).client, ['a'.repeat(5_000_000)]))
      .messages[0],
  ).toHaveLength(5_000_008)
  const few = await startTracked({ maxStreams: 2 })
  const all = await Promise.all(names.map((name) => greetAll(few.client, [name])))
  expect(all.flatMap(({ messages }) => messages)).toEqual(hello)
})

test('sends headers at once, or with the first response', async () => {
  const sendsHeadersEarly = async (headers: GreetingChoices['headers']) => {
    const call = (await startTracked({ headers })).client.greet()
    const metadata = new Promise((resolve) => call.once('metadata', () => resolve(true)))
    const early = await (headers === 'at once'
      ? metadata
      : Promise.race([metadata, sleep(100, false)]))
    call.cancel()
    call.on('error', () => {})
    return early
  }
  expect([await sendsHeadersEarly('at once'), await sendsHeadersEarly('first response')]).toEqual([
    true,
    false,
  ])
})

test('sends its own metadata, or that of the caller', async () => {
  const extraMetadata = ({ headers, status }: Transcript) =>
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
  expect(
    extraMetadata(await greetAll((await startTracked({ metadata: 'own' })).client, ['Ada'], sent)),
  ).toEqual([{ 'x-served-by': 'touchstone' }, { 'x-served-by': 'touchstone' }])
  const { 'x-one': one, 'x-two-bin': two } = sent
  expect(
    extraMetadata(await greetAll((await startTracked({ metadata: 'echo' })).client, ['Ada'], sent)),
  ).toEqual([
    { 'x-one': one, 'x-two-bin': two },
    { 'x-one': one, 'x-two-bin': two },
  ])
})

test('sends the chosen content type, and can omit the message of status OK', async () => {
  const { server } = await startTracked({ contentType: 'application/grpc', okMessage: false })
  const { headers, trailers } = await rawCall(server.address, path, body)
  expect([headers['content-type'], trailers['grpc-status'], trailers['grpc-message']]).toEqual([
    'application/grpc',
    '0',
    undefined,
  ])
  expect((await rawCall(server.address, '/examples.Other/Method', body)).headers).toMatchObject({
    'content-type': 'application/grpc',
    'grpc-status': '12',
    'grpc-message': expect.stringContaining(''),
  })
})

test('compresses responses for clients that accept it, and accepts or refuses compressed requests', async () => {
  const { server, client } = await startTracked({ gzipResponses: true, frames: 'split' })
  expect((await greetAll(client, names)).messages).toEqual(hello)
  const { headers, data } = await rawCall(server.address, path, body, {
    'grpc-accept-encoding': 'gzip',
  })
  expect([headers['grpc-encoding'], data[0]]).toEqual(['gzip', 1])
  expect(decodeGreetingResponse(gunzipSync(data.subarray(5))).message).toBe('Hello, Ada!')
  expect((await rawCall(server.address, path, body)).data[0]).toBe(0)

  const zipped = frameMessage(gzipSync(body.subarray(5)), true)
  const refusing = await startTracked({ gzipRequests: 'refuse' })
  expect(
    (await rawCall(refusing.server.address, path, zipped, { 'grpc-encoding': 'gzip' })).headers,
  ).toMatchObject({ 'grpc-status': '12', 'grpc-accept-encoding': 'identity' })
  expect((await greetAll(refusing.client, ['Ada'])).messages).toEqual(['Hello, Ada!'])
  expect(
    (await rawCall(server.address, path, zipped, { 'grpc-encoding': 'gzip' })).trailers[
      'grpc-status'
    ],
  ).toBe('0')
})

test.each(['split', 'bytes'] as const)(
  'with the frames "%s", an undecodable request ends the stream after the current message',
  async (frames) => {
    const { server } = await startTracked({ frames, pairing: 'framed' })
    const { data, trailers } = await rawCall(
      server.address,
      path,
      frameMessage(Buffer.from([0x0a, 0x64, 0x41])),
    )
    expect([data.length > 5, trailers['grpc-status']]).toEqual([true, '13'])
  },
)
