import type { IncomingMessage } from 'node:http'

/** The part of a body that was received and kept. */
export interface RequestBody {
  body: Buffer
  /** Why `body` is incomplete. */
  failure?: string
  /** Whether the sender completed the request, and so waits for a response. */
  isFinished: boolean
}

/**
 * Reads the body of a request, and calls back once: at its end, or if it ends early. Discards the
 * bytes beyond `maxBytes`.
 */
export function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (collected: RequestBody) => void,
): void {
  let chunks: Buffer[] = []
  let size = 0
  let over = false
  const finish = (finished: boolean) => {
    if (over) return
    over = true
    const body = Buffer.concat(chunks, Math.min(size, maxBytes))
    chunks = []
    const failure = !finished
      ? `the connection closed in the middle of the body, after ${size} bytes`
      : size > maxBytes
        ? `of the body's ${size} bytes only the first ${maxBytes} were kept`
        : undefined
    done({ body, isFinished: finished, ...(failure === undefined ? {} : { failure }) })
  }
  request.on('data', (chunk: Buffer) => {
    if (size < maxBytes) chunks.push(chunk)
    size += chunk.length
  })
  request.on('end', () => finish(true))
  request.on('error', () => finish(false))
  request.on('close', () => finish(request.complete))
}
