import type { IncomingMessage, ServerResponse } from 'node:http'
import { changeHead } from '../../faults/tools/building.ts'
import type { DeviationPoints } from '../../../../mocks/stateful/tools.ts'

// Building blocks for variations of HTTP responses.

type Headers = Record<string, string>

/**
 * Rewrites each chunk of every event stream, after adding `prefix` to the first chunk. A chunk
 * contains whole events, because the SDK writes them as a whole.
 */
export function rewriteStreams(
  change: (text: string) => string | readonly Uint8Array[],
  prefix = '',
): DeviationPoints {
  return {
    intercept(_request, response, next) {
      let isStream = false
      changeHead(response, (status, { 'content-length': length, ...headers }) => {
        isStream = headers['content-type']?.startsWith('text/event-stream') === true
        return isStream || length === undefined ? { status, headers } : undefined
      })
      rewriteResponse(response, () => isStream, change, prefix)
      next()
    },
  }
}

function rewriteResponse(
  response: ServerResponse,
  applies: () => boolean,
  change: (text: string) => string | readonly Uint8Array[],
  prefix: string,
): void {
  const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
  let pending = prefix
  const out = (chunk: unknown): boolean => {
    const text = `${pending}${typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString()}`
    pending = ''
    const changed = change(text)
    return typeof changed === 'string'
      ? write(changed)
      : changed.map((piece) => write(piece)).every(Boolean)
  }
  response.write = ((chunk: unknown, ...rest: unknown[]) =>
    applies() ? out(chunk) : write(chunk, ...rest)) as typeof response.write
  response.end = ((...args: unknown[]) => {
    const [chunk] = args
    if (!applies() || chunk === undefined || typeof chunk === 'function') return end(...args)
    out(chunk)
    return end()
  }) as typeof response.end
}

/** Changes status and headers of responses. */
export const onHead = (
  change: (
    status: number,
    headers: Headers,
    request: IncomingMessage,
  ) => { status: number; headers: Headers } | undefined,
): DeviationPoints => ({
  intercept(request, response, next) {
    changeHead(response, (status, headers) => change(status, headers, request))
    next()
  },
})

/** Splits a string into chunks of this many bytes. */
export function splitBytes(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
}
