import { literal, notice, quote } from './house.ts'
import { codecOf, descriptorSet, readProto, type Proto, type ProtoMessage } from './proto.ts'

const file = 'examples/greeting.proto'
const from = `specs/proto/${file}`

/** Everything that derives from the Protocol Buffers of the greeting RPC, by file name. */
export async function greeting(): Promise<[file: string, content: string | Uint8Array][]> {
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

const scalars: { [type: string]: string } = { string: 'string' }

function typesModule({ messages }: Proto): string {
  const typed = messages.map(({ name, says, fields }) => {
    const members = fields.map((field) => {
      const type = scalars[field.type]
      if (type === undefined)
        throw new Error(
          `${name}.${field.name}: what ${field.type} is in TypeScript is not said here yet`,
        )
      return `  /** ${field.says} */\n  ${field.name}: ${type}\n`
    })
    return `/** ${says} */\nexport interface ${name} {\n${members.join('')}}\n`
  })
  return `// ${notice(from)}\n\n${typed.join('\n')}`
}

function contractModule({ messages, methods }: Proto): string {
  const table = ({ name, fields }: ProtoMessage) =>
    `  ${name}: [\n${fields.map(({ says: _, ...field }) => `    ${literal(field)},\n`).join('')}  ],\n`
  return `// ${notice(from)}
import type { RequirementId } from '../requirements/index.ts'

export type MessageName = ${messages.map(({ name }) => quote(name)).join(' | ')}

export interface Field {
  readonly name: string
  readonly number: number
  readonly type: 'string'
  /** The row that states it. */
  readonly requirement: RequirementId
}

/** The fields of each message. */
export const messages: { readonly [Name in MessageName]: readonly Field[] } = {
${messages.map(table).join('')}}

export interface Method {
  readonly package: string
  /** Without the package. A server may call it otherwise. */
  readonly service: string
  readonly name: string
  /** The path of a call, where the service has that name. */
  readonly path: string
  readonly input: MessageName
  readonly output: MessageName
  readonly requestStream: boolean
  readonly responseStream: boolean
  /** The row that states it. */
  readonly requirement: RequirementId
}

${methods.map((method) => `export const ${lower(method.name)}: Method = ${literal(method)}\n`).join('\n')}`
}

function descriptorModule(descriptor: Buffer): string {
  return `// ${notice(from)}

/** The contract as a FileDescriptorSet, byte for byte that of descriptor.binpb. */
export const descriptorSet = (): Uint8Array => Buffer.from(text, 'base64')

const text = ${quote(descriptor.toString('base64'))}
`
}

function indexModule({ messages, methods }: Proto): string {
  const plain = ({
    name,
    fields,
  }: ProtoMessage) => `export function decode${name}(bytes: Uint8Array): ${name} {
  const { ${fields.map((field) => field.name).join(', ')} } = coders.${name}.decode(bytes) as ${name}
  return { ${fields.map((field) => field.name).join(', ')} }
}`
  const coded = messages.map(
    (message) => `
/** Writes a ${message.name}. A field that is not given is empty. */
export function encode${message.name}(message: Partial<${message.name}>): Uint8Array { return coders.${message.name}.encode(message).finish() }

/** Reads a ${message.name}; throws for bytes that are none. Fields that the contract has not are left out. */
${plain(message)}
`,
  )
  return `// ${notice(from)}
import { examples } from './codec.ts'
import type { MessageName } from './contract.ts'
import type { ${messages.map(({ name }) => name).join(', ')} } from './types.ts'

export { ${methods.map((method) => lower(method.name)).join(', ')}, messages, type Field, type MessageName, type Method } from './contract.ts'
export { descriptorSet } from './descriptor.ts'
export type { ${messages.map(({ name }) => name).join(', ')} } from './types.ts'

// What pbjs writes brings no types along.
interface Coder { encode(message: object): { finish(): Uint8Array }; decode(bytes: Uint8Array): unknown }
const coders = examples as { readonly [Name in MessageName]: Coder }
${coded.join('')}`
}

const lower = (name: string) => name[0]!.toLowerCase() + name.slice(1)
