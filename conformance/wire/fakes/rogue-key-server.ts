import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { attackersKey, attackersJwks } from '../jwt/attacker.ts'

/**
 * The web server of an attacker. Forged tokens contain URLs of this server. A target that requests
 * them receives keys that match the forged signatures. The server records the requested paths.
 */
export class RogueKeyServer {
  readonly url: string
  readonly requestedPaths: string[] = []
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', ({ url = '/' }, response) => {
      this.requestedPaths.push(url)
      if (url === '/jwks.json')
        response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(attackersJwks()))
      else if (url === '/cert.pem')
        response
          .writeHead(200, { 'Content-Type': 'application/x-pem-file' })
          .end(attackersKey().certificate)
      else response.writeHead(404, { 'Content-Length': 0 }).end()
    })
  }

  static async start(): Promise<RogueKeyServer> {
    const server = createServer()
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(0, '127.0.0.1', resolve),
    )
    server.unref()
    return new RogueKeyServer(server)
  }

  /** Closes the server and all connections. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve())
      this.server.closeAllConnections()
    })
  }
}
