import { isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { newestVersion } from '../../../wire/mcp/version.ts'
import { definitionsOf, type Tool } from './tool.ts'

/**
 * The tools, and the first resource, that the server listed during the run, and the versions of MCP
 * that it agreed on.
 */
export class ListedByServer {
  private readonly byName = new Map<string, Tool>()
  /** The URI of the first resource. */
  resource: string | undefined
  /** The versions that the server returned for the newest version. */
  readonly protocolVersions = new Set<string>()

  get tools(): readonly Tool[] {
    return [...this.byName.values()]
  }

  add(exchange: McpExchange): void {
    for (const tool of definitionsOf([exchange]).tools) this.byName.set(tool.name, tool)
    const version = exchange.result?.['protocolVersion']
    if (typeof version === 'string' && exchange.sent.text?.includes(`"${newestVersion}"`) === true)
      this.protocolVersions.add(version)
    const resources = exchange.result?.['resources']
    if (!Array.isArray(resources)) return
    this.resource ??= resources
      .map((entry: unknown) => (isObject(entry) ? entry['uri'] : undefined))
      .find((uri) => typeof uri === 'string')
  }
}
