import {
  bidirectionalGreeting as method,
  messages,
  type Field,
  type MessageName,
} from '../../../../../generated/greeting/index.ts'
import { changeMessages, onStream, stringField } from '../building.ts'
import { mutantsAt, rawField, type Deviation, type GreetingMutant } from './building.ts'

// Reflection describes fields and methods by messages of descriptor.proto. These are the field
// numbers of FieldDescriptorProto and of MethodDescriptorProto.
const inField = { name: 1, number: 3, label: 4, type: 5 } as const
const inMethod = { input: 2, output: 3, requestStream: 5, responseStream: 6 } as const

const optional = 1
const repeated = 3
const types = { string: 9, bytes: 12, int32: 5 } as const

/**
 * Replaces bytes in the descriptors that reflection returns with other bytes of the same length.
 */
const described = (from: readonly Buffer[], to: readonly Buffer[]): Deviation['make'] => {
  const [original, replacement] = [Buffer.concat(from), Buffer.concat(to)]
  if (original.length !== replacement.length) throw new Error('the lengths differ')
  return onStream((stream, headers, hit) => {
    if (!String(headers[':path']).startsWith('/grpc.reflection.')) return
    changeMessages(stream, (message) => {
      const at = message.indexOf(original)
      if (at === -1) return message
      hit()
      const changed = Buffer.from(message)
      replacement.copy(changed, at)
      return changed
    })
  })
}

/** Changes the last letter of a name. */
const renamed = (name: string) => `${name.slice(0, -1)}x`

const withRequirement = (how: string, make: Deviation['make']): Deviation => ({
  how,
  description: `is described ${how}`,
  violates: ['GRT-RPC-08'],
  make,
})

function fieldDeviations({ name, number, type }: Field): Deviation[] {
  const describe = (name: string, number: number, label: number, type: number): Buffer[] => [
    stringField(inField.name, name),
    rawField(inField.number, 0, number),
    rawField(inField.label, 0, label),
    rawField(inField.type, 0, type),
  ]
  const right = describe(name, number, optional, types[type])
  return [
    withRequirement(
      'under another name',
      described(right, describe(renamed(name), number, optional, types[type])),
    ),
    withRequirement(
      'with another number',
      described(right, describe(name, number + 6, optional, types[type])),
    ),
    withRequirement('as repeated', described(right, describe(name, number, repeated, types[type]))),
    withRequirement('as bytes', described(right, describe(name, number, optional, types.bytes))),
    withRequirement('as a number', described(right, describe(name, number, optional, types.int32))),
  ]
}

const flags = (requestStream: boolean, responseStream: boolean): Buffer[] => [
  rawField(inMethod.requestStream, 0, Number(requestStream)),
  rawField(inMethod.responseStream, 0, Number(responseStream)),
]
const type = (direction: number, name: string): Buffer[] => [
  stringField(direction, `.${method.package}.${name}`),
]

const methodDeviations: readonly Deviation[] = [
  withRequirement('with one request', described(flags(true, true), flags(false, true))),
  withRequirement('with one response', described(flags(true, true), flags(true, false))),
  ...(['input', 'output'] as const).map((direction) =>
    withRequirement(
      `with another ${direction}`,
      described(
        type(inMethod[direction], method[direction]),
        type(inMethod[direction], renamed(method[direction])),
      ),
    ),
  ),
]

/** The kind of message that these mutants change: a successful response of reflection. */
const kind = 'reflect success'

/** Mutants in which reflection describes the method or its messages wrongly. */
export const descriptions: readonly GreetingMutant[] = [
  ...(Object.entries(messages) as [MessageName, readonly Field[]][]).flatMap(([message, fields]) =>
    fields.flatMap((field) =>
      mutantsAt(
        `reflected ${message}.${field.name}`,
        `In reflection, ${field.name} of ${message}`,
        kind,
        fieldDeviations(field),
      ),
    ),
  ),
  ...mutantsAt(`reflected ${method.name}`, 'In reflection, the method', kind, methodDeviations),
]
