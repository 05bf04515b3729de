import type { IncomingMessage } from 'node:http'
import { readBody } from '../http/body.ts'
import { Refusal } from '../http/reply.ts'
import type { ToolsContext } from './call.ts'

/**
 * Reads a JSON body. Throws a refusal, with status 400 if the body is not JSON, and with 413 if it
 * is too large.
 */
export async function jsonBody(
  request: IncomingMessage,
  { rules }: ToolsContext,
): Promise<unknown> {
  const bytes = await readBody(request, rules.maxMessageBytes)
  try {
    return rules.parseMessage(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal(400, 'Parse error: the body is not JSON', rules.parseErrorCode)
  }
}
