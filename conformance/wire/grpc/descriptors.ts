import { fieldsOf, decodeUtf8, type WireField } from './fields.ts'

// Decodes some of the messages that descriptor.proto defines. Their field numbers are stable.

export interface DescribedField {
  readonly name: string
  readonly number: number
  /** Number of the field's type in descriptor.proto, such as 9 for a string. */
  readonly type: number
  readonly repeated: boolean
}

export interface DescribedMessage {
  /** With its package, without a leading dot. */
  readonly name: string
  readonly fields: readonly DescribedField[]
}

export interface DescribedMethod {
  /** With its package. */
  readonly service: string
  readonly name: string
  readonly input: string
  readonly output: string
  readonly requestStream: boolean
  readonly responseStream: boolean
}

export interface DescribedFile {
  readonly messages: readonly DescribedMessage[]
  readonly methods: readonly DescribedMethod[]
}

/** Reads a FileDescriptorProto; the result is empty if the bytes are not one. */
export function describedFile(bytes: Uint8Array): DescribedFile {
  const file = readMessage(bytes)
  const within = (name: string) => [file.string(2), name].filter((word) => word !== '').join('.')
  return {
    messages: file.messages(4).map((message) => ({
      name: within(message.string(1)),
      fields: message.messages(2).map(fieldOf),
    })),
    methods: file
      .messages(6)
      .flatMap((service) =>
        service.messages(2).map((method) => methodOf(within(service.string(1)), method)),
      ),
  }
}

function fieldOf(field: MessageReader): DescribedField {
  return {
    name: field.string(1),
    number: field.number(3),
    type: field.number(5),
    repeated: field.number(4) === 3,
  }
}

function methodOf(service: string, method: MessageReader): DescribedMethod {
  const type = (number: number) => method.string(number).replace(/^\./, '')
  return {
    service,
    name: method.string(1),
    input: type(2),
    output: type(3),
    requestStream: method.number(5) === 1,
    responseStream: method.number(6) === 1,
  }
}

/** Reads the fields of a message by their numbers. A missing field is empty or 0. */
export interface MessageReader {
  string(number: number): string
  strings(number: number): string[]
  number(number: number): number
  messages(number: number): MessageReader[]
  bytes(number: number): Uint8Array[]
}

export function readMessage(bytes: Uint8Array): MessageReader {
  const fields = fieldsOf(bytes) ?? []
  const all = (number: number, wireType: number): WireField[] =>
    fields.filter((field) => field.number === number && field.wireType === wireType)
  const texts = (number: number) => all(number, 2).map((field) => decodeUtf8(field.bytes) ?? '')
  return {
    string: (number) => texts(number).at(-1) ?? '',
    strings: texts,
    number: (number) => all(number, 0).at(-1)?.value ?? 0,
    messages: (number) => all(number, 2).map((field) => readMessage(field.bytes)),
    bytes: (number) => all(number, 2).map((field) => field.bytes),
  }
}
