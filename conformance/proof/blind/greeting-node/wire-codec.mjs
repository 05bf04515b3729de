// Protocol Buffers and gRPC framing by hand, for the plain HTTP/2 stack.
import zlib from 'node:zlib'

function varint(n) {
  const out = []
  while (n > 127) {
    out.push((n % 128) | 128)
    n = Math.floor(n / 128)
  }
  return Buffer.from([...out, n])
}

const field = (number, bytes) =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
const number = (n, value) => Buffer.concat([varint(n * 8), varint(value)])

function cesu8(text) {
  return Buffer.concat(
    [...text].map((c) => {
      if (c.length === 1) return Buffer.from(c)
      return Buffer.concat(
        [0, 1].map((i) => {
          const unit = c.charCodeAt(i)
          return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)])
        }),
      )
    }),
  )
}

function textBytes(text, on) {
  if (on.has('message-in-latin-1')) return Buffer.from(text, 'latin1')
  if (on.has('message-in-cesu-8')) return cesu8(text)
  return Buffer.from(text)
}

export function encodeResponse(response, call, on) {
  const bytes = textBytes(response.message, on)
  let [first, second] = [1, 2]
  if (on.has('response-fields-shifted')) [first, second] = [2, 3]
  if (on.has('message-field-is-three')) first = 3
  let message = bytes.length ? field(first, bytes) : Buffer.alloc(0)
  if (on.has('length-of-one-byte')) {
    message = Buffer.concat([varint(10), Buffer.from([bytes.length & 127]), bytes])
  }
  if (on.has('field-sent-twice')) message = Buffer.concat([field(1, Buffer.from('draft')), message])
  const { server_timestamp: stamp } = response
  let time = stamp ? field(second, Buffer.from(stamp)) : Buffer.alloc(0)
  if (on.has('time-as-integer')) time = number(2, Date.now())
  if (on.has('time-as-message')) {
    const inner = [number(1, Math.floor(Date.now() / 1000)), number(2, (Date.now() % 1000) * 1e6)]
    time = field(2, Buffer.concat(inner))
  }
  if (on.has('time-field-missing-from-second') && call.sent > 0) time = Buffer.alloc(0)
  const parts = on.has('fields-in-reverse') ? [time, message] : [message, time]
  if (on.has('unknown-response-field')) {
    parts.push(
      field(15, Buffer.from('trace-17')),
      number(1000, 300),
      Buffer.from([0x85, 0x02, 1, 2, 3, 4]),
    )
  }
  return Buffer.concat(parts)
}

/** The name and request_id in a message; throws when it cannot be read. */
export function decodeRequest(bytes, call, on) {
  const out = { name: '', request_id: '' }
  let at = 0,
    strings = 0
  const set = new Set()
  function readVarint() {
    let value = 0,
      factor = 1,
      byte
    do {
      if (at >= bytes.length || factor > 2 ** 63) throw new Error('varint')
      byte = bytes[at]
      at += 1
      value += (byte & 127) * factor
      factor *= 128
    } while (byte > 127)
    return value
  }
  function tag() {
    if (!on.has('tag-of-one-byte')) return readVarint()
    at += 1
    return bytes[at - 1] & 127
  }
  function skip(type) {
    if (type === 0) readVarint()
    else if (type === 1) at += 8
    else if (type === 2) {
      const length = readVarint()
      at += length
    } else if (type === 5) at += 4
    else if (type === 3) {
      for (let inner = readVarint() % 8; inner !== 4; inner = readVarint() % 8) skip(inner)
    } else throw new Error('wire type')
    if (at > bytes.length) throw new Error('length')
  }
  while (at < bytes.length) {
    const key = tag()
    const type = key % 8
    let id = Math.floor(key / 8)
    if (id === 0) throw new Error('field number')
    if ((id !== 1 && id !== 2) || type !== 2) {
      if (on.has('unknown-field-fails')) throw new Error('unknown field')
      if (on.has('unknown-fixed-field-fails') && (type === 1 || type === 5))
        throw new Error('wire type')
      if (on.has('unknown-field-ends-message')) break
      skip(type)
      continue
    }
    const length = readVarint()
    if (at + length > bytes.length) throw new Error('length')
    strings += 1
    if (on.has('fields-by-position')) id = Math.min(strings, 2)
    const text = bytes.toString('utf8', at, at + length)
    at += length
    if (on.has('first-of-two-counts') && set.has(id)) continue
    set.add(id)
    out[id === 1 ? 'name' : 'request_id'] = text
  }
  if (on.has('absent-field-keeps-value') && !set.has(1)) out.name = call.lastName ?? ''
  call.lastName = out.name
  return out
}

/** One length-prefixed message; `gzip` is true when the client takes compressed messages. */
export function frame(payload, call, on) {
  let flag = 0,
    body = payload
  if (
    call.gzip ||
    ['gzip-without-flag', 'gzip-not-accepted', 'encoding-not-named'].some((n) => on.has(n))
  ) {
    body = zlib.gzipSync(payload)
    flag = on.has('gzip-without-flag') ? 0 : 1
  }
  if (on.has('flag-without-encoding')) flag = 1
  const prefix = Buffer.alloc(5)
  prefix[0] = flag
  let { length } = body
  if (on.has('prefix-counts-itself')) length += 5
  if (on.has('prefix-counts-characters')) length = body.toString('utf8').length
  if (on.has('prefix-of-16-bits')) length %= 65536
  if (on.has('prefix-little-endian')) prefix.writeUInt32LE(length, 1)
  else prefix.writeUInt32BE(length, 1)
  if (on.has('last-message-cut') && (call.sent + 1) % 10 === 0) body = body.subarray(0, -1)
  return on.has('prefix-missing') ? body : Buffer.concat([prefix, body])
}

/** Undoes the compression of a request; undefined when the encoding is not known. */
export function decompress(bytes, encoding) {
  const most = { maxOutputLength: 64 * 1024 * 1024 }
  if (encoding === 'gzip') return zlib.gunzipSync(bytes, most)
  if (encoding === 'deflate') return zlib.inflateSync(bytes, most)
  return undefined
}
