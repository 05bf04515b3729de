import { omittedHeaders } from './forward.ts'
import type { UpstreamRequest } from './mode.ts'

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
  // `fetch` sends its own Accept-Encoding, because the recorded header names codings that the
  // recorded client can decode.
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
