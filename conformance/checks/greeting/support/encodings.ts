import { encodeFieldsOfMessage } from '../../../wire/grpc.ts'

// Encodings of requests that a Protocol Buffers encoder does not write, but a decoder must accept.
// https://protobuf.dev/programming-guides/encoding/

const tag = (number: number, wireType: number) => varint((number << 3) | wireType)

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest & 127) | 128)
  }
}

/** Fields that are not in the contract, at least one of each wire type. */
export const unknownFields: Readonly<Record<string, Uint8Array>> = {
  'a string': encodeFieldsOfMessage([[3, 'unknown']]),
  'a field with a high number': encodeFieldsOfMessage([[20_000, 'unknown']]),
  'a varint': Buffer.from([...tag(4, 0), ...varint(300)]),
  'a 64-bit value': Buffer.from([...tag(5, 1), 1, 2, 3, 4, 5, 6, 7, 8]),
  'a 32-bit value': Buffer.from([...tag(6, 5), 1, 2, 3, 4]),
  'a group': Buffer.from([...tag(7, 3), ...tag(1, 0), ...varint(300), ...tag(7, 4)]),
}

/** Encodes a request in which the length of the name is written with one byte more than needed. */
export function withPaddedLength(name: string, id: string): Uint8Array {
  const bytes = Buffer.from(name)
  return Buffer.concat([
    Buffer.from([...tag(1, 2), bytes.length | 128, 0]),
    bytes,
    encodeFieldsOfMessage([[2, id]]),
  ])
}
