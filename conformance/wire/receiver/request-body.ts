import type { IncomingMessage } from 'node:http'

/** A body, or as much of it as came and could be kept. */
export interface RequestBody {
  body: Buffer
  /** Why `body` is not the whole of it. */
  failure?: string
  /** Whether the sender finished, so that it waits for an answer. */
  isFinished: boolean
}

/** Reads a request's body and calls back once: at its end, or where it breaks off. What goes beyond `maxBytes` is read and forgotten. */
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
