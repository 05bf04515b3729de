import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { smallPng } from './image.ts'

export interface ImageServerOptions {
  /** host:port to listen on; port 0 is any free port. */
  listen?: string | undefined
  /** The URL at which the target reaches it, if that is not the address it listens on. */
  publicUrl?: string | undefined
}

/**
 * A web server for services that fetch images. It serves an image at every path below /image/, and
 * sends the first half of one below /stalled/. Everything else gets a 404.
 */
export class ImageServer {
  private readonly server: Server
  private readonly baseUrl: string
  private readonly requestCounts = new Map<string, number>()
  /** The responses that are held back, by path. */
  private readonly stalledResponses = new Map<string, Set<ServerResponse>>()

  private constructor(server: Server, base: string) {
    this.server = server
    this.baseUrl = base
    const image = smallPng()
    const headers = { 'Content-Type': 'image/png', 'Content-Length': image.length }
    server.on('request', (request, response) => {
      const path = request.url ?? '/'
      this.requestCounts.set(path, this.countRequests(path) + 1)
      const stall = this.stalledResponses.get(path)
      if (stall !== undefined) {
        stall.add(response)
        response.writeHead(200, headers).write(image.subarray(0, image.length / 2))
      } else if (path.startsWith('/image/')) response.writeHead(200, headers).end(image)
      else response.writeHead(404, { 'Content-Length': 0 }).end()
    })
  }

  static async start({
    listen = '127.0.0.1:0',
    publicUrl,
  }: ImageServerOptions): Promise<ImageServer> {
    const colon = listen.lastIndexOf(':')
    const [host, port] = [listen.slice(0, colon), Number(listen.slice(colon + 1))]
    const server = createServer()
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, host, resolve),
    )
    server.unref()
    const base = publicUrl ?? `http://${host}:${(server.address() as AddressInfo).port}`
    return new ImageServer(server, base.replace(/\/$/, ''))
  }

  imageUrl(name: string): string {
    return `${this.baseUrl}/image/${name}.png`
  }

  /**
   * The URL of an image that stalls in its middle until `abortStalled` is called or the signal
   * aborts.
   */
  stalledUrl(name: string, signal?: AbortSignal): string {
    const path = `/stalled/${name}.png`
    this.stalledResponses.set(path, new Set())
    signal?.addEventListener('abort', () => this.abortStalled(path), { once: true })
    return this.baseUrl + path
  }

  /** Aborts the stalled responses at a URL, which gets a 404 from then on. */
  abortStalled(urlOrPath: string): void {
    const path = this.pathOf(urlOrPath)
    for (const response of this.stalledResponses.get(path) ?? []) response.destroy()
    this.stalledResponses.delete(path)
  }

  /** A URL that gets a 404. */
  missingUrl(name: string): string {
    return `${this.baseUrl}/nothing/${name}.png`
  }

  /** How often a URL of this server was requested. */
  countRequests(urlOrPath: string): number {
    return this.requestCounts.get(this.pathOf(urlOrPath)) ?? 0
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private pathOf(urlOrPath: string): string {
    return urlOrPath.replace(this.baseUrl, '')
  }
}
