import type { Server as GrpcServer } from '@grpc/grpc-js'
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { StreamMiddleware } from './call.ts'

export interface Tls {
  key: string
  cert: string
  /** Whose certificates callers have to show; without it none is asked for. */
  clientCa?: string
}

interface Host {
  /** Starts listening on the loopback address and gives host and port. A taken port rejects with its `code` and `port`. */
  listen(port: number): Promise<string>
  /** Ends all connections at once. */
  close(): Promise<void>
}

/**
 * An HTTP/2 server whose streams go to grpc-js. The server is not that of grpc-js itself, since there nobody could stand before it, and since it
 * tells a taken port by a sentence only.
 */
export function newHost(
  grpc: GrpcServer,
  { maxStreams, tls, door }: { maxStreams: number; tls: Tls | undefined; door: StreamMiddleware },
): Host {
  const server = newServer(maxStreams, tls)
  const sockets = new Set<Socket>()
  const sessions = new Set<ServerHttp2Session>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
  })
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session)).on('error', () => {})
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {})
    try {
      door(stream, headers, () => handOver(grpc, stream, headers))
    } catch {
      stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    }
  })
  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', (error) => reject(Object.assign(error, { port })))
        server.listen(port, '127.0.0.1', () =>
          resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`),
        )
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const session of sessions) session.destroy()
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function newServer(maxStreams: number, tls: Tls | undefined): Http2Server {
  const options = {
    // As in grpc-js: behaviour degrades badly where these limits are met. What a connection costs is bounded by flow control.
    maxSendHeaderBlockLength: Number.MAX_SAFE_INTEGER,
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
    settings: {
      enablePush: false,
      ...(maxStreams > 0 ? { maxConcurrentStreams: maxStreams } : {}),
    },
  }
  if (tls === undefined) return createServer(options)
  const { key, cert, clientCa } = tls
  return createSecureServer({
    ...options,
    key,
    cert,
    ...(clientCa === undefined
      ? {}
      : { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
  })
}

/** The way in that grpc-js keeps to itself. Its version is pinned exactly, and the tests of this server stand on it. */
function handOver(grpc: GrpcServer, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  const { _streamHandler: handler } = grpc as unknown as {
    _streamHandler(interceptors: [], stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void
  }
  handler.call(grpc, [], stream, headers)
}
