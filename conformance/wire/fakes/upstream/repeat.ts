import { omittedHeaders } from './forward.ts'
import type { UpstreamRequest } from './mode.ts'

/**
 * Repeats a recorded GET request at the real upstream. Returns the JSON of a 2xx response;
 * undefined otherwise. Also returns undefined for other methods, because repeating such requests
 * could change data.
 */
export async function repeatAtRealUpstream(
  { method, path, query, headers }: UpstreamRequest,
  upstream: string,
  timeout: number,
): Promise<unknown> {
  if (method !== 'GET') return undefined
  const url = `${upstream.replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`
  // Accept-Encoding states what the recorded client can decode, so `fetch` sends its own.
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
