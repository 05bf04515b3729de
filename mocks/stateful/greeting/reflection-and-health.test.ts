import protobuf from 'protobufjs'
import descriptor from 'protobufjs/ext/descriptor.js'
import { afterEach, expect, test } from 'vitest'
import { messages } from '../../../generated/greeting/index.ts'
import { startGreeting, type GreetingChoices } from '../greeting.ts'
import { frameMessage, rawCall } from './greeting.testing.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function addressOf(
  options: { service?: string; token?: string; choices?: Partial<GreetingChoices> } = {},
): Promise<string> {
  const server = await startGreeting(options)
  opened.push(server)
  return server.address
}

// The parts of the reflection protocol that these tests need.
const { root } = protobuf.parse(`
syntax = "proto3";
message Request { oneof it { string file_containing_symbol = 4; string list_services = 7; } }
message Files { repeated bytes file_descriptor_proto = 1; }
message Service { string name = 1; }
message Services { repeated Service service = 1; }
message Failure { int32 error_code = 1; }
message Response { Files file_descriptor_response = 4; Services list_services_response = 6; Failure error_response = 7; }
`)
interface Described {
  fileDescriptorResponse?: { fileDescriptorProto: Uint8Array[] }
  listServicesResponse?: { service: { name: string }[] }
  errorResponse?: { errorCode: number }
}

async function reflect(
  address: string,
  request: object,
  version = 'v1',
  headers = {},
): Promise<Described> {
  const body = frameMessage(root.lookupType('Request').encode(request).finish())
  const { data } = await rawCall(
    address,
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    body,
    headers,
  )
  return root.lookupType('Response').decode(data.subarray(5)) as Described
}

test.each(['v1', 'v1alpha'])(
  'reflection %s lists the services and describes the method',
  async (version) => {
    const address = await addressOf({ service: 'examples.Greeter' })
    const { listServicesResponse } = await reflect(address, { listServices: '*' }, version)
    expect(listServicesResponse?.service.map(({ name }) => name)).toEqual([
      'examples.Greeter',
      'grpc.health.v1.Health',
    ])
    const { fileDescriptorResponse } = await reflect(
      address,
      { fileContainingSymbol: 'examples.Greeter' },
      version,
    )
    const described = protobuf.Root.fromDescriptor(
      {
        file: fileDescriptorResponse!.fileDescriptorProto.map(
          (bytes) => descriptor.FileDescriptorProto.decode(bytes) as never,
        ),
      },
      { keepCase: true },
    )
    const { BidirectionalGreeting } = described.lookupService('examples.Greeter').methods
    expect(BidirectionalGreeting).toMatchObject({
      requestType: '.examples.GreetingRequest',
      responseType: '.examples.GreetingResponse',
      requestStream: true,
      responseStream: true,
    })
    for (const [name, fields] of Object.entries(messages)) {
      expect(
        described
          .lookupType(`examples.${name}`)
          .fieldsArray.map(({ name, id, type }) => ({ name, number: id, type })),
      ).toEqual(fields.map(({ name, number, type }) => ({ name, number, type })))
    }
    expect(
      (await reflect(address, { fileContainingSymbol: 'examples.GreetingService' }, version))
        .errorResponse?.errorCode,
    ).toBe(5)
  },
)

test.each<[GreetingChoices['reflection'], string[]]>([
  ['v1', ['v1']],
  ['v1alpha', ['v1alpha']],
  ['none', []],
])('with the choice "%s", reflection exists in the versions %j', async (reflection, versions) => {
  const address = await addressOf({ choices: { reflection, health: false } })
  for (const version of ['v1', 'v1alpha']) {
    const { listServicesResponse } = await reflect(address, { listServices: '*' }, version)
    expect(listServicesResponse?.service.map(({ name }) => name)).toEqual(
      versions.includes(version) ? ['examples.GreetingService'] : undefined,
    )
  }
})

test('health does not require the token; reflection does', async () => {
  const address = await addressOf({ token: 'a-token' })
  const checkHealth = (service: string, method = 'Check') =>
    rawCall(
      address,
      `/grpc.health.v1.Health/${method}`,
      frameMessage(Buffer.concat([Buffer.from([0x0a, service.length]), Buffer.from(service)])),
    )
  expect((await checkHealth('')).data).toEqual(frameMessage(Buffer.from([0x08, 1])))
  expect((await checkHealth('examples.GreetingService')).trailers['grpc-status']).toBe('0')
  expect((await checkHealth('examples.Other')).headers['grpc-status']).toBe('5')
  expect((await reflect(address, { listServices: '*' })).listServicesResponse).toBeFalsy()
  expect(
    (await reflect(address, { listServices: '*' }, 'v1', { authorization: 'Bearer a-token' }))
      .listServicesResponse?.service,
  ).toHaveLength(2)
})
