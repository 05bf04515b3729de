import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import protobuf from 'protobufjs'
import pbjs from 'protobufjs-cli/pbjs.js'
import { root } from './house.ts'

/** Where the contracts in Protocol Buffers lie; names of files are relative to it, as in imports. */
export const protoFolder = join(root, 'specs/proto')

export interface ProtoField {
  name: string
  number: number
  type: string
  requirement: string
  says: string
}
export interface ProtoMessage {
  name: string
  says: string
  fields: ProtoField[]
}
export interface ProtoMethod {
  package: string
  service: string
  name: string
  /** The path that a call asks for. */
  path: string
  input: string
  output: string
  requestStream: boolean
  responseStream: boolean
  requirement: string
}
export interface Proto {
  messages: ProtoMessage[]
  methods: ProtoMethod[]
}

/** Reads a file as a table of what it declares. Each field and method ends its comment with the row that states it. */
export function readProto(file: string): Proto {
  const text = readFileSync(join(protoFolder, file), 'utf8')
  const { package: name = '', root: parsed } = protobuf.parse(text, {
    keepCase: true,
    alternateCommentMode: true,
  })
  const declared = (parsed.lookup(name) as protobuf.Namespace).nestedArray
  return {
    messages: declared
      .filter((one) => one instanceof protobuf.Type)
      .map((type) => ({
        name: type.name,
        says: said(type),
        fields: type.fieldsArray.map((field) => ({
          name: field.name,
          number: field.id,
          type: field.type,
          requirement: rowOf(field),
          says: said(field),
        })),
      })),
    methods: declared
      .filter((one) => one instanceof protobuf.Service)
      .flatMap((service) =>
        service.methodsArray.map((method) => ({
          package: name,
          service: service.name,
          name: method.name,
          path: `/${name}.${service.name}/${method.name}`,
          input: method.requestType,
          output: method.responseType,
          requestStream: method.requestStream === true,
          responseStream: method.responseStream === true,
          requirement: rowOf(method),
        })),
      ),
  }
}

const row = / ?\b([A-Z]+-[A-Z]+-\d\d)$/

function rowOf({ fullName, comment }: protobuf.ReflectionObject): string {
  const found = row.exec(comment ?? '')?.[1]
  if (found === undefined) throw new Error(`${fullName}: its comment names no row of the catalogue`)
  return found
}

const said = ({ comment }: protobuf.ReflectionObject): string => (comment ?? '').replace(row, '')

/** Encoders and decoders of a file's messages, as a JavaScript module. `registry` keeps them apart from those of others in one process. */
export function codecOf(file: string, registry: string): Promise<string> {
  const without = [
    'service',
    'create',
    'convert',
    'verify',
    'delimited',
    'typeurl',
    'comments',
  ].map((part) => `--no-${part}`)
  return new Promise((resolve, reject) => {
    pbjs.main(
      [
        '--target',
        'static-module',
        '--wrap',
        'esm',
        '--root',
        registry,
        '--keep-case',
        '--lint',
        '',
        ...without,
        join(protoFolder, file),
      ],
      (error, output) => {
        if (error !== null || output === undefined)
          reject(error ?? new Error(`pbjs says nothing of ${file}`))
        else resolve(output)
      },
    )
  })
}

const buf = join(
  createRequire(import.meta.url).resolve('@bufbuild/buf/package.json'),
  '..',
  'bin',
  'buf',
)

/** Runs buf on specs/proto, and gives what it writes. It rejects with its complaints. Nothing of this asks the network. */
export async function runBuf(...args: string[]): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(process.execPath, [buf, ...args], {
    cwd: protoFolder,
    encoding: 'buffer',
  })
  return stdout
}

/** Every file of specs/proto as a FileDescriptorSet, comments included. */
export const descriptorSet = (): Promise<Buffer> =>
  runBuf('build', '--as-file-descriptor-set', '--output', '-#format=binpb')
