import protobuf from 'protobufjs/minimal.js'

/** One field of a message of Protocol Buffers, as it stands on the wire. */
export interface WireField {
  readonly number: number
  /** 0 varint, 1 eight bytes, 2 a length and so many bytes, 3 group, 5 four bytes. */
  readonly wireType: number
  /** What stands after the length; empty for every other wire type. */
  readonly bytes: Uint8Array
  /** Of a varint, the lower 32 bits. */
  readonly value?: number
}

const noBytes = new Uint8Array(0)

/** The fields of a message, in the order in which they stand there; undefined where the bytes are no message. What the fields mean is not asked. */
export function fieldsOf(message: Uint8Array): WireField[] | undefined {
  const reader = protobuf.Reader.create(message)
  const fields: WireField[] = []
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag()
      const [number, wireType] = [tag >>> 3, tag & 7]
      if (number === 0) return undefined
      if (wireType === 2) fields.push({ number, wireType, bytes: reader.bytes() })
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

/** Bytes as text, where they are UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Writes a message from fields of texts and of messages, in the order given. */
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
