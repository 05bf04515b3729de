import { afterEach, expect, test } from 'vitest'
import { bidirectionalGreeting, descriptorSet } from '../../../generated/greeting/index.ts'
import { GrpcClient, encodeFieldsOfMessage, reflect, type GrpcExchange } from '../grpc.ts'
import { readMessage } from './descriptors.ts'
import { serve, type SmallCall } from './grpc.testing.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The file of the contract, as reflection returns it. */
const file = readMessage(descriptorSet()).bytes(1)[0]!
const greeting = `${bidirectionalGreeting.package}.${bidirectionalGreeting.service}`

/** Responds like a server with reflection that lists `services` and describes them by `files`. */
const reflecting =
  (services: readonly string[], files: Record<string, Uint8Array>, version = 'v1') =>
  (call: SmallCall) => {
    if (!call.path.startsWith(`/grpc.reflection.${version}.`)) return call.end(12)
    call.onMessage = (message) => {
      const symbol = readMessage(message).string(4)
      const found = files[symbol]
      if (symbol === '')
        call.send(
          encodeFieldsOfMessage([
            [
              6,
              encodeFieldsOfMessage(
                services.map((name) => [1, encodeFieldsOfMessage([[1, name]])] as const),
              ),
            ],
          ]),
        )
      else if (found === undefined)
        call.send(encodeFieldsOfMessage([[7, encodeFieldsOfMessage([[2, 'no such symbol']])]]))
      else call.send(encodeFieldsOfMessage([[4, encodeFieldsOfMessage([[1, found]])]]))
    }
  }

async function found(handle: (call: SmallCall) => void, timeout = 1000) {
  const server = await serve(handle)
  const client = GrpcClient.open({ address: server.address, timeout })
  closing.push(
    () => server.close(),
    () => client.close(),
  )
  const met: GrpcExchange[] = []
  return {
    reflection: await reflect(await client.openChannel(), bidirectionalGreeting.name, (exchange) =>
      met.push(exchange),
    ),
    met,
  }
}

test.each(['v1', 'v1alpha'])(
  'finds the service, its method and its messages with reflection %s',
  async (version) => {
    const { reflection, met } = await found(
      reflecting(['grpc.health.v1.Health', greeting], { [greeting]: file }, version),
    )
    expect(reflection).toMatchObject({
      kind: 'described',
      version,
      services: ['grpc.health.v1.Health', greeting],
      methods: [
        {
          service: greeting,
          name: bidirectionalGreeting.name,
          input: 'examples.GreetingRequest',
          output: 'examples.GreetingResponse',
          requestStream: true,
          responseStream: true,
        },
      ],
    })
    expect(reflection).toMatchObject({
      messages: [
        {
          name: 'examples.GreetingRequest',
          fields: [
            { name: 'name', number: 1, type: 9, repeated: false },
            { name: 'request_id', number: 2 },
          ],
        },
        { name: 'examples.GreetingResponse' },
      ],
    })
    expect(met.map(({ kind }) => kind)).toEqual(
      version === 'v1' ? ['reflect success'] : ['reflect failure', 'reflect success'],
    )
  },
)

test('reports no methods for a server without the method', async () => {
  const { reflection } = await found(reflecting(['demo.Other'], {}))
  expect(reflection).toEqual({
    kind: 'described',
    version: 'v1',
    services: ['demo.Other'],
    methods: [],
    messages: [],
  })
})

test('distinguishes a server without reflection from one that fails', async () => {
  expect((await found((call) => call.end(12))).reflection).toEqual({ kind: 'absent' })
  expect((await found((call) => call.end(16, 'who are you'))).reflection).toEqual({
    kind: 'failed',
    why: '0 messages, status UNAUTHENTICATED (16) "who are you"',
    status: 16,
  })
  expect((await found(() => {}, 100)).reflection).toEqual({
    kind: 'failed',
    why: '0 messages, no grpc-status: the stream did not end within 0.1 s',
  })
  expect(
    (await found((call) => void (call.onMessage = () => call.send(Buffer.from([0xff])))))
      .reflection,
  ).toMatchObject({ kind: 'failed' })
})
