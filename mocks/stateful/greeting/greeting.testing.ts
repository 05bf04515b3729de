import {
  credentials,
  makeGenericClientConstructor,
  Metadata,
  type ChannelCredentials,
  type ClientDuplexStream,
  type StatusObject,
} from '@grpc/grpc-js'
import { connect, type IncomingHttpHeaders } from 'node:http2'
import {
  bidirectionalGreeting,
  decodeGreetingResponse,
  encodeGreetingRequest,
  type GreetingRequest,
  type GreetingResponse,
} from '../../../generated/greeting/index.ts'

type Call = ClientDuplexStream<Partial<GreetingRequest>, GreetingResponse>
export interface TestGreetingClient {
  greet(metadata?: Metadata): Call
  close(): void
}

/** A grpc-js client for tests. */
export function clientOf(
  { address, service }: { address: string; service: string },
  {
    secured = credentials.createInsecure(),
    compress = false,
  }: { secured?: ChannelCredentials; compress?: boolean } = {},
): TestGreetingClient {
  const greet = {
    path: `/${service}/${bidirectionalGreeting.name}`,
    requestStream: true as const,
    responseStream: true as const,
    requestSerialize: (request: GreetingRequest) => encodeGreetingRequest(request) as Buffer,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: decodeGreetingResponse,
  }
  const options = {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': -1,
    ...(compress ? { 'grpc.default_compression_algorithm': 2 } : {}),
  }
  return new (makeGenericClientConstructor({ greet }, 'Greeting'))(
    address.replace('127.0.0.1', 'localhost'),
    secured,
    options,
  ) as unknown as TestGreetingClient
}

export interface Transcript {
  messages: string[]
  times: string[]
  status: StatusObject
  headers: Metadata | undefined
}

/** Sends requests, ends the stream, and returns everything received. */
export async function greetAll(
  client: TestGreetingClient,
  requests: readonly (string | Partial<GreetingRequest>)[],
  metadata: Record<string, string> = {},
): Promise<Transcript> {
  const sent = new Metadata()
  for (const [key, value] of Object.entries(metadata)) sent.set(key, value)
  const call = client.greet(sent)
  for (const [index, request] of requests.entries())
    call.write(typeof request === 'string' ? { name: request, request_id: `id-${index}` } : request)
  call.end()
  return await collectTranscript(call)
}

export function collectTranscript(call: Call): Promise<Transcript> {
  const responses: GreetingResponse[] = []
  let headers: Metadata | undefined
  call.on('data', (response: GreetingResponse) => responses.push(response)).on('error', () => {})
  call.on('metadata', (metadata: Metadata) => {
    headers = metadata
  })
  return new Promise((resolve) =>
    call.on('status', (status: StatusObject) => {
      resolve({
        messages: responses.map(({ message }) => message),
        times: responses.map(({ server_timestamp }) => server_timestamp),
        status,
        headers,
      })
    }),
  )
}

/** Frames a message as gRPC does on the wire. */
export function frameMessage(message: Uint8Array, compressed = false): Buffer {
  const head = Buffer.alloc(5, compressed ? 1 : 0)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

export interface RawResponse {
  headers: IncomingHttpHeaders
  trailers: IncomingHttpHeaders
  data: Buffer
}

/** Makes one call over plain HTTP/2. */
export async function rawCall(
  address: string,
  path: string,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<RawResponse> {
  const session = connect(`http://${address}`)
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    })
    const result: RawResponse = { headers: {}, trailers: {}, data: Buffer.alloc(0) }
    stream
      .on('response', (received) => {
        result.headers = received
      })
      .on('trailers', (received) => {
        result.trailers = received
      })
    stream.end(body)
    for await (const chunk of stream) result.data = Buffer.concat([result.data, chunk as Buffer])
    return result
  } finally {
    session.destroy()
  }
}
