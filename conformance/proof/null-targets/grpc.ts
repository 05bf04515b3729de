import { performServerHandshake, type ServerHttp2Stream } from 'node:http2'
import type { NullTarget } from './common.ts'

/** A server that speaks HTTP/2, and does the same with every stream. */
const streams =
  (serve: (stream: ServerHttp2Stream) => void): NonNullable<NullTarget['serve']> =>
  (socket) => {
    const session = performServerHandshake(socket)
    session.on('error', () => {})
    session.on('stream', (stream) => {
      stream.on('error', () => {})
      serve(stream)
    })
  }

/** Ends every stream with these headers and nothing else. */
const always = (headers: Record<string, string | number>) =>
  streams((stream) => stream.respond(headers, { endStream: true }))

const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
const goaway = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
/** Headers in a code that there is not. */
const nonsense = Buffer.from([0, 0, 8, 1, 4, 0, 0, 0, 1, 255, 255, 255, 255, 255, 255, 255, 255])
/** What a server that speaks TLS says to one that does not: a fatal alert, handshake_failure. */
const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 0x28])
const grpc = { ':status': 200, 'content-type': 'application/grpc+proto' }

/** What listens at ports of gRPC, and is no implementation. */
export const grpcNulls: readonly NullTarget[] = [
  {
    name: 'garbage on TCP',
    says: 'a connection gets bytes that mean nothing',
    serve: (socket) => void socket.write(Buffer.alloc(2000, 0xa5)),
  },
  {
    name: 'echo on TCP',
    says: 'every byte comes back',
    serve: (socket) => void socket.pipe(socket),
  },
  {
    name: 'TLS',
    says: 'whoever speaks no TLS is sent away',
    serve: (socket) => void socket.once('data', () => socket.end(alert)),
  },
  {
    name: 'HTTP/2 settings',
    says: 'HTTP/2 is begun, and nothing follows',
    serve: (socket) => void socket.resume().write(settings),
  },
  {
    name: 'HTTP/2 nonsense',
    says: 'HTTP/2 is begun, and headers follow that nobody can read',
    serve: (socket) => void socket.resume().write(Buffer.concat([settings, nonsense])),
  },
  {
    name: 'HTTP/2 goaway',
    says: 'HTTP/2 is begun, and ended with GOAWAY',
    serve: (socket) => void socket.resume().write(Buffer.concat([settings, goaway])),
  },
  {
    name: 'HTTP/2 200',
    says: 'every call gets a page',
    serve: streams((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/html' })
      stream.end('<html></html>')
    }),
  },
  {
    name: 'HTTP/2 404',
    says: 'every call is answered 404 without a status of gRPC',
    serve: always({ ':status': 404 }),
  },
  {
    name: 'HTTP/2 hang',
    says: 'every call hangs',
    serve: streams((stream) => void stream.resume()),
  },
  {
    name: 'HTTP/2 reset',
    says: 'every call is reset',
    serve: streams((stream) => stream.close(2)),
  },
  {
    name: 'gRPC without a status',
    says: 'every call ends as gRPC, without a status',
    serve: always(grpc),
  },
  {
    name: 'gRPC OK',
    says: 'every call ends with OK and nothing else',
    serve: always({ ...grpc, 'grpc-status': 0 }),
  },
  {
    name: 'gRPC UNIMPLEMENTED',
    says: 'every call ends with UNIMPLEMENTED',
    serve: always({ ...grpc, 'grpc-status': 12 }),
  },
  {
    name: 'gRPC UNAVAILABLE',
    says: 'every call ends with UNAVAILABLE',
    serve: always({ ...grpc, 'grpc-status': 14 }),
  },
  {
    name: 'gRPC UNAUTHENTICATED',
    says: 'every call ends with UNAUTHENTICATED',
    serve: always({ ...grpc, 'grpc-status': 16 }),
  },
  {
    name: 'gRPC echo',
    says: 'every message comes back, and the stream ends with OK',
    serve: streams((stream) => {
      stream.respond(grpc, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.pipe(stream)
    }),
  },
]
