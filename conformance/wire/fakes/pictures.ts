import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pixel } from './picture.ts'

export interface PicturesOptions {
  /** host:port to listen on; port 0 takes a free one. */
  listen?: string | undefined
  /** Where the target reaches it, when that is not the address it listens on. */
  publicUrl?: string | undefined
}

/**
 * A web server that the suite plays, for services that fetch pictures. Every path below /picture/ is one, those below /stalled/ begin one and never
 * finish it; everything else is not found.
 */
export class Pictures {
  private readonly server: Server
  private readonly base: string
  private readonly fetched = new Map<string, number>()
  /** What is held back, by path. */
  private readonly stalls = new Map<string, Set<ServerResponse>>()

  private constructor(server: Server, base: string) {
    this.server = server
    this.base = base
    const picture = pixel()
    const headers = { 'Content-Type': 'image/png', 'Content-Length': picture.length }
    server.on('request', (request, response) => {
      const path = request.url ?? '/'
      this.fetched.set(path, this.fetches(path) + 1)
      const stall = this.stalls.get(path)
      if (stall !== undefined) {
        stall.add(response)
        response.writeHead(200, headers).write(picture.subarray(0, picture.length / 2))
      } else if (path.startsWith('/picture/')) response.writeHead(200, headers).end(picture)
      else response.writeHead(404, { 'Content-Length': 0 }).end()
    })
  }

  static async listen({ listen = '127.0.0.1:0', publicUrl }: PicturesOptions): Promise<Pictures> {
    const colon = listen.lastIndexOf(':')
    const [host, port] = [listen.slice(0, colon), Number(listen.slice(colon + 1))]
    const server = createServer()
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, host, resolve),
    )
    server.unref()
    const base = publicUrl ?? `http://${host}:${(server.address() as AddressInfo).port}`
    return new Pictures(server, base.replace(/\/$/, ''))
  }

  /** The URL of a picture of that name. */
  picture(name: string): string {
    return `${this.base}/picture/${name}.png`
  }

  /** The URL of a picture that stops in its middle, until it is let go or the signal aborts. */
  stalled(name: string, signal?: AbortSignal): string {
    const path = `/stalled/${name}.png`
    this.stalls.set(path, new Set())
    signal?.addEventListener('abort', () => this.letGo(path), { once: true })
    return this.base + path
  }

  /** Breaks off whatever waits for the rest of a picture. There is nothing at its URL from now on. */
  letGo(urlOrPath: string): void {
    const path = this.pathOf(urlOrPath)
    for (const response of this.stalls.get(path) ?? []) response.destroy()
    this.stalls.delete(path)
  }

  /** A URL at which there is nothing. */
  nothing(name: string): string {
    return `${this.base}/nothing/${name}.png`
  }

  /** How often a URL of this server was asked for. */
  fetches(urlOrPath: string): number {
    return this.fetched.get(this.pathOf(urlOrPath)) ?? 0
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private pathOf(urlOrPath: string): string {
    return urlOrPath.replace(this.base, '')
  }
}
