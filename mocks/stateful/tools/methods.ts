import { isObject } from '../http/body.ts'
import type { ToolsContext, ToolsSession } from './call.ts'
import { callTool } from './call-tool.ts'
import { listTools } from './definitions.ts'
import {
  invalidParams,
  logLevels,
  methodNotFound,
  JsonRpcError,
  type LogLevel,
} from './protocol.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import type { CallChannel } from './client-messages.ts'

export interface McpRequest {
  method: string
  rawParams: unknown
  session: ToolsSession
  /** Sends messages to the client while the request is handled. */
  channel: CallChannel
  /** Aborts when the client cancels the request. */
  signal: AbortSignal
}

/**
 * Handles one request and returns its result. Throws a `JsonRpcError` if the request is refused;
 * the caller turns it into an error response.
 */
export async function handleRequest(
  context: ToolsContext,
  { method, rawParams, session, channel, signal }: McpRequest,
): Promise<object> {
  const { choices } = context
  const params = isObject(rawParams) ? rawParams : {}
  switch (method) {
    case 'initialize':
      return initialize(context, session, params)
    case 'ping':
      return {}
    case 'tools/list':
      return listTools(context, params['cursor'])
    case 'tools/call':
      return callTool(context, session, params, channel, signal)
    case 'logging/setLevel':
      if (choices.logging) return setLevel(session, params['level'])
      break
    case 'resources/list':
      if (choices.resources) return listResources(context)
      break
    case 'resources/templates/list':
      if (choices.resources) return listTemplates(context)
      break
    case 'resources/read':
      if (choices.resources) return readResource(context, params['uri'])
      break
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      if (choices.resources && choices.subscriptions) {
        // Throws if the URI is unknown.
        readResource(context, params['uri'])
        return {}
      }
      break
  }
  const result = context.fixtures?.handle(context, method, params)
  if (result !== undefined) return result
  throw new JsonRpcError(methodNotFound, `Method not found: ${method}`)
}

/** The capabilities of the server. */
export function capabilitiesOf({
  choices: { logging, resources, subscriptions },
  fixtures,
}: ToolsContext): Record<string, object> {
  return {
    tools: {},
    ...(resources ? { resources: subscriptions ? { subscribe: true } : {} } : {}),
    ...(logging ? { logging: {} } : {}),
    ...fixtures?.capabilities,
  }
}

function initialize(
  context: ToolsContext,
  session: ToolsSession,
  { protocolVersion, capabilities }: Record<string, unknown>,
): object {
  const { rules, choices, name } = context
  session.capabilities = isObject(capabilities) ? capabilities : {}
  session.protocolVersion = rules.negotiateVersion(protocolVersion, choices.versions)
  return {
    protocolVersion: session.protocolVersion,
    capabilities: capabilitiesOf(context),
    serverInfo: { name, version: '1.0.0' },
    ...(choices.instructions
      ? { instructions: 'Search the shelf before you recommend a book from it.' }
      : {}),
  }
}

function setLevel(session: ToolsSession, level: unknown): object {
  if (!logLevels.includes(level as LogLevel))
    throw new JsonRpcError(invalidParams, `level must be one of ${logLevels.join(', ')}`)
  session.level = level as LogLevel
  return {}
}
