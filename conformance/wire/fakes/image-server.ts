import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { smallPng } from './image.ts'

export interface ImageServerOptions {
  /** host:port to listen on; port 0 is any free port. */
  listen?: string | undefined
  /** The URL at which the target reaches the server, if it differs from the address in `listen`. */
  publicUrl?: string | undefined
}

/**
 * A web server for services that fetch images. Every path below /image/ returns the same image.
 * `serve`, `serveAtOddUrl`, `redirectTo`, `stalledUrl` and `heldUrl` add URLs that return a given
 * file, redirect, send only the first half of an image, or return 404 later. All other paths return
 * 404. Caches must not store the images.
 */
export class ImageServer {
  private readonly server: Server
  private readonly baseUrl: string
  private readonly requestCounts = new Map<string, number>()
  /** The responses that have stalled, by path. */
  private readonly stalledResponses = new Map<string, Set<ServerResponse>>()
  /** The files that `serve` added, by path and query. */
  private readonly served = new Map<string, Uint8Array>()
  private readonly redirects = new Map<string, string>()
  /** For each path that returns 404 only later: when it does. */
  private readonly held = new Map<string, Promise<void>>()

  private constructor(server: Server, base: string) {
    this.server = server
    this.baseUrl = base
    const image = smallPng()
    const headersOf = (file: Uint8Array) => ({
      'Content-Type': 'image/png',
      'Content-Length': file.length,
      'Cache-Control': 'no-store',
    })
    server.on('request', (request, response) => {
      const path = request.url ?? '/'
      if (request.method === 'GET') this.requestCounts.set(path, this.countRequests(path) + 1)
      const stall = this.stalledResponses.get(path)
      const file = this.served.get(path) ?? (path.startsWith('/image/') ? image : undefined)
      const location = this.redirects.get(path)
      if (stall !== undefined) {
        stall.add(response)
        response.writeHead(200, headersOf(image)).write(image.subarray(0, image.length / 2))
      } else if (location !== undefined)
        response.writeHead(302, { Location: location, 'Content-Length': 0 }).end()
      else if (file !== undefined) response.writeHead(200, headersOf(file)).end(file)
      else
        void Promise.resolve(this.held.get(path)).then(() =>
          response.writeHead(404, { 'Content-Length': 0 }).end(),
        )
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

  /** Serves a file at a new URL, and returns the URL. Without its query, the URL returns 404. */
  serve(name: string, file: Uint8Array): string {
    const path = `/served/${name}.png?of=${name}&v=2`
    this.served.set(path, file)
    return this.baseUrl + path
  }

  /**
   * Serves a file at a URL that must be requested exactly as it is: its case matters, and it
   * contains escaped delimiters, even an escaped percent sign.
   */
  serveAtOddUrl(name: string, file: Uint8Array): string {
    const path = `/Served/${name}.PNG?Of=${name}&key=A%2Fb%3Fc%26d%252F`
    this.served.set(path, file)
    return this.baseUrl + path
  }

  /** The URLs below the path of a URL that were requested, in whatever case and with any query. */
  urlsSimilarTo(url: string): string[] {
    const pathOf = (one: string) => one.replace(/[?].*/s, '').toLowerCase()
    const path = pathOf(this.pathOf(url))
    return [...this.requestCounts.keys()]
      .filter((requested) => pathOf(requested) === path)
      .map((requested) => this.baseUrl + requested)
  }

  /** A URL that redirects to `location`. */
  redirectTo(location: string, name: string): string {
    const path = `/moved/${name}.png`
    this.redirects.set(path, location)
    return this.baseUrl + path
  }

  /**
   * The URL of an image that stalls after its first half, until `abortStalled` is called or the
   * signal aborts.
   */
  stalledUrl(name: string, signal?: AbortSignal): string {
    const path = `/stalled/${name}.png`
    this.stalledResponses.set(path, new Set())
    signal?.addEventListener('abort', () => this.abortStalled(path), { once: true })
    return this.baseUrl + path
  }

  /** Aborts the stalled responses at a URL. The URL returns 404 from then on. */
  abortStalled(urlOrPath: string): void {
    const path = this.pathOf(urlOrPath)
    for (const response of this.stalledResponses.get(path) ?? []) response.destroy()
    this.stalledResponses.delete(path)
  }

  /** A URL that returns 404. */
  missingUrl(name: string): string {
    return `${this.baseUrl}/nothing/${name}.png`
  }

  /** A URL that returns 404 as soon as `until` resolves, which must not reject. */
  heldUrl(name: string, until: Promise<void>): string {
    const path = `/held/${name}.png`
    this.held.set(path, until)
    return this.baseUrl + path
  }

  /** How often a URL of this server was requested with GET. */
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
