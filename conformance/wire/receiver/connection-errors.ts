import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Counts errors that prevent a server from reading a request, and closes the connections.
 */
export class ConnectionErrors {
  /**
   * Failed TLS handshakes that the server noticed. A server cannot notice that a client rejects its
   * certificate if the client only disconnects.
   */
  tls = 0
  /** How many of the failed TLS handshakes began with an HTTP request instead. */
  unencrypted = 0
  /** Connections that sent something other than HTTP, ended within a request, or were too slow. */
  http = 0
  /** The message of the latest of these errors, as Node reports it. */
  last: string | undefined

  constructor(server: Server) {
    const handshakes = new WeakSet<Error>()
    // A TLS server reports a failed handshake as a client error too. Counts it only once.
    server.prependListener('tlsClientError', (error: NodeJS.ErrnoException) => {
      handshakes.add(error)
      this.tls += 1
      if (error.code === 'ERR_SSL_HTTP_REQUEST') this.unencrypted += 1
      this.last = error.message
    })
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      // A reset connection is not counted as an error, whether or not a request had begun.
      const isHttpError = !handshakes.has(error) && /^(HPE|ERR_HTTP)_/.test(error.code ?? '')
      if (!isHttpError || !socket.writable) {
        socket.destroy()
      } else {
        const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        socket.write(
          `HTTP/1.1 ${slow ? '408 Request Timeout' : '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        )
        socket.destroySoon()
      }
      if (isHttpError) {
        this.http += 1
        this.last = error.message
      }
    })
  }
}
