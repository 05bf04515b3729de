import type { IncomingMessage } from 'node:http'
import { Refusal } from './reply.ts'

/**
 * Reads a whole body into memory. Throws a refusal, with status `tooLargeStatus` if the body
 * exceeds `limit` bytes, and with 400 if the connection broke.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  tooLargeStatus = 413,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > limit) break
      chunks.push(chunk)
    }
  } catch {
    throw new Refusal(400, 'The connection broke before the body was complete')
  }
  if (size > limit) throw new Refusal(tooLargeStatus, `The body is larger than ${limit} bytes`)
  return Buffer.concat(chunks)
}

/** Reads bytes as JSON; undefined if they are not JSON. */
export function jsonOf(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown }
  } catch {
    return undefined
  }
}

/** A JSON object. */
export type JsonObject = Record<string, unknown>

/** Whether the value is an object, and neither an array nor bytes. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  )
}
