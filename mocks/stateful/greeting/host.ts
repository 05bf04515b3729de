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
import { defaultHostname, urlHostOf } from '../../serving/address.ts'
import type { StreamMiddleware } from './call.ts'

export interface Tls {
  key: string
  cert: string
  /**
   * The certificate authority, as PEM, that must have signed client certificates. By default, no
   * client certificate is requested.
   */
  clientCa?: string
}

interface Host {
  /**
   * Starts listening and returns host and port. If the port is in use,
   * rejects with an error that has a `code` and the `port`.
   */
  listen(port: number): Promise<string>
  /** Closes the server and all connections at once. */
  close(): Promise<void>
}

/**
 * An HTTP/2 server that passes its streams to grpc-js. The server of grpc-js itself cannot be
 * intercepted, and it reports a port in use only in an error message.
 */
export function newHost(
  grpc: GrpcServer,
  {
    maxStreams,
    tls,
    intercept,
    onStream,
    hostname = defaultHostname,
  }: {
    maxStreams: number
    tls: Tls | undefined
    intercept: StreamMiddleware
    /** The address or name on which the server listens. */
    hostname?: string | undefined
    /** Called with each stream before it is handled. */
    onStream?: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void
  },
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
    onStream?.(stream, headers)
    try {
      intercept(stream, headers, () => passToGrpc(grpc, stream, headers))
    } catch {
      stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    }
  })
  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', (error) => reject(Object.assign(error, { port })))
        server.listen(port, hostname, () =>
          resolve(`${urlHostOf(hostname)}:${(server.address() as AddressInfo).port}`),
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
    // These limits are as high as in grpc-js, because reaching one breaks the connection. Flow
    // control limits the memory of a connection.
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

/**
 * Calls a private method of grpc-js. The version of grpc-js is pinned, and the tests of this server
 * would fail without this method.
 */
function passToGrpc(
  grpc: GrpcServer,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): void {
  const { _streamHandler: handler } = grpc as unknown as {
    _streamHandler(interceptors: [], stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void
  }
  handler.call(grpc, [], stream, headers)
}
