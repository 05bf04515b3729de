import {
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer as createPlainServer, type AddressInfo, type Socket } from 'node:net'
import { Deframer, frameOf } from './frames.ts'

/** A call that a test server received. */
export interface SmallCall {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly stream: ServerHttp2Stream
  /** Called with each message. */
  onMessage: (message: Buffer) => void
  /** Called when the client has half-closed. */
  onEnd: () => void
  /** Sends a message, and the headers before the first one. */
  send(message: Uint8Array, options?: { gzip?: boolean }): boolean
  /** Ends with trailers, or with headers alone if nothing was sent. */
  end(status: number, message?: string): void
}

export interface Small {
  address: string
  sessions: Set<ServerHttp2Session>
  close(): Promise<void>
}

interface SmallTls {
  cert: string
  key: string
  /** Requires client certificates of this authority. */
  ca?: string
}

/**
 * Starts a gRPC server for tests, with TLS if `tls` is passed. `handle` sends the responses. If it
 * does nothing, a call ends with OK when the client has half-closed.
 */
export async function serve(handle: (call: SmallCall) => void, tls?: SmallTls): Promise<Small> {
  const server =
    tls === undefined
      ? createServer()
      : createSecureServer({
          ...tls,
          requestCert: tls.ca !== undefined,
          rejectUnauthorized: tls.ca !== undefined,
        })
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
    handle(callOf(stream, headers)),
  )
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    close: async () => {
      for (const session of sessions) session.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function callOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): SmallCall {
  stream.on('error', () => {})
  const deframer = new Deframer(64 * 1024 * 1024)
  const begin = (more: object = {}) => {
    if (!stream.headersSent)
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', ...more },
        { waitForTrailers: true },
      )
  }
  const call: SmallCall = {
    path: String(headers[':path']),
    headers,
    stream,
    onMessage: () => {},
    onEnd: () => call.end(0),
    send: (message, { gzip = false } = {}) => {
      if (stream.destroyed || stream.closed) return false
      begin(gzip ? { 'grpc-encoding': 'gzip' } : {})
      return stream.write(frameOf(message, { gzip }))
    },
    end: (status, message) => {
      if (stream.destroyed || stream.closed) return
      const trailers = {
        'grpc-status': String(status),
        ...(message === undefined ? {} : { 'grpc-message': encodeURIComponent(message) }),
      }
      if (!stream.headersSent)
        return stream.respond(
          { ':status': 200, 'content-type': 'application/grpc', ...trailers },
          { endStream: true },
        )
      stream.once('wantTrailers', () => stream.sendTrailers(trailers))
      stream.end()
    },
  }
  stream.on('data', (piece: Buffer) => {
    for (const unframed of deframer.push(piece, headers['grpc-encoding'] as string | undefined)) {
      if ('bytes' in unframed) call.onMessage(unframed.bytes)
      else call.end(13, unframed.problem)
    }
  })
  stream.on('end', () => call.onEnd())
  return call
}

/** Starts a TCP server, for tests with bytes that are not HTTP/2. */
export async function serveBytes(
  serve: (socket: Socket) => void,
): Promise<Omit<Small, 'sessions'>> {
  const sockets = new Set<Socket>()
  const server = createPlainServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
