import protobuf from 'protobufjs/minimal.js'

/** One encoded field of a Protocol Buffers message. */
export interface WireField {
  readonly number: number
  /** 0: varint; 1: 8 bytes; 2: a length, then that many bytes; 3: group; 5: 4 bytes. */
  readonly wireType: number
  /** The bytes after the length; empty for other wire types. */
  readonly bytes: Uint8Array
  /** The lower 32 bits of a varint. */
  readonly value?: number
}

const noBytes = new Uint8Array(0)

/**
 * Reads the fields of a message in their order, without a schema. Returns only the fields with
 * these numbers, by default all. Undefined if the bytes are not a message.
 */
export function fieldsOf(
  message: Uint8Array,
  numbers?: readonly number[],
): WireField[] | undefined {
  const reader = protobuf.Reader.create(message)
  const fields: WireField[] = []
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag()
      const [number, wireType] = [tag >>> 3, tag & 7]
      if (number === 0) return undefined
      if (numbers?.includes(number) === false) reader.skipType(wireType, 0, number)
      else if (wireType === 2) fields.push({ number, wireType, bytes: reader.bytes() })
      else if (wireType === 0)
        fields.push({ number, wireType, bytes: noBytes, value: reader.uint32() })
      else {
        reader.skipType(wireType, 0, number)
        fields.push({ number, wireType, bytes: noBytes })
      }
    }
  } catch {
    return undefined
  }
  return fields
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8; undefined if the bytes are not valid. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Encodes a message of strings and nested messages, in the given order. */
export function encodeFieldsOfMessage(
  fields: readonly (readonly [number: number, value: string | Uint8Array])[],
): Uint8Array {
  const writer = protobuf.Writer.create()
  for (const [number, value] of fields) {
    writer.uint32((number << 3) | 2)
    if (typeof value === 'string') writer.string(value)
    else writer.bytes(value)
  }
  return writer.finish()
}
