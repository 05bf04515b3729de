import { performServerHandshake, type ServerHttp2Stream } from 'node:http2'
import type { NullTarget } from './common.ts'

/** Accepts HTTP/2 and calls `serve` for each stream. */
export const onStream =
  (serve: (stream: ServerHttp2Stream) => void): NonNullable<NullTarget['serve']> =>
  (socket) => {
    const session = performServerHandshake(socket)
    session.on('error', () => {})
    session.on('stream', (stream) => {
      stream.on('error', () => {})
      serve(stream)
    })
  }

/** Responds to each stream with these headers and ends it. */
const alwaysRespond = (headers: Record<string, string | number>) =>
  onStream((stream) => stream.respond(headers, { endStream: true }))

const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
const goaway = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
/** A HEADERS frame with invalid compression. */
const invalidHeaders = Buffer.from([
  0, 0, 8, 1, 4, 0, 0, 0, 1, 255, 255, 255, 255, 255, 255, 255, 255,
])
/** A fatal TLS alert: handshake_failure. */
const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 0x28])
const grpc = { ':status': 200, 'content-type': 'application/grpc+proto' }

/** Null targets of gRPC. */
export const grpcNullTargets: readonly NullTarget[] = [
  {
    name: 'garbage on TCP',
    description: 'sends meaningless bytes',
    serve: (socket) => void socket.write(Buffer.alloc(2000, 0xa5)),
  },
  {
    name: 'echo on TCP',
    description: 'sends every byte back',
    serve: (socket) => void socket.pipe(socket),
  },
  {
    name: 'TLS',
    description: 'refuses connections without TLS',
    serve: (socket) => void socket.once('data', () => socket.end(alert)),
  },
  {
    name: 'HTTP/2 settings',
    description: 'starts HTTP/2 and sends nothing else',
    serve: (socket) => void socket.resume().write(settings),
  },
  {
    name: 'HTTP/2 invalid headers',
    description: 'starts HTTP/2 and sends headers that cannot be decoded',
    serve: (socket) => void socket.resume().write(Buffer.concat([settings, invalidHeaders])),
  },
  {
    name: 'HTTP/2 goaway',
    description: 'starts HTTP/2 and ends it with GOAWAY',
    serve: (socket) => void socket.resume().write(Buffer.concat([settings, goaway])),
  },
  {
    name: 'HTTP/2 200',
    description: 'returns an HTML page to every call',
    serve: onStream((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/html' })
      stream.end('<html></html>')
    }),
  },
  {
    name: 'HTTP/2 404',
    description: 'returns 404 without a gRPC status to every call',
    serve: alwaysRespond({ ':status': 404 }),
  },
  {
    name: 'HTTP/2 hang',
    description: 'never responds to a call',
    serve: onStream((stream) => void stream.resume()),
  },
  {
    name: 'HTTP/2 reset',
    description: 'resets every call',
    serve: onStream((stream) => stream.close(2)),
  },
  {
    name: 'gRPC without a status',
    description: 'ends every call with gRPC headers, but without a status',
    serve: alwaysRespond(grpc),
  },
  {
    name: 'gRPC OK',
    description: 'ends every call with OK and nothing else',
    serve: alwaysRespond({ ...grpc, 'grpc-status': 0 }),
  },
  {
    name: 'gRPC UNIMPLEMENTED',
    description: 'ends every call with UNIMPLEMENTED',
    serve: alwaysRespond({ ...grpc, 'grpc-status': 12 }),
  },
  {
    name: 'gRPC UNAVAILABLE',
    description: 'ends every call with UNAVAILABLE',
    serve: alwaysRespond({ ...grpc, 'grpc-status': 14 }),
  },
  {
    name: 'gRPC UNAUTHENTICATED',
    description: 'ends every call with UNAUTHENTICATED',
    serve: alwaysRespond({ ...grpc, 'grpc-status': 16 }),
  },
  {
    name: 'gRPC echo',
    description: 'sends every message back and ends the stream with OK',
    serve: onStream((stream) => {
      stream.respond(grpc, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.pipe(stream)
    }),
  },
]
