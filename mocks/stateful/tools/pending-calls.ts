import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import { isObject } from '../http/body.ts'
import type { ToolsContext } from './call.ts'
import { isRequest, isResponse, methodNotFound, type JsonRpc } from './protocol.ts'

/** Why a call failed, for the request log. */
export interface CallFailure {
  reason: string
  requirement?: RequirementId
}

/**
 * Says why a call failed according to its response: a JSON-RPC error, or a result with `isError`.
 * Undefined for other responses.
 */
export function failureReason({ error, result }: JsonRpc): string | undefined {
  if (isObject(error)) return `JSON-RPC error ${String(error['code'])}: ${String(error['message'])}`
  if (!isObject(result) || result['isError'] !== true) return undefined
  const { content } = result
  const [first] = Array.isArray(content) ? (content as unknown[]) : []
  const text = isObject(first) && typeof first['text'] === 'string' ? first['text'] : ''
  return `isError: ${text.split('\n', 1)[0]}`
}

/**
 * Remembers the requests of a session that have no response yet, each with its source, and reports
 * those that fail: HTTP responses have status 200 even if a call fails.
 */
export class PendingCalls<Source> {
  private readonly calls = new Map<unknown, { message: JsonRpc; source: Source }>()
  private readonly context: ToolsContext
  private readonly onFailure: (source: Source, failure: CallFailure, call: JsonRpc) => void

  constructor(
    context: ToolsContext,
    onFailure: (source: Source, failure: CallFailure, call: JsonRpc) => void,
  ) {
    this.context = context
    this.onFailure = onFailure
  }

  add(messages: readonly JsonRpc[], source: Source): void {
    for (const message of messages)
      if (isRequest(message)) this.calls.set(message['id'], { message, source })
  }

  /** Forgets the calls of a source, because its client can receive no response any more. */
  remove(source: Source): void {
    for (const [id, call] of this.calls) if (call.source === source) this.calls.delete(id)
  }

  /** Examines every message that a transport sends from now on. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => {
      this.examine(message as JsonRpc)
      return send(message, options)
    }
  }

  private examine(response: JsonRpc): void {
    if (!isResponse(response)) return
    const pending = this.calls.get(response['id'])
    if (pending === undefined) return
    this.calls.delete(response['id'])
    const { message, source } = pending
    const reason = failureReason(response)
    if (reason === undefined) return
    const requirement = this.requirementOf(message, response)
    this.onFailure(
      source,
      { reason, ...(requirement === undefined ? {} : { requirement }) },
      message,
    )
  }

  /** The requirement according to which a request fails. */
  private requirementOf(
    { method, params }: JsonRpc,
    { error }: JsonRpc,
  ): RequirementId | undefined {
    if (isObject(error) && error['code'] === methodNotFound) return 'TOOL-MCP-08'
    if (method !== 'tools/call' || !isObject(params)) return undefined
    const isKnown = this.context.tools.some(({ name }) => name === params['name'])
    return isKnown ? undefined : 'TOOL-CALL-06'
  }
}
