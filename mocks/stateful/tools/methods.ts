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
import { listResources, readResource, resourceTemplates } from './resources.ts'
import type { CallChannel } from './client-messages.ts'

/** Handles one request. A thrown error becomes a JSON-RPC error. */
export async function handleRequest(
  method: string,
  rawParams: unknown,
  context: ToolsContext,
  session: ToolsSession,
  channel: CallChannel,
  signal: AbortSignal,
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
      if (choices.resources) return { resourceTemplates: resourceTemplates }
      break
    case 'resources/read':
      if (choices.resources) return readResource(context, params['uri'])
      break
  }
  throw new JsonRpcError(methodNotFound, `Method not found: ${method}`)
}

/** The capabilities of the server. */
export function capabilitiesOf({
  choices: { logging, resources },
}: ToolsContext): Record<string, object> {
  return { tools: {}, ...(resources ? { resources: {} } : {}), ...(logging ? { logging: {} } : {}) }
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
