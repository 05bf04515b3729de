import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newGate } from '../../engine/index.ts'
import { HttpClient } from '../http.ts'
import { Browser, type BrowserOptions } from './browser.ts'

// Helpers for the tests of the browser. `afterEach(endAll)` closes what a test started.
const closers: (() => unknown)[] = []
export async function endAll(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

/** A request that a test server received. */
export interface SiteRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
  fields: URLSearchParams
}

/** The response of a test server: HTML, or a redirect. */
export interface SiteReply {
  status?: number
  html?: string
  to?: string
  headers?: Record<string, string | string[]>
}

/** Starts a server that responds with the result of `answer`, and records its requests. */
export async function site(
  answer: (request: SiteRequest) => SiteReply,
): Promise<{ url: string; requests: SiteRequest[] }> {
  const requests: SiteRequest[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (piece: string) => (body += piece))
      .on('end', () => {
        const { pathname, searchParams } = new URL(request.url!, 'http://h')
        const one: SiteRequest = {
          method: request.method!,
          path: pathname,
          query: searchParams,
          headers: request.headers,
          body,
          fields: new URLSearchParams(body),
        }
        requests.push(one)
        const { html, to, status = to === undefined ? 200 : 302, headers = {} } = answer(one)
        response
          .writeHead(status, {
            ...(to === undefined ? {} : { Location: to }),
            ...(html === undefined ? {} : { 'Content-Type': 'text/html; charset=utf-8' }),
            ...headers,
          })
          .end(html)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** The destination of the browsers in these tests. */
export const destination = 'http://127.0.0.1:9/cb'

export function browser(more: Partial<BrowserOptions> = {}): Browser {
  const httpClient = new HttpClient({ gate: newGate({ concurrency: 8 }), timeout: 2000 })
  closers.push(() => httpClient.close())
  return new Browser({
    send: (request) => httpClient.send(request),
    isDestination: (url) => url.href.startsWith(destination),
    ...more,
  })
}
