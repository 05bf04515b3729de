import type { IncomingMessage } from 'node:http'
import { isObject, jsonOf, readBody } from '../http/body.ts'
import { ImagesRefusal } from './refusal.ts'

const maxJsonBytes = 1024 * 1024

/** Reads a JSON body; undefined if there is no body. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, maxJsonBytes, 400)
  if (bytes.length === 0) return undefined
  const json = jsonOf(bytes)
  if (json === undefined) throw new ImagesRefusal('body-not-json', 400, 'The body is not JSON')
  return json.value
}

/** Returns the body as an object, or throws a refusal. */
export function objectOf(body: unknown): Record<string, unknown> {
  if (!isObject(body))
    throw new ImagesRefusal('body-not-object', 400, 'The body must be a JSON object')
  return body
}
