import type { Socket } from 'node:net'
import type { ServerHttp2Stream } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { grpcNullTargets, onStream } from '../null-targets/grpc.ts'
import type { Behavior } from './behavior.ts'

const grpc = { ':status': 200, 'content-type': 'application/grpc+proto' }

/** Prefixes a gRPC message with the five bytes of its framing: a flag and a length. */
function framed(message: Buffer, { flag = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt8(flag, 0)
  prefix.writeUInt32BE(length, 1)
  return Buffer.concat([prefix, message])
}

/** A Protocol Buffers field whose value is preceded by its length (wire type 2). */
function field(number: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value)
  const length: number[] = []
  let rest = bytes.length
  do {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
}

/** A greeting, whatever was requested. */
const greeting = Buffer.concat([field(1, 'Hello, everyone!'), field(2, '2026-01-01T00:00:00.000Z')])

/** Responds with headers, then calls `act`. */
const afterHeaders =
  (act: (stream: ServerHttp2Stream) => void, headers: Record<string, string | number> = {}) =>
  (stream: ServerHttp2Stream) => {
    stream.respond({ ...grpc, ...headers }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    act(stream)
  }

const pour = (piece: Buffer) => (stream: ServerHttp2Stream) => {
  const more = () => {
    while (!stream.destroyed && !stream.writableEnded && stream.write(piece));
  }
  stream.on('drain', more)
  more()
}

/** Sends a message for each piece of data that is received. */
const forEach = (message: Buffer) => (stream: ServerHttp2Stream) => {
  stream.on('data', () => stream.write(message))
  stream.on('end', () => stream.end())
}

const call = (
  name: string,
  description: string,
  serve: (stream: ServerHttp2Stream) => void,
): Behavior => ({ name, description, serve: onStream(serve) })

const endWith = (trailers: Record<string, string | string[]>) => (stream: ServerHttp2Stream) => {
  stream.respond(grpc, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers(trailers))
  stream.resume().end()
}

const repeat = (bytes: Buffer, count: number) => Buffer.concat(Array<Buffer>(count).fill(bytes))

/** Sends a frame of HTTP/2 again and again on a session that otherwise does not respond. */
const frames = (name: string, description: string, frame: readonly number[]): Behavior => ({
  name,
  description,
  serve: (socket: Socket, stopped) => {
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
    const piece = repeat(Buffer.from(frame), 1000)
    socket.resume().write(settings)
    const more = () => {
      while (!stopped() && !socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  },
})

/** Hostile servers of the greeting service. */
export const callBehaviors: readonly Behavior[] = [
  ...grpcNullTargets.map(({ name, description, serve }) => ({ name, description, serve: serve! })),
  call(
    'endless greetings',
    'sends greetings without end',
    afterHeaders(pour(repeat(framed(greeting), 500))),
  ),
  call(
    'endless empty messages',
    'sends empty messages without end',
    afterHeaders(pour(repeat(framed(Buffer.alloc(0)), 5000))),
  ),
  call(
    'a thousand for one',
    'sends a thousand greetings for each request',
    afterHeaders(forEach(repeat(framed(greeting), 1000))),
  ),
  call(
    'message of 4 GB',
    'declares a message of 4 GB and sends it as fast as it is read',
    afterHeaders((stream) => {
      stream.write(framed(Buffer.alloc(0), { length: 0xffff_ffff }))
      pour(Buffer.alloc(64 * 1024))(stream)
    }),
  ),
  call(
    'messages of 15 MB',
    'sends a greeting of 15 MB for each request',
    afterHeaders(forEach(framed(field(1, 'x'.repeat(15 * 1024 * 1024))))),
  ),
  call(
    'messages of 3 MB',
    'sends a greeting of 3 MB for each request',
    afterHeaders(forEach(framed(field(1, 'x'.repeat(3 * 1024 * 1024))))),
  ),
  call(
    'gzip of 1 GB',
    'sends compressed messages that unfold to 1 GB',
    afterHeaders(forEach(framed(gigabyte(), { flag: 1 })), { 'grpc-encoding': 'gzip' }),
  ),
  call(
    'compressed without a coding',
    'marks messages as compressed, but sends no grpc-encoding',
    afterHeaders(forEach(framed(greeting, { flag: 1 }))),
  ),
  call(
    'unknown coding',
    'declares a coding that does not exist',
    afterHeaders(forEach(framed(greeting, { flag: 1 })), { 'grpc-encoding': 'snail' }),
  ),
  call(
    'flag of 255',
    'sends messages with the flag 255',
    afterHeaders(forEach(framed(greeting, { flag: 255 }))),
  ),
  call(
    'invalid protobuf',
    'sends messages that cannot be decoded',
    afterHeaders(forEach(framed(Buffer.alloc(50, 0xff)))),
  ),
  call(
    'nested groups',
    'sends messages with groups nested 100,000 deep',
    afterHeaders(forEach(framed(Buffer.alloc(100_000, 0x1b)))),
  ),
  call(
    'field of the wrong type',
    'sends numbers where strings are declared',
    afterHeaders(forEach(framed(Buffer.from([0x08, 1, 0x10, 1])))),
  ),
  call(
    'field 0',
    'sends a field with the number 0',
    afterHeaders(forEach(framed(Buffer.from([0x02, 1, 65])))),
  ),
  call(
    'a million fields',
    'sends messages with a million unknown fields',
    afterHeaders(forEach(framed(repeat(Buffer.from([0x78, 1]), 1_000_000)))),
  ),
  call(
    'not UTF-8',
    'sends strings that are not UTF-8',
    afterHeaders(forEach(framed(field(1, Buffer.alloc(20, 0xff))))),
  ),
  call(
    'controls for terminals',
    'sends terminal sequences and scripts',
    afterHeaders(
      forEach(
        framed(
          Buffer.concat([
            field(1, '\x1b[2J\u202e\u009b</script><script>alert(1)</script>$(touch x)'),
            field(2, '\x07'),
          ]),
        ),
      ),
    ),
  ),
  call(
    'cut message',
    'ends the stream in the middle of a message',
    afterHeaders((stream) => {
      stream.on('data', () => stream.end(framed(greeting).subarray(0, 9)))
    }),
  ),
  call(
    'drips',
    'sends greetings byte by byte, one byte every 50 ms',
    afterHeaders((stream) => {
      const bytes = framed(greeting)
      let at = 0
      const timer = setInterval(() => {
        if (stream.destroyed) clearInterval(timer)
        else stream.write(bytes.subarray(at % bytes.length, (at % bytes.length) + 1))
        at += 1
      }, 50)
    }),
  ),
  call(
    'reset after a message',
    'sends a greeting and resets the stream',
    afterHeaders((stream) => {
      stream.on('data', () => {
        stream.write(framed(greeting))
        setTimeout(() => stream.close(8), 20)
      })
    }),
  ),
  call(
    'goaway after a message',
    'sends a greeting and ends the session',
    afterHeaders((stream) => {
      stream.on('data', () => {
        stream.write(framed(greeting))
        setTimeout(() => stream.session?.destroy(), 20)
      })
    }),
  ),
  call(
    'never ends',
    'greets, and never ends a stream',
    afterHeaders((stream) => {
      stream.on('data', () => stream.write(framed(greeting)))
    }),
  ),
  call(
    'status that is not a number',
    'ends each call with the status OK, as a word',
    endWith({ 'grpc-status': 'OK' }),
  ),
  call(
    'status of 10^12',
    'ends each call with the status 10^12',
    endWith({ 'grpc-status': '1000000000000' }),
  ),
  call('two statuses', 'ends each call with two statuses', endWith({ 'grpc-status': ['0', '13'] })),
  call(
    'broken percent-encoding',
    'ends each call with a message that cannot be decoded',
    endWith({ 'grpc-status': '13', 'grpc-message': '%zz%1b[2J%' }),
  ),
  call(
    'message of 12 KB',
    'ends each call with a message of 12 KB',
    endWith({ 'grpc-status': '13', 'grpc-message': 'x'.repeat(12_000) }),
  ),
  call(
    'broken binary metadata',
    'sends binary metadata that is not Base64',
    endWith({ 'grpc-status': '0', 'trace-bin': '%%%%' }),
  ),
  frames(
    'endless pings',
    'sends PING frames without end',
    [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8],
  ),
  frames(
    'endless settings',
    'sends SETTINGS frames without end',
    [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 255, 255],
  ),
  frames(
    'endless unknown frames',
    'sends frames of an unknown type without end',
    [0, 0, 1, 0xfa, 0, 0, 0, 0, 0, 1],
  ),
  frames(
    'endless priorities',
    'sends PRIORITY frames without end',
    [0, 0, 5, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  ),
  {
    name: 'window of 0',
    description: 'lets the client send no data',
    serve: (socket: Socket) =>
      void socket.resume().write(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0])),
  },
  {
    name: 'frame that is too long',
    description: 'sends a frame that is longer than the client allows',
    serve: (socket: Socket) =>
      void socket
        .resume()
        .write(
          Buffer.concat([
            Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
            Buffer.from([255, 255, 255, 0, 0, 0, 0, 0, 1]),
            Buffer.alloc(100_000),
          ]),
        ),
  },
]

/** 1 GB of zeros, compressed. */
function gigabyte(): Buffer {
  return gzipSync(Buffer.alloc(1024 * 1024 * 1024), { level: 1 })
}
