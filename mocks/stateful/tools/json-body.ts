import type { IncomingMessage } from 'node:http'
import { readBody } from '../http/body.ts'
import { Refusal } from '../http/reply.ts'
import type { ToolsContext } from './call.ts'

/** Reads the JSON of a body. What cannot be read is refused with 400, what is too large with 413. */
export async function jsonBody(
  request: IncomingMessage,
  { rules }: ToolsContext,
): Promise<unknown> {
  const bytes = await readBody(request, rules.maxBytes)
  try {
    return rules.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal(400, 'Parse error: the body is no JSON', -32700)
  }
}
