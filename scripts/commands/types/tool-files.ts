import { contractNames } from '../../contracts.ts'
import type { ContractFiles } from './contract-files.ts'
import { toolsModule, type ToolsModule } from './tools/module.ts'
import type { NamedTools } from './tools/source.ts'

/**
 * Returns the file for the tools of a server. `skipped` lists the tools that it does not contain.
 */
export async function toolFiles({
  name,
  tools,
}: NamedTools): Promise<ContractFiles & Pick<ToolsModule, 'skipped'>> {
  const file = fileName(name)
  const { text, skipped } = await toolsModule(tools, `the tools of ${name}`)
  return { files: new Map([[`${file}.ts`, text]]), folder: `schemas/${file}`, skipped }
}

/**
 * Returns the name of the file without its extension: lowercase words joined by hyphens. It is
 * never the name of a contract.
 */
export function fileName(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) ?? []
  const joined = words.join('-').slice(0, 100) || 'tools'
  return contractNames().includes(joined) ? `server-${joined}` : joined
}
