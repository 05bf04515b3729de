import type { IncomingMessage } from 'node:http'
import { Refusal } from './call.ts'

const maxJsonBytes = 1024 * 1024

/** Reads a JSON body; undefined when there is no body at all. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxJsonBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw new Refusal(400, 'The connection broke before the body was complete')
  }
  if (size > maxJsonBytes) throw new Refusal(400, 'The body is too large for what it has to say')
  if (size === 0) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new Refusal(400, 'The body is not JSON')
  }
}

/** The body as an object, or a refusal. */
export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(400, 'The body has to be a JSON object')
  return body as Record<string, unknown>
}
