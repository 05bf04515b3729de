import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Counts what goes wrong on a server's connections before there is a request, and ends them. */
export class ConnectionErrors {
  /** TLS handshakes that failed, as far as this side was told: a client may also reject a certificate by just going away. */
  tls = 0
  /** Connections on which something came that is no HTTP, that broke off in a request, or that was too slow. */
  http = 0
  /** The latest of these errors, in the platform's words. */
  last: string | undefined

  constructor(server: Server) {
    const handshakes = new WeakSet<Error>()
    // A server with TLS reports a failed handshake as an error of the client once more: first come, first counted.
    server.prependListener('tlsClientError', (error: Error) => {
      handshakes.add(error)
      this.tls += 1
      this.last = error.message
    })
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      // A connection that is simply gone, between requests or in one, is no error of its bytes.
      const unread = !handshakes.has(error) && /^(HPE|ERR_HTTP)_/.test(error.code ?? '')
      if (!unread || !socket.writable) {
        socket.destroy()
      } else {
        const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        socket.write(
          `HTTP/1.1 ${slow ? '408 Request Timeout' : '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        )
        socket.destroySoon()
      }
      if (unread) {
        this.http += 1
        this.last = error.message
      }
    })
  }
}
