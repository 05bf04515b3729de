import { isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { definitionsOf, type Tool } from './tool.ts'

/** The tools, and the first resource, that the server listed during the run. */
export class ListedByServer {
  private readonly byName = new Map<string, Tool>()
  /** The URI of the first resource. */
  resource: string | undefined

  get tools(): readonly Tool[] {
    return [...this.byName.values()]
  }

  add(exchange: McpExchange): void {
    for (const tool of definitionsOf([exchange]).tools) this.byName.set(tool.name, tool)
    const resources = exchange.result?.['resources']
    if (!Array.isArray(resources)) return
    this.resource ??= resources
      .map((entry: unknown) => (isObject(entry) ? entry['uri'] : undefined))
      .find((uri) => typeof uri === 'string')
  }
}
