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

/** A check that speaks with the tool server. What it stands on is that a transport serves: `each` and `session` block it where none does. */
export function check(requirement: RequirementId, options: ActingOptions): ActingCheck<ToolsWorld> {
  return actingCheck(requirement, options)
}

/** A check that examines all exchanges of the run. What never shook hands is no server, however well-formed its answers are. */
export function watch(
  requirement: RequirementId,
  { examine, ...options }: Omit<WatchingOptions, 'sources'>,
): WatchingCheck<ToolsMessage> {
  // What is exchanged to get a token is no message of MCP, and neither is what somebody is told who has none.
  const examineMcp = (message: ToolsMessage) =>
    message instanceof McpExchange && message.httpStatus !== 401 ? examine(message) : []
  return watchingCheck(requirement, {
    sources: Object.values(transportRequirements),
    root: 'TOOL-MCP-01',
    ...options,
    examine: examineMcp,
  })
}
