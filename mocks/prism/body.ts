import type { IncomingMessage } from 'node:http'
import { ContractRefusal } from './envelope.ts'

/** No contract limits the file size; this limits the memory of the mock. */
export const maxBodyBytes = 32 * 1024 * 1024

/** Reads a whole body into memory, up to a limit. */
export async function readBody(incoming: IncomingMessage, limit = maxBodyBytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of incoming.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) break
      chunks.push(chunk)
    }
  } catch {
    throw new ContractRefusal(400, 'The connection broke before the body was complete')
  }
  if (size <= limit) return Buffer.concat(chunks)
  // The rest is read and discarded, because many clients read the response only after sending
  // everything.
  incoming.resume()
  throw new ContractRefusal(413, `The body is larger than ${limit} bytes`)
}

/** Parses a JSON body. An empty body becomes null, which is how Prism represents a missing body. */
export function parseJson(body: Buffer, contentType: string | undefined): unknown {
  if (body.length === 0) return null
  if (
    contentType !== undefined &&
    !/^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)
  ) {
    throw new ContractRefusal(400, 'The body must be application/json')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new ContractRefusal(400, 'The body is not JSON', { reason: 'body-not-json' })
  }
}
