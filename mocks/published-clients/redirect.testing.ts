import http from 'node:http'
import https from 'node:https'
import { vi } from 'vitest'
import type { ClientsMock } from './image-mocks.testing.ts'

/** The hosts that the published clients contain. None of them can be configured. */
const apiHost = 'api.cloudflare.com'
const batchHost = 'batch.imagedelivery.net'

/**
 * Sends the requests of clients to a mock instead of the hosts that the clients contain, by `fetch`
 * and by `https.request`. The paths stay the same, because the mock has the same base path. Throws
 * for every other host of HTTPS. `vi.unstubAllGlobals` and `vi.restoreAllMocks` undo it.
 */
export function redirectToMock({ accountUrl, batchUrl }: ClientsMock): void {
  const addressOf = (host: string | null | undefined): URL => {
    if (host === apiHost) return new URL(accountUrl)
    if (host === batchHost) return new URL(batchUrl)
    throw new Error(`A client sent a request to ${host}`)
  }
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol !== 'https:') return fetch(input, init)
    const { host } = addressOf(url.host)
    return fetch(new URL(url.pathname + url.search, `http://${host}`), init)
  })
  vi.spyOn(https, 'request').mockImplementation(((
    options: http.RequestOptions,
    onResponse?: (response: http.IncomingMessage) => void,
  ) => {
    const { hostname, port } = addressOf(options.hostname)
    const { method, path, headers } = options
    return http.request({ hostname, port, method, path, headers }, onResponse)
  }) as typeof https.request)
}
