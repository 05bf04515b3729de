import type { Timers } from '../../kit/timers.ts'
import type { ImagesContext } from './call.ts'
import type { FilePart } from './form.ts'
import { ImagesRefusal } from './refusal.ts'

/** Fetches the image at the URL of an upload, within the same limits as a file. */
export async function fetchImage(server: ImagesContext, address: string): Promise<FilePart> {
  const { choices, rules, options, timers } = server
  const url = urlOf(address)
  if (url === undefined) throw new ImagesRefusal('url-malformed', 400, 'url is not a URL', 5400)
  if (!rules.schemes.includes(url.protocol))
    throw new ImagesRefusal(
      'url-scheme',
      400,
      `Images cannot be fetched by ${url.protocol.slice(0, -1)}`,
      5454,
    )
  const cancellation = new AbortController()
  const { signal } = cancellation
  const cancel = () => cancellation.abort()
  const stop = timers.after(rules.fetchTimeoutMs, cancel)
  try {
    const response = await fetchWithRetries(url, signal)
    if (!response.ok) {
      await response.body?.cancel()
      throw new ImagesRefusal(
        'url-unfetchable',
        choices.unfetchableStatus,
        `The URL returned status ${response.status}`,
        5400,
      )
    }
    const bytes = await readBounded(response, options.maxFileBytes, () =>
      timers.after(rules.fetchStallMs, cancel),
    )
    if (bytes.length === 0 && !rules.acceptsEmptyFile)
      throw new ImagesRefusal(
        'url-unfetchable',
        choices.unfetchableStatus,
        'The URL returned an empty body',
        5400,
      )
    const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
    return { name: 'url', filename: filenameOfUrl(url, choices.filenameOfUrl), type, bytes }
  } catch (error) {
    if (error instanceof ImagesRefusal) throw error
    if (signal.aborted)
      throw new ImagesRefusal(
        'url-timeout',
        choices.unfetchableStatus,
        'Fetching the URL took too long',
        5408,
      )
    throw new ImagesRefusal(
      'url-unfetchable',
      choices.unfetchableStatus,
      'The URL cannot be fetched',
      5400,
    )
  } finally {
    stop()
  }
}

/** Fetching fails after this number of connections that the server closed. */
const maxClosedAttempts = 3

/**
 * Fetches a URL. If an attempt exceeds the connection timeout of `fetch`, tries again until
 * `signal` aborts, because this timeout can pass on a busy machine. If the server closes the
 * connection, tries again at most twice, because a server may close an idle connection just when it
 * is reused.
 */
async function fetchWithRetries(url: URL, signal: AbortSignal): Promise<Response> {
  for (let closed = 0; ;) {
    try {
      return await fetch(url, { signal, redirect: 'follow', headers: { accept: 'image/*,*/*' } })
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      if (signal.aborted) throw error
      if (cause?.code === 'UND_ERR_SOCKET' || cause?.code === 'ECONNRESET') closed += 1
      else if (cause?.code !== 'UND_ERR_CONNECT_TIMEOUT') throw error
      if (closed >= maxClosedAttempts) throw error
    }
  }
}

/**
 * Reads a body of at most `max` bytes. `startTimeout` starts a timeout for the next chunk and
 * returns a function that cancels it.
 */
async function readBounded(
  response: Response,
  max: number,
  startTimeout: () => ReturnType<Timers['after']>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  let stop = startTimeout()
  try {
    for await (const chunk of response.body ?? []) {
      stop()
      stop = startTimeout()
      size += (chunk as Uint8Array).length
      // Leaving the loop cancels the response.
      if (size > max)
        throw new ImagesRefusal('file-too-large', 413, `The file is larger than ${max} bytes`)
      chunks.push(chunk as Uint8Array)
    }
  } finally {
    stop()
  }
  return Buffer.concat(chunks)
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** The filename of an image that is fetched from a URL. */
export function filenameOfUrl(url: URL, form: ImagesContext['choices']['filenameOfUrl']): string {
  if (form === 'url') return url.href
  if (form === 'fixed') return 'image'
  const last = url.pathname.split('/').pop() ?? ''
  try {
    return decodeURIComponent(last) || url.hostname
  } catch {
    return last
  }
}
