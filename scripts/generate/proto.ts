import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import protobuf from 'protobufjs'
import pbjs from 'protobufjs-cli/pbjs.js'
import { root } from './source.ts'

/** The folder of the .proto files. File names are relative to it, as in imports. */
export const protoFolder = join(root, 'specs/proto')

export interface ProtoField {
  name: string
  number: number
  type: string
  requirement: string
  /** The requirement that the field is not empty. */
  presence?: string
  description: string
}
export interface ProtoMessage {
  name: string
  description: string
  fields: ProtoField[]
}
export interface ProtoMethod {
  package: string
  service: string
  name: string
  /** The path of a call. */
  path: string
  input: string
  output: string
  requestStream: boolean
  responseStream: boolean
  requirement: string
  /** The requirement that the method accepts a stream. */
  requestStreamRequirement: string
  /** The requirement that the method returns a stream. */
  responseStreamRequirement: string
}
export interface Proto {
  messages: ProtoMessage[]
  methods: ProtoMethod[]
}

/**
 * Reads the messages and methods that a file declares. The comment of each field and method must
 * end with the ID of its requirement. Requirements of its parts can follow, each after the name of
 * the part: `GRT-A-01; presence GRT-A-02`.
 */
export function readProto(file: string): Proto {
  const text = readFileSync(join(protoFolder, file), 'utf8')
  const { package: name = '', root: parsed } = protobuf.parse(text, {
    keepCase: true,
    alternateCommentMode: true,
  })
  const declared = (parsed.lookup(name) as protobuf.Namespace).nestedArray
  return {
    messages: declared
      .filter((declaration) => declaration instanceof protobuf.Type)
      .map((type) => ({
        name: type.name,
        description: descriptionOf(type),
        fields: type.fieldsArray.map((field) => ({
          name: field.name,
          number: field.id,
          type: field.type,
          requirement: requirementOf(field),
          ...presenceOf(field),
          description: descriptionOf(field),
        })),
      })),
    methods: declared
      .filter((declaration) => declaration instanceof protobuf.Service)
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
          requirement: requirementOf(method),
          requestStreamRequirement: requirementOf(method, 'request stream'),
          responseStreamRequirement: requirementOf(method, 'response stream'),
        })),
      ),
  }
}

const requirementPattern = /\s?\b([A-Z]+-[A-Z]+-\d\d(?:; [a-z ]+ [A-Z]+-[A-Z]+-\d\d)*)$/

/**
 * Returns the requirements of a declaration, by part. The key `''` has the requirement of the
 * declaration itself.
 */
function requirementsOf({ fullName, comment }: protobuf.ReflectionObject): Map<string, string> {
  const ids = requirementPattern.exec(comment ?? '')?.[1]
  if (ids === undefined)
    throw new Error(`${fullName}: the comment does not end with a requirement ID`)
  return new Map(
    ids.split('; ').map((entry) => {
      const space = entry.lastIndexOf(' ')
      return [entry.slice(0, Math.max(space, 0)), entry.slice(space + 1)]
    }),
  )
}

function requirementOf(declaration: protobuf.ReflectionObject, part = ''): string {
  const id = requirementsOf(declaration).get(part)
  if (id === undefined)
    throw new Error(`${declaration.fullName}: the comment has no requirement ID of the ${part}`)
  return id
}

function presenceOf(field: protobuf.ReflectionObject): Pick<ProtoField, 'presence'> {
  const presence = requirementsOf(field).get('presence')
  return presence === undefined ? {} : { presence }
}

const descriptionOf = ({ comment }: protobuf.ReflectionObject): string =>
  (comment ?? '').replace(requirementPattern, '')

/**
 * Returns a JavaScript module that encodes and decodes the messages of a file. Modules with
 * different `registry` names do not affect each other in one process.
 */
export function codecOf(file: string, registry: string): Promise<string> {
  const disabled = [
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
        ...disabled,
        join(protoFolder, file),
      ],
      (error, output) => {
        if (error !== null || output === undefined)
          reject(error ?? new Error(`pbjs returned no output for ${file}`))
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

/** Runs buf in specs/proto, without network access. Returns its output. Rejects if it fails. */
export async function runBuf(...args: string[]): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(process.execPath, [buf, ...args], {
    cwd: protoFolder,
    encoding: 'buffer',
  })
  return stdout
}

/** Returns all files of specs/proto as a FileDescriptorSet, with comments. */
export const descriptorSet = (): Promise<Buffer> =>
  runBuf('build', '--as-file-descriptor-set', '--output', '-#format=binpb')
