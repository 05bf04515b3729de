import { GrpcClient, type GrpcClientOptions, type GrpcStream } from '../grpc.ts'
import { serve, type SmallCall } from './grpc.testing.ts'

// Helpers of the gRPC tests: a small server with a client.

const closing: (() => unknown)[] = []
/** Closes what a test started. Use it as `afterEach(endAll)`. */
export async function endAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close()
}
/** Registers functions that `endAll` calls after the test, the last one first. */
export const toEnd = (...ends: (() => unknown)[]): void => void closing.push(...ends)

export const text = (words: string) => Buffer.from(words)

/** Sends every message back, and ends with OK when the client has half-closed. */
export const echo = (call: SmallCall) => void (call.onMessage = (message) => call.send(message))

/** A server with this handler, a client of it, and a channel. */
export async function small(
  handle: (call: SmallCall) => void,
  options: Partial<GrpcClientOptions> = {},
  tls?: Parameters<typeof serve>[1],
) {
  const server = await serve(handle, tls)
  const client = GrpcClient.open({ address: server.address, timeout: 2000, ...options })
  toEnd(
    () => server.close(),
    () => client.close(),
  )
  return { server, client, channel: await client.openChannel() }
}

/** Sends messages while reading, and waits for the end. */
export async function sendAll(
  stream: GrpcStream,
  messages: readonly string[],
  options?: { gzip: boolean },
) {
  const end = stream.drain()
  for (const message of messages) await stream.send(text(message), options)
  stream.halfClose()
  return end
}

export const received = ({ exchange }: GrpcStream) =>
  exchange.received.map(({ bytes }) => bytes.toString())
