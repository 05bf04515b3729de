import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '../byte-budget.ts'

/** This many bytes of each body are always kept, without using the budget. */
const freeBytes = 64 * 1024

/** The part of a body that was received and kept. */
export interface RequestBody {
  body: Buffer
  /** Why `body` is incomplete. */
  failure?: string
  /** How many bytes of the budget `body` uses. */
  budgeted: number
  /** Whether the sender completed the request, and so waits for a response. */
  isFinished: boolean
}

/**
 * Reads the body of a request, and calls back once: at its end, or if it ends early. Discards the
 * bytes beyond `maxBytes`, and those for which the budget is too small.
 */
export function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (collected: RequestBody) => void,
  budget?: ByteBudget,
): void {
  let chunks: Buffer[] = []
  let size = 0
  let kept = 0
  let budgeted = 0
  let isKept = true
  let over = false
  const finish = (finished: boolean) => {
    if (over) return
    over = true
    const body = Buffer.concat(chunks, Math.min(kept, maxBytes))
    chunks = []
    const failure = !finished
      ? `the connection closed in the middle of the body, after ${size} bytes`
      : size > body.length
        ? `only the first ${body.length} of the body's ${size} bytes were kept`
        : undefined
    done({ body, budgeted, isFinished: finished, ...(failure === undefined ? {} : { failure }) })
  }
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    isKept &&= kept < maxBytes && (size <= freeBytes || budget?.take(chunk.length) !== false)
    if (!isKept) return
    if (size > freeBytes) budgeted += chunk.length
    kept += chunk.length
    chunks.push(chunk)
  })
  request.on('end', () => finish(true))
  request.on('error', () => finish(false))
  request.on('close', () => finish(request.complete))
}
