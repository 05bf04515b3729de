import { isObject } from '../../engine/index.ts'
import type { McpHandler, McpReply } from './api.ts'
import type { McpReceived } from './exchange.ts'
import { type RpcId } from './jsonrpc.ts'

/** What a request of the server is answered with: by the handler, else ping with an empty result and everything else with -32601. */
export async function replyTo(
  { json }: McpReceived,
  handler: McpHandler | undefined,
): Promise<McpReply> {
  const { id, method, params } = json
  const own = await handler?.({
    id: id as RpcId,
    method: String(method),
    params: isObject(params) ? params : {},
  })
  if (own !== undefined) return own
  return method === 'ping'
    ? { result: {} }
    : { error: { code: -32601, message: 'Method not found' } }
}
