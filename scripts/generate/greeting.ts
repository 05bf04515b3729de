import { docComment } from './doc-comments.ts'
import { literal, notice, quote } from './output.ts'
import { codecOf, descriptorSet, readProto, type Proto, type ProtoMessage } from './proto.ts'

const file = 'examples/greeting.proto'
const from = `specs/proto/${file}`

/** Returns the files generated from the Protocol Buffers definition of the greeting RPC. */
export async function generateGreeting(): Promise<[file: string, content: string | Uint8Array][]> {
  const proto = readProto(file)
  const [codec, descriptor] = await Promise.all([
    codecOf(file, 'touchstone_greeting'),
    descriptorSet(),
  ])
  return [
    ['greeting/types.ts', typesModule(proto)],
    ['greeting/codec.ts', `// @ts-nocheck ${notice(from)}\n${codec.trimEnd()}\n`],
    ['greeting/contract.ts', contractModule(proto)],
    ['greeting/descriptor.ts', descriptorModule(descriptor)],
    ['greeting/descriptor.binpb', descriptor],
    ['greeting/index.ts', indexModule(proto)],
  ]
}

/** A value of each field, for the examples in doc comments. */
const exampleValues: { [field: string]: string } = {
  name: 'Ada',
  request_id: '1',
  message: 'Hello, Ada!',
  server_timestamp: '2027-03-01T09:30:00Z',
}
const scalars: { [type: string]: string } = { string: 'string' }

function typesModule({ messages }: Proto): string {
  const interfaces = messages.map(({ name, description, fields }) => {
    const members = fields.map((field) => {
      const type = scalars[field.type]
      if (type === undefined)
        throw new Error(`${name}.${field.name}: ${field.type} has no TypeScript type in scalars`)
      return `  /** ${field.description} */\n  ${field.name}: ${type}\n`
    })
    const value = fields.map((field) => `${field.name}: ${quote(exampleValueOf(field.name))}`)
    const comment = docComment(description, [
      `const ${lower(name)}: ${name} = { ${value.join(', ')} }`,
    ])
    return `${comment}\nexport interface ${name} {\n${members.join('')}}\n`
  })
  return `// ${notice(from)}\n\n${interfaces.join('\n')}`
}

/** Returns an expression for an object with the first field of a message. */
function exampleOf({ fields: [field] }: ProtoMessage): string {
  return literal({ [field!.name]: exampleValueOf(field!.name) })
}

function exampleValueOf(field: string): string {
  const value = exampleValues[field]
  if (value === undefined) throw new Error(`${field} has no value in exampleValues`)
  return value
}

function contractModule({ messages, methods }: Proto): string {
  const table = ({ name, fields }: ProtoMessage) =>
    `  ${name}: [\n${fields.map(({ description: _, ...field }) => `    ${literal(field)},\n`).join('')}  ],\n`
  return `// ${notice(from)}
import type { RequirementId } from '../requirements/index.ts'

/**
 * The name of a message of the contract.
 *
 * @example
 * const name: MessageName = ${quote(messages[0]!.name)}
 */
export type MessageName = ${messages.map(({ name }) => quote(name)).join(' | ')}

/**
 * A field of a message.
 *
 * @example
 * const tagOf = ({ number }: Field) => (number << 3) | 2
 */
export interface Field {
  readonly name: string
  readonly number: number
  readonly type: 'string'
  /** The requirement that defines it. */
  readonly requirement: RequirementId
  /** The requirement that it is not empty. */
  readonly presence?: RequirementId
}

/**
 * The fields of each message.
 *
 * @example
 * const names = messages.${messages[0]!.name}.map((field) => field.name)
 */
export const messages: { readonly [Name in MessageName]: readonly Field[] } = {
${messages.map(table).join('')}}

/**
 * A method of the service, with the names and types that a client needs to call it.
 *
 * @example
 * const isBidirectional = (method: Method) => method.requestStream && method.responseStream
 */
export interface Method {
  readonly package: string
  /** Without the package. A server may use another service name. */
  readonly service: string
  readonly name: string
  /** The path of a call, if the server uses this service name. */
  readonly path: string
  readonly input: MessageName
  readonly output: MessageName
  readonly requestStream: boolean
  readonly responseStream: boolean
  /** The requirement that defines it. */
  readonly requirement: RequirementId
  /** The requirement that it accepts a stream. */
  readonly requestStreamRequirement: RequirementId
  /** The requirement that it returns a stream. */
  readonly responseStreamRequirement: RequirementId
}

${methods
  .map(
    (method) => `/**
 * The method ${method.name}.
 *
 * @example
 * const { path } = ${lower(method.name)}
 */
export const ${lower(method.name)}: Method = ${literal(method)}\n`,
  )
  .join('\n')}`
}

function descriptorModule(descriptor: Buffer): string {
  return `// ${notice(from)}

/**
 * Returns the contract as a FileDescriptorSet: the same bytes as descriptor.binpb.
 *
 * @example
 * const { length } = descriptorSet()
 */
export const descriptorSet = (): Uint8Array => Buffer.from(base64, 'base64')

const base64 = ${quote(descriptor.toString('base64'))}
`
}

function indexModule({ messages, methods }: Proto): string {
  const decoder = ({
    name,
    fields,
  }: ProtoMessage) => `export function decode${name}(bytes: Uint8Array): ${name} {
  const { ${fields.map((field) => field.name).join(', ')} } = coders.${name}.decode(bytes) as ${name}
  return { ${fields.map((field) => field.name).join(', ')} }
}`
  const functions = messages.map(
    (message) => `
/**
 * Encodes a ${message.name}. Missing fields are encoded as empty.
 *
 * @example
 * const bytes = encode${message.name}(${exampleOf(message)})
 */
export function encode${message.name}(message: Partial<${message.name}>): Uint8Array { return coders.${message.name}.encode(message).finish() }

/**
 * Decodes a ${message.name}, without unknown fields. Throws if the bytes are malformed.
 *
 * @example
 * const { ${message.fields[0]!.name} } = decode${message.name}(bytes)
 */
${decoder(message)}
`,
  )
  return `// ${notice(from)}
import { examples } from './codec.ts'
import type { MessageName } from './contract.ts'
import type { ${messages.map(({ name }) => name).join(', ')} } from './types.ts'

export { ${methods.map((method) => lower(method.name)).join(', ')}, messages, type Field, type MessageName, type Method } from './contract.ts'
export { descriptorSet } from './descriptor.ts'
export type { ${messages.map(({ name }) => name).join(', ')} } from './types.ts'

// The output of pbjs is untyped.
interface Coder { encode(message: object): { finish(): Uint8Array }; decode(bytes: Uint8Array): unknown }
const coders = examples as { readonly [Name in MessageName]: Coder }
${functions.join('')}`
}

const lower = (name: string) => name[0]!.toLowerCase() + name.slice(1)
