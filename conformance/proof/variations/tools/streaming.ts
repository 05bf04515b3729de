import type { IncomingMessage, ServerResponse } from 'node:http'
import { changesHead } from '../../faults/tools/building.ts'
import type { DeviationPoints } from '../../../../mocks/stateful/tools.ts'

// How streams of events may be written.

type Headers = Record<string, string>

/** Rewrites each piece of every event stream, wherever it is served. The SDK writes whole events. */
export function streams(
  change: (text: string) => string | readonly Uint8Array[],
  begins = '',
): DeviationPoints {
  return {
    intercept(_request, response, next) {
      let isStream = false
      changesHead(response, (status, { 'content-length': length, ...headers }) => {
        isStream = headers['content-type']?.startsWith('text/event-stream') === true
        return isStream || length === undefined ? { status, headers } : undefined
      })
      rewrites(response, () => isStream, change, begins)
      next()
    },
  }
}

function rewrites(
  response: ServerResponse,
  applies: () => boolean,
  change: (text: string) => string | readonly Uint8Array[],
  begins: string,
): void {
  const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse
  let before = begins
  const out = (chunk: unknown): boolean => {
    const text = `${before}${typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString()}`
    before = ''
    const changed = change(text)
    return typeof changed === 'string'
      ? write(changed)
      : changed.map((piece) => write(piece)).every(Boolean)
  }
  response.write = ((chunk: unknown, ...rest: unknown[]) =>
    applies() ? out(chunk) : write(chunk, ...rest)) as typeof response.write
  response.end = ((...given: unknown[]) => {
    const [chunk] = given
    if (!applies() || chunk === undefined || typeof chunk === 'function') return end(...given)
    out(chunk)
    return end()
  }) as typeof response.end
}

/** Changes what goes out before the body. */
export const heads = (
  change: (
    status: number,
    headers: Headers,
    request: IncomingMessage,
  ) => { status: number; headers: Headers } | undefined,
): DeviationPoints => ({
  intercept(request, response, next) {
    changesHead(response, (status, headers) => change(status, headers, request))
    next()
  },
})

/** Cuts a text into pieces of so many bytes. */
export function pieces(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
}
