import protobuf from 'protobufjs'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../print-error.ts'
import type { ChangeList } from './change.ts'

/** Options of a file that change the code generated from it. */
const codeOptions = [
  ...['go_package', 'java_package', 'java_multiple_files', 'java_outer_classname'],
  ...['csharp_namespace', 'objc_class_prefix', 'php_namespace', 'ruby_package', 'swift_prefix'],
]

/**
 * Compares two Protocol Buffers files: what breaks the encoded messages, and what breaks the
 * generated code.
 */
export function compareProto(older: string, newer: string, changes: ChangeList): void {
  const [before, after] = [readProto(older), readProto(newer)]
  if (before.package !== after.package)
    changes.add('breaking', 'package-changed', 'package', arrow(before.package, after.package))
  if (before.syntax !== after.syntax)
    changes.add('breaking', 'syntax-changed', 'syntax', arrow(before.syntax, after.syntax))
  for (const option of codeOptions)
    if (before.options[option] !== after.options[option])
      changes.add(
        'breaking',
        'option-changed',
        `option ${option}`,
        arrow(before.options[option], after.options[option]),
      )
  for (const [name, declaration] of before.declarations) {
    const place = `${declaration.kind} ${name}`
    const other = after.declarations.get(name)
    if (other?.kind !== declaration.kind) {
      changes.add('breaking', `${declaration.kind}-removed`, place, 'it was removed')
      continue
    }
    compareMembers(declaration, other, place, changes)
    for (const range of declaration.reserved)
      if (!other.reserved.includes(range))
        changes.add('breaking', 'reserved-removed', place, `${range} is not reserved any more`)
    for (const range of other.reserved)
      if (!declaration.reserved.includes(range))
        changes.add('compatible', 'reserved-added', place, `${range} is reserved`)
  }
  for (const [name, { kind }] of after.declarations)
    if (!before.declarations.has(name))
      changes.add('compatible', `${kind}-added`, `${kind} ${name}`, 'it was added')
}

/** A message, an enum or a service. */
interface Declaration {
  kind: 'message' | 'enum' | 'service'
  /** Fields and values by number, methods by name. */
  members: Map<string, Member>
  reserved: string[]
  comment: string
}

/** A field, an enum value or a method. */
interface Member {
  name: string
  /** What must stay the same, by the code of the change. */
  facts: { [code: string]: string }
  comment: string
}

function compareMembers(
  before: Declaration,
  after: Declaration,
  place: string,
  changes: ChangeList,
) {
  const noun = { message: 'field', enum: 'value', service: 'method' }[before.kind]
  if (before.comment !== after.comment)
    changes.add('documentation', 'text-changed', place, 'the comment changed')
  for (const [key, member] of before.members) {
    const below = `${place}, ${noun} ${member.name}`
    const other = after.members.get(key)
    if (other === undefined) {
      const moved = [...after.members].find(([, { name }]) => name === member.name)
      const code = moved === undefined ? `${noun}-removed` : `${noun}-renumbered`
      const text = moved === undefined ? 'it was removed' : `the number ${arrow(key, moved[0])}`
      changes.add('breaking', code, below, text)
      continue
    }
    if (other.name !== member.name)
      changes.add(
        'breaking',
        `${noun}-renamed`,
        below,
        `the name ${arrow(member.name, other.name)}`,
      )
    for (const [code, fact] of Object.entries(member.facts))
      if (other.facts[code] !== fact)
        changes.add('breaking', code, below, arrow(fact, other.facts[code]))
    if (other.comment !== member.comment)
      changes.add('documentation', 'text-changed', below, 'the comment changed')
  }
  const names = [...before.members.values()].map(({ name }) => name)
  for (const [key, { name }] of after.members)
    if (!before.members.has(key) && !names.includes(name))
      changes.add('compatible', `${noun}-added`, `${place}, ${noun} ${name}`, 'it was added')
}

const arrow = (before: unknown, after: unknown) => `${String(before)} became ${String(after)}`

interface ProtoFile {
  package: string
  syntax: string
  options: { [name: string]: unknown }
  declarations: Map<string, Declaration>
}

/** Reads a file and its imports. Throws a `UsageError` if a file is invalid or missing. */
function readProto(file: string): ProtoFile {
  const root = new protobuf.Root()
  const main = resolve(file)
  root.resolvePath = (_, imported) => (imported === main ? main : importedFile(main, imported))
  try {
    root.loadSync(main, { keepCase: true, alternateCommentMode: true })
    root.resolveAll()
  } catch (error) {
    throw new UsageError(`${file} is not a valid .proto file: ${(error as Error).message}`)
  }
  const text = readFileSync(main, 'utf8')
  const name = protobuf.parse(text, { keepCase: true }).package ?? ''
  const declarations = new Map<string, Declaration>()
  const visit = (space: protobuf.NamespaceBase): void => {
    for (const each of space.nestedArray) {
      const declaration = each.filename === main ? declarationOf(each) : undefined
      if (declaration !== undefined) declarations.set(each.fullName.slice(1), declaration)
      if (each instanceof protobuf.Namespace) visit(each)
    }
  }
  visit(root)
  return {
    package: name,
    syntax: /^\s*(?:syntax|edition)\s*=\s*["']([^"']+)/m.exec(text)?.[1] ?? 'proto2',
    options: (name === '' ? root : root.lookup(name))?.options ?? {},
    declarations,
  }
}

/** Returns the path of an imported file, relative to a folder above the file that imports it. */
function importedFile(main: string, imported: string): string | null {
  if (protobuf.common.get(imported) !== null) return imported
  for (let folder = dirname(main); ; folder = dirname(folder)) {
    if (existsSync(join(folder, imported))) return join(folder, imported)
    if (folder === dirname(folder))
      throw new UsageError(
        `${main}: the imported file ${imported} is not in its folder or in a folder above it`,
      )
  }
}

function declarationOf(object: protobuf.ReflectionObject): Declaration | undefined {
  const comment = object.comment ?? ''
  if (object instanceof protobuf.Type)
    return {
      kind: 'message',
      members: new Map(object.fieldsArray.map((field) => [String(field.id), fieldOf(field)])),
      reserved: reservedOf(object.reserved),
      comment,
    }
  if (object instanceof protobuf.Enum) {
    const members = new Map<string, Member>()
    for (const [name, number] of Object.entries(object.values)) {
      // Several names may have the same number, if the enum allows aliases.
      const key = members.has(String(number)) ? `${number} ${name}` : String(number)
      members.set(key, { name, facts: {}, comment: object.comments[name] ?? '' })
    }
    return { kind: 'enum', members, reserved: reservedOf(object.reserved), comment }
  }
  if (object instanceof protobuf.Service)
    return {
      kind: 'service',
      members: new Map(object.methodsArray.map((method) => [method.name, methodOf(method)])),
      reserved: [],
      comment,
    }
  return undefined
}

function fieldOf(field: protobuf.Field): Member {
  const valueType = field.resolvedType?.fullName.slice(1) ?? field.type
  const oneof = field.partOf !== null && !field.options?.proto3_optional ? field.partOf.name : ''
  return {
    name: field.name,
    facts: {
      'type-changed':
        field instanceof protobuf.MapField ? `map<${field.keyType}, ${valueType}>` : valueType,
      'label-changed': field.repeated ? 'repeated' : field.required ? 'required' : 'singular',
      'presence-changed': field.hasPresence ? 'explicit presence' : 'no presence',
      'oneof-changed': oneof === '' ? 'no oneof' : `oneof ${oneof}`,
      'json-name-changed': String(field.options?.json_name ?? 'the default JSON name'),
    },
    comment: field.comment ?? '',
  }
}

function methodOf(method: protobuf.Method): Member {
  const stream = (isStream: boolean | undefined) => (isStream === true ? 'stream' : 'one message')
  return {
    name: method.name,
    facts: {
      'request-changed': method.resolvedRequestType?.fullName.slice(1) ?? method.requestType,
      'response-changed': method.resolvedResponseType?.fullName.slice(1) ?? method.responseType,
      'request-stream-changed': stream(method.requestStream),
      'response-stream-changed': stream(method.responseStream),
    },
    comment: method.comment ?? '',
  }
}

/** Returns the reserved numbers, ranges and names. */
const reservedOf = (reserved: readonly (number[] | string)[] | undefined): string[] =>
  (reserved ?? []).map((each) =>
    typeof each === 'string'
      ? `the name ${each}`
      : each[0] === each[1]
        ? `the number ${each[0]}`
        : `the numbers ${each[0]} to ${each[1]}`,
  )
