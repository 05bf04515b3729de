import { basename } from 'node:path'
import { fetchTools } from '../../tool-list/live.ts'
import { readTools } from '../../tool-list/saved.ts'
import { serverIn } from '../../tool-list/source.ts'
import type { ToolList } from '../../tool-list/tool-list.ts'
import { UsageError } from '../../../print-error.ts'

/** The tools of a server or file, and a name for the generated file. */
export interface NamedTools {
  name: string
  tools: readonly unknown[]
}

/**
 * Reads the tools of a server or a file. Rejects with a `UsageError` if there are none, or if the
 * list is incomplete.
 */
export async function toolsFrom(
  source: string,
  header: string[] | undefined,
  name: string | undefined,
): Promise<NamedTools> {
  const list = await listFrom(source, header)
  if (list.tools.length === 0) throw new UsageError(`${source} lists no tools.`)
  if (list.more)
    throw new UsageError(
      `${source} has a nextCursor, so it does not contain all tools.\nNext: save all pages in one array, or name the server itself`,
    )
  const isFile = list.serverName === undefined && source !== '-'
  return {
    name: name ?? list.serverName ?? (isFile ? basename(source).replace(/\.json$/, '') : 'tools'),
    tools: list.tools,
  }
}

function listFrom(source: string, header: string[] | undefined): Promise<ToolList> {
  const server = serverIn(source)
  if (server !== undefined)
    return fetchTools(server.transport, {
      [server.transport]: server.address,
      ...(header === undefined ? {} : { header }),
    })
  if (header !== undefined)
    throw new UsageError(
      '--header needs a server in --tools-from, such as http://127.0.0.1:8000/mcp',
    )
  return readTools(source)
}
