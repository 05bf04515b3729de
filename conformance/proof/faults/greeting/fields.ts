import protobuf from 'protobufjs/minimal.js'

/** A field of an encoded message. */
export interface EncodedField {
  readonly number: number
  readonly wireType: number
  /** The bytes after the length of a field of wire type 2; empty for other wire types. */
  readonly bytes: Uint8Array
}

/** Reads the fields of a message. The message must be decodable. */
export function readFields(message: Uint8Array): EncodedField[] {
  const reader = protobuf.Reader.create(message)
  const fields: EncodedField[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const [number, wireType] = [tag >>> 3, tag & 7]
    const bytes = wireType === 2 ? reader.bytes() : new Uint8Array(0)
    if (wireType !== 2) reader.skipType(wireType, 0, number)
    fields.push({ number, wireType, bytes })
  }
  return fields
}
