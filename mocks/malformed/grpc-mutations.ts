import type { SeededRandom } from './random.ts'

/** A gRPC message: a flag for compression, the length, and the bytes. */
const frame = (message: Uint8Array, flag = 0, length = message.length): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt8(flag)
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, message])
}

/** A GreetingRequest with the name Ada. */
const valid = Buffer.from([10, 3, 65, 100, 97])

/** Makes bytes that a protobuf parser must refuse or ignore. */
function malformMessage(random: SeededRandom): Uint8Array {
  return random.pick([
    () => random.bytes(random.below(200)),
    // A length that exceeds the message, and a length that is encoded in ten bytes.
    () => Buffer.from([10, 200, 1, 65]),
    () => Buffer.from([10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 65]),
    // Each wire type, in known and unknown fields.
    () => Buffer.from([(random.below(40) << 3) | random.below(8), ...random.bytes(10)]),
    // A name that is not UTF-8.
    () => Buffer.from([10, 2, 0xc3, 0x28]),
    // Nested groups.
    () => Buffer.alloc(1 + random.below(5000), 0x0b),
    () => Buffer.concat(Array.from({ length: random.below(500) }, () => valid)),
    () => Buffer.alloc(0),
  ])()
}

/** Makes the headers and the bytes of one malformed stream. */
export function malformGrpc(random: SeededRandom): {
  headers: Record<string, string>
  bytes: Buffer
} {
  const headers: Record<string, string> = { 'content-type': 'application/grpc', te: 'trailers' }
  const name = random.pick([
    'content-type',
    'grpc-encoding',
    'grpc-timeout',
    'grpc-accept-encoding',
    'content-length',
    'authorization',
    'x-bin',
    'none',
  ])
  if (random.below(10) === 0) delete headers['te']
  if (name !== 'none' && random.below(2) === 0)
    headers[name] = random.pick([
      '',
      'x',
      '-1',
      '0',
      '99999999999S',
      'gzip',
      'application/json',
      '%',
    ])
  const frames = Array.from({ length: 1 + random.below(4) }, () => {
    const message = random.below(3) === 0 ? valid : malformMessage(random)
    return frame(
      message,
      random.below(8) === 0 ? random.below(256) : 0,
      random.below(8) === 0 ? random.below(2 ** 31) : message.length,
    )
  })
  const bytes = Buffer.concat(frames)
  return {
    headers,
    bytes: random.below(8) === 0 ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes,
  }
}
