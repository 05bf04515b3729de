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

/** Options of the HTTP server. Times are in milliseconds. */
const serverOptions = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  // Idle connections stay open for a long time. If the suite closed one just as a sender used it,
  // the delivery would be lost.
  keepAliveTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  // Requests without a Host header must be recorded too.
  requireHostHeader: false,
} as const
const maxConnections = 2000

/** A web server that keeps track of its connections, so that it can close all of them. */
export class Listener {
  /** Scheme, host and port at which the server is reached on this machine. */
  readonly origin: string
  /** The URL at which clients on other machines reach the server, without a trailing slash. */
  readonly baseUrl: string
  /** The certificate in PEM; undefined without TLS. */
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
   * Starts a server at an address such as `127.0.0.1:0`. Rejects with an error message for users if
   * the address or the public URL is invalid, or if the port is not available.
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
        ? createHttp(serverOptions)
        : createHttps({
            ...serverOptions,
            ...certificate,
            handshakeTimeout: serverOptions.headersTimeout,
          })
    server.maxConnections = maxConnections
    const origin = originOf({ ...wanted, port: await startListening(server, wanted) }, tls)
    return new Listener(server, origin, base ?? origin, certificate?.cert)
  }

  /** Sets the function that handles requests. */
  onRequest(receive: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.server.on('request', receive)
  }

  /**
   * Closes the server and all connections at once. Includes connections in a TLS handshake, which
   * the server does not track.
   */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve())
      for (const socket of this.sockets) socket.destroy()
    })
  }
}
