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

/** What a server tells of itself by reflection. */
export type Reflection =
  | {
      readonly kind: 'described'
      readonly version: Version
      /** All services, with their packages. */
      readonly services: readonly string[]
      /** The methods of the name that was asked for. */
      readonly methods: readonly DescribedMethod[]
      /** Their messages, as far as the server describes them. */
      readonly messages: readonly DescribedMessage[]
    }
  /** The server itself says that it has no reflection. */
  | { readonly kind: 'absent' }
  /** With the status that the server sent; without one, no gRPC was spoken. */
  | { readonly kind: 'failed'; readonly why: string; readonly status?: number }

const versions = ['v1', 'v1alpha'] as const
type Version = (typeof versions)[number]

/** Services that are looked into at most. */
const maxServices = 100

// Numbers of the fields of reflection.proto, the same in both versions.
const requestFields = { fileOf: 4, services: 7 } as const
const responseFields = { files: 4, services: 6 } as const

/** Asks a server for its methods of one name, in the newer way and then in the older one. Never rejects. `met` is told of each call. */
export async function reflect(
  channel: GrpcChannel,
  method: string,
  onExchange: (exchange: GrpcExchange) => void = () => {},
): Promise<Reflection> {
  let failed: Reflection = { kind: 'absent' }
  for (const version of versions) {
    const stream = channel.call({
      operation: 'reflect',
      path: `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    })
    const services = await servicesOf(stream)
    const found = services === undefined ? undefined : await findMethods(stream, services, method)
    stream.halfClose()
    // Whoever has answered owes no tidy end here.
    if (found === undefined) await stream.drain()
    else stream.cancel()
    onExchange(stream.exchange)
    if (services !== undefined && found !== undefined)
      return { kind: 'described', version, services, ...found }
    const { end, summary: why } = stream.exchange
    const status = end?.grpcStatus
    // Who lets one question hang, or speaks no gRPC, will not do better with the next.
    if (status === undefined) return { kind: 'failed', why }
    if (status !== statusOf.UNIMPLEMENTED) failed = { kind: 'failed', why, status }
  }
  return failed
}

async function servicesOf(stream: GrpcStream): Promise<string[] | undefined> {
  const list = (await ask(stream, requestFields.services, '*'))?.messages(
    responseFields.services,
  )[0]
  return list?.messages(1).map((service) => service.string(1))
}

/** Finds the methods of that name in all services but gRPC's own, and their messages. */
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
    // A message may stand in a file of its own.
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

/** A file comes again with each of its symbols. */
function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

async function filesOf(stream: GrpcStream, symbol: string): Promise<DescribedFile[]> {
  const files = (await ask(stream, requestFields.fileOf, symbol))?.messages(responseFields.files)[0]
  return files?.bytes(1).map(describedFile) ?? []
}

/** One question and its answer; undefined where none comes. */
async function ask(
  stream: GrpcStream,
  question: number,
  words: string,
): Promise<MessageReader | undefined> {
  if (!(await stream.send(encodeFieldsOfMessage([[question, words]])))) return undefined
  const message = await stream.next()
  return message === undefined ? undefined : readMessage(message.bytes)
}
