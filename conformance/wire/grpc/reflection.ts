import type { GrpcChannel } from './channel.ts'
import {
  describedFile,
  readMessage,
  type DescribedFile,
  type DescribedMessage,
  type DescribedMethod,
  type MessageReader,
} from './descriptors.ts'
import type { GrpcExchange } from './exchange.ts'
import { encodeFieldsOfMessage } from './fields.ts'
import { statusOf } from './status.ts'
import type { GrpcStream } from './stream.ts'

/** What a server reports through gRPC server reflection. */
export type Reflection =
  | {
      readonly kind: 'described'
      readonly version: Version
      /** The fully qualified names of all services. */
      readonly services: readonly string[]
      /** The methods with the requested name. */
      readonly methods: readonly DescribedMethod[]
      /** The request and response messages of these methods, if the server describes them. */
      readonly messages: readonly DescribedMessage[]
    }
  /** The server does not support reflection: it responded with UNIMPLEMENTED. */
  | { readonly kind: 'absent' }
  /** `status` is missing if the server did not respond, or does not use gRPC. */
  | { readonly kind: 'failed'; readonly why: string; readonly status?: number }

const versions = ['v1', 'v1alpha'] as const
type Version = (typeof versions)[number]

/** Maximum number of services to examine. */
const maxServices = 100

// Field numbers of reflection.proto, the same in both versions.
const requestFields = { fileContainingSymbol: 4, services: 7 } as const
const responseFields = { files: 4, services: 6 } as const

/**
 * Asks the server for the methods with the given name. If the newer version of reflection fails
 * with a status, asks with the older version. Never rejects. Calls `onExchange` with each call.
 */
export async function reflect(
  channel: GrpcChannel,
  method: string,
  onExchange: (exchange: GrpcExchange) => void = () => {},
): Promise<Reflection> {
  let result: Reflection = { kind: 'absent' }
  for (const version of versions) {
    const stream = channel.call({
      operation: 'reflect',
      path: `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    })
    const services = await servicesOf(stream)
    const found = services === undefined ? undefined : await findMethods(stream, services, method)
    stream.halfClose()
    // Without a response, reads the status at the end of the stream, which says why. With a
    // response, cancels the stream, because the server does not have to end it.
    if (found === undefined) await stream.drain()
    else stream.cancel()
    onExchange(stream.exchange)
    if (services !== undefined && found !== undefined)
      return { kind: 'described', version, services, ...found }
    const { end, summary: why } = stream.exchange
    const status = end?.grpcStatus
    // A server that does not respond, or does not use gRPC, does not support the older version.
    if (status === undefined) return { kind: 'failed', why }
    if (status !== statusOf.UNIMPLEMENTED) result = { kind: 'failed', why, status }
  }
  return result
}

async function servicesOf(stream: GrpcStream): Promise<string[] | undefined> {
  const list = (await ask(stream, requestFields.services, '*'))?.messages(
    responseFields.services,
  )[0]
  return list?.messages(1).map((service) => service.string(1))
}

/**
 * Finds the methods with the given name, and their messages, in the first `maxServices` services.
 * The services of gRPC itself are skipped.
 */
async function findMethods(
  stream: GrpcStream,
  services: readonly string[],
  method: string,
): Promise<{ methods: DescribedMethod[]; messages: DescribedMessage[] }> {
  const files: DescribedFile[] = []
  for (const service of services.filter((name) => !name.startsWith('grpc.')).slice(0, maxServices))
    files.push(...(await filesOf(stream, service)))
  const methods = distinct(
    files.flatMap((file) =>
      file.methods.filter(({ name, service }) => name === method && services.includes(service)),
    ),
  )
  for (const type of new Set(methods.flatMap(({ input, output }) => [input, output]))) {
    // A message may be defined in a file other than that of the service.
    if (!files.some(({ messages }) => messages.some(({ name }) => name === type)))
      files.push(...(await filesOf(stream, type)))
  }
  const wanted = new Set(methods.flatMap(({ input, output }) => [input, output]))
  return {
    methods,
    messages: distinct(
      files.flatMap(({ messages }) => messages.filter(({ name }) => wanted.has(name))),
    ),
  }
}

/** Removes duplicates: two symbols of one file both return the whole file. */
function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

async function filesOf(stream: GrpcStream, symbol: string): Promise<DescribedFile[]> {
  const files = (await ask(stream, requestFields.fileContainingSymbol, symbol))?.messages(
    responseFields.files,
  )[0]
  return files?.bytes(1).map(describedFile) ?? []
}

/** Sends a request with one field. Returns undefined if there is no response. */
async function ask(
  stream: GrpcStream,
  field: number,
  symbol: string,
): Promise<MessageReader | undefined> {
  if (!(await stream.send(encodeFieldsOfMessage([[field, symbol]])))) return undefined
  const message = await stream.next()
  return message === undefined ? undefined : readMessage(message.bytes)
}
