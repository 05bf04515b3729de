import { once } from 'node:events'
import { connect, type ClientHttp2Stream } from 'node:http2'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RequestEntry } from '../../serving/log.ts'
import { startGreeting } from '../greeting.ts'
import { encodeGreetingRequest } from '../../../generated/greeting/index.ts'
import { clientOf, frameMessage, greetAll } from './greeting.testing.ts'

test('logs one line for each stream, with its gRPC status', async () => {
  const entries: RequestEntry[] = []
  let onEntry = () => {}
  const logged = (count: number) =>
    new Promise<void>((resolve) => {
      onEntry = () => {
        if (entries.length === count) resolve()
      }
      onEntry()
    })
  const server = await startGreeting({
    token: 'hush',
    serving: {
      onRequest(entry) {
        entries.push(entry)
        onEntry()
      },
    },
  })
  const client = clientOf(server)
  onTestFinished(async () => {
    client.close()
    await server.close()
  })
  await greetAll(client, ['Ada', 'Grace'], { authorization: 'Bearer hush' })
  await greetAll(client, ['Ada'])
  await logged(2)
  const common = {
    server: 'greeting',
    method: 'POST',
    path: '/examples.GreetingService/BidirectionalGreeting',
    status: 200,
  }
  expect(entries).toMatchObject([
    { ...common, grpc: 'OK' },
    { ...common, grpc: 'UNAUTHENTICATED', reason: expect.stringMatching(/./) as string },
  ])
  expect(entries[0]).not.toHaveProperty('reason')
  expect(JSON.stringify(entries)).not.toContain('hush')
})

const greeting = '/examples.GreetingService/BidirectionalGreeting'
const reflection = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
const requests = {
  [greeting]: encodeGreetingRequest({ name: 'Ada', request_id: '1' }) as Buffer,
  // The request `list_services`.
  [reflection]: Buffer.from([0x3a, 0]),
}

/** How clients end a stream whose response they have received. */
const ends = {
  'closes its side': (stream) => stream.end(),
  'cancels the stream': (stream) => stream.close(8),
  'closes the stream without an error': (stream) => stream.close(0),
  'closes the connection': (stream) => stream.session!.destroy(),
} satisfies Record<string, (stream: ClientHttp2Stream) => void>

describe.each([greeting, reflection] as const)('%s', (path) => {
  test.each(Object.entries(ends))(
    'does not fail if a client %s after the response',
    async (how, end) => {
      const { address, entries } = await startLogged()
      const session = connect(`http://${address}`)
      onTestFinished(() => session.destroy())
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
      })
      stream.on('error', () => {})
      stream.write(frameMessage(requests[path]))
      await once(stream, 'data')
      end(stream)
      await expect
        .poll(() => entries)
        .toMatchObject([
          { path, status: 200, grpc: how === 'closes its side' ? 'OK' : 'CANCELLED' },
        ])
      expect(entries[0]).not.toHaveProperty('reason')
    },
  )
})

test('a client that disconnects before a response is logged', async () => {
  const { address, entries } = await startLogged()
  const session = connect(`http://${address}`)
  const stream = session.request({
    ':method': 'POST',
    ':path': greeting,
    'content-type': 'application/grpc',
    te: 'trailers',
  })
  stream.on('error', () => {})
  await once(stream, 'ready')
  // The server has received the stream when it has answered a ping.
  await new Promise((resolve) => session.ping(resolve))
  session.destroy()
  await expect
    .poll(() => entries)
    .toMatchObject([{ status: null, reason: 'the client disconnected' }])
})

async function startLogged(): Promise<{ address: string; entries: RequestEntry[] }> {
  const entries: RequestEntry[] = []
  const server = await startGreeting({
    serving: { onRequest: (entry) => void entries.push(entry) },
  })
  onTestFinished(() => server.close())
  return { address: server.address, entries }
}
