import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pixel } from './picture.ts'

export interface PicturesOptions {
  /** host:port to listen on; port 0 takes a free one. */
  listen?: string | undefined
  /** Where the target reaches it, when that is not the address it listens on. */
  publicUrl?: string | undefined
}

/** A web server that the suite plays, for services that fetch pictures. Every path below /picture/ is one; everything else is not found. */
export class Pictures {
  private readonly server: Server
  private readonly base: string
  private readonly fetched = new Map<string, number>()

  private constructor(server: Server, base: string) {
    this.server = server
    this.base = base
    const picture = pixel()
    server.on('request', (request, response) => {
      const path = request.url ?? '/'
      this.fetched.set(path, this.fetches(path) + 1)
      if (path.startsWith('/picture/')) response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': picture.length }).end(picture)
      else response.writeHead(404, { 'Content-Length': 0 }).end()
    })
  }

  static async listen({ listen = '127.0.0.1:0', publicUrl }: PicturesOptions): Promise<Pictures> {
    const colon = listen.lastIndexOf(':')
    const [host, port] = [listen.slice(0, colon), Number(listen.slice(colon + 1))]
    const server = createServer()
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
    server.unref()
    const base = publicUrl ?? `http://${host}:${(server.address() as AddressInfo).port}`
    return new Pictures(server, base.replace(/\/$/, ''))
  }

  /** The URL of a picture of that name. */
  picture(name: string): string {
    return `${this.base}/picture/${name}.png`
  }

  /** A URL at which there is nothing. */
  nothing(name: string): string {
    return `${this.base}/nothing/${name}.png`
  }

  /** How often a URL of this server was asked for. */
  fetches(urlOrPath: string): number {
    return this.fetched.get(urlOrPath.replace(this.base, '')) ?? 0
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
