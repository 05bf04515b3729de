import {
  createServer as createHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { Socket } from 'node:net'
import { generateCertificate } from '../certificate.ts'
import { hostOf, startListening, originOf, parseListen, parsePublicUrl } from './address.ts'
import { ConnectionErrors } from './connection-errors.ts'

/**
 * Limits of a connection, in milliseconds. Idle connections are kept for long: a sender that uses
 * one just when it is closed loses a delivery, and the suite must not cause that. Requests without
 * a Host header are recorded like all others.
 */
const limits = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: false,
} as const
const maxConnections = 2000

/** A web server that keeps track of its connections, so that it can close all of them. */
export class Listener {
  /** Scheme, host and port at which it is reached on this machine. */
  readonly origin: string
  /** The URL at which others reach it, without a trailing slash. */
  readonly baseUrl: string
  /** PEM; undefined without TLS. */
  readonly certificate: string | undefined
  readonly connectionErrors: ConnectionErrors
  /** Number of accepted connections. */
  connections = 0
  private readonly server: Server
  private readonly sockets = new Set<Socket>()

  private constructor(
    server: Server,
    origin: string,
    base: string,
    certificate: string | undefined,
  ) {
    this.server = server
    this.origin = origin
    this.baseUrl = base
    this.certificate = certificate
    this.connectionErrors = new ConnectionErrors(server)
    server.on('connection', (socket: Socket) => {
      this.connections += 1
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
  }

  /**
   * Throws a readable error for an invalid address or public URL, and for a port that is not
   * available.
   */
  static async start({
    listen,
    publicUrl,
    tls,
  }: {
    listen: string
    publicUrl: string | undefined
    tls: boolean
  }): Promise<Listener> {
    const wanted = parseListen(listen)
    const base = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl, tls)
    const certificate = tls
      ? await generateCertificate(
          [originOf(wanted, tls), ...(base === undefined ? [] : [base])].map(hostOf),
        )
      : undefined
    const server =
      certificate === undefined
        ? createHttp(limits)
        : createHttps({ ...limits, ...certificate, handshakeTimeout: limits.headersTimeout })
    server.maxConnections = maxConnections
    const origin = originOf({ ...wanted, port: await startListening(server, wanted) }, tls)
    return new Listener(server, origin, base ?? origin, certificate?.cert)
  }

  onRequest(receive: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.server.on('request', receive)
  }

  /**
   * Closes the server and all connections at once, including those in a TLS handshake, which the
   * server itself does not track.
   */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve())
      for (const socket of this.sockets) socket.destroy()
    })
  }
}
