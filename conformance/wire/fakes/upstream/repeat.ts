import { omittedHeaders } from './forward.ts'
import type { UpstreamRequest } from './mode.ts'

/**
 * Repeats a recorded request at the real upstream. Returns the JSON of its response; undefined if
 * it has none, or if the request is not a GET, because another one may not be repeated.
 */
export async function repeatAtRealUpstream(
  { method, path, query, headers }: UpstreamRequest,
  upstream: string,
  timeout: number,
): Promise<unknown> {
  if (method !== 'GET') return undefined
  const url = `${upstream.replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`
  // The encoding of the response concerns the client that receives it.
  const own = Object.entries(headers).filter(
    ([name]) => !omittedHeaders.has(name) && name !== 'accept-encoding',
  )
  try {
    const response = await fetch(url, { headers: own, signal: AbortSignal.timeout(timeout) })
    return response.ok ? ((await response.json()) as unknown) : undefined
  } catch {
    return undefined
  }
}
