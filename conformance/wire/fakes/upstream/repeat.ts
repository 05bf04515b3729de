import { omittedHeaders } from './forward.ts'
import type { ResourceState, UpstreamRequest } from './mode.ts'

/**
 * Repeats a recorded GET request at the real upstream. Returns the JSON of a 2xx response,
 * otherwise undefined. Does not repeat other methods, because that could change data.
 */
export async function repeatAtRealUpstream(
  { method, path, query, headers }: UpstreamRequest,
  upstream: string,
  timeout: number,
): Promise<unknown> {
  if (method !== 'GET') return undefined
  const url = `${upstream.replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`
  try {
    const response = await getLike(headers, url, timeout)
    return response.ok ? ((await response.json()) as unknown) : undefined
  } catch {
    return undefined
  }
}

/**
 * Sends a GET request for a path to the real upstream, with the headers of a recorded request,
 * which may contain its credentials. Returns undefined if there is no response.
 */
export async function readStateAt(
  { headers }: Pick<UpstreamRequest, 'headers'>,
  upstream: string,
  path: string,
  timeout: number,
): Promise<ResourceState | undefined> {
  try {
    const response = await getLike(headers, `${upstream.replace(/\/+$/, '')}${path}`, timeout)
    return { status: response.status, body: await response.text() }
  } catch {
    return undefined
  }
}

function getLike(
  headers: UpstreamRequest['headers'],
  url: string,
  timeout: number,
): Promise<Response> {
  // `fetch` sends its own Accept-Encoding, because the recorded header names codings that the
  // recorded client can decode.
  const own = Object.entries(headers).filter(
    ([name]) => !omittedHeaders.has(name) && !['accept-encoding', 'content-type'].includes(name),
  )
  return fetch(url, { headers: own, signal: AbortSignal.timeout(timeout) })
}
