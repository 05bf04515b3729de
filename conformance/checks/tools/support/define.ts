import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  actingCheck,
  watchingCheck,
  type ActingCheck,
  type WatchingCheck,
} from '../../../engine/index.ts'
import { McpExchange } from '../../../wire/mcp.ts'
import { transportRequirements } from './transport-requirements.ts'
import type { ToolsMessage } from './tools-message.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

type ActingOptions = Parameters<typeof actingCheck<ToolsWorld, ToolsNeed>>[1]
type WatchingOptions = Parameters<typeof watchingCheck<McpExchange, ToolsNeed>>[1]

/**
 * Makes a check that calls the tool server. By default, the check has no root (a requirement that
 * blocks the check if it is not met). Instead, `onEachTransport` blocks the check if no transport
 * works, and `session` blocks it if the transport of that session does not work.
 */
export function check(requirement: RequirementId, options: ActingOptions): ActingCheck<ToolsWorld> {
  return actingCheck(requirement, options)
}

/**
 * Makes a check that examines all exchanges of the run. Its default root is the handshake,
 * TOOL-MCP-01: a target without a handshake is not an MCP server, even if its responses are
 * well-formed.
 */
export function watch(
  requirement: RequirementId,
  { examine, ...options }: Omit<WatchingOptions, 'sources'>,
): WatchingCheck<ToolsMessage> {
  // Requests for a token, and responses to clients without a token, are not MCP messages.
  const examineMcp = (message: ToolsMessage) =>
    message instanceof McpExchange && message.httpStatus !== 401 ? examine(message) : []
  return watchingCheck(requirement, {
    sources: Object.values(transportRequirements),
    root: 'TOOL-MCP-01',
    ...options,
    examine: examineMcp,
  })
}
