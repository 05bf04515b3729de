import { isObject } from '../../../engine/index.ts'
import { nearest } from '../../../target-file/nearest.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'
import { McpClient } from '../../../wire/mcp.ts'
import type { ToolsTarget } from '../target.ts'
import { initializeAndListTools } from './handshake.ts'
import { preflightToken } from './refused-session.ts'

/** Milliseconds for each exchange. A server that is slower is judged by the checks. */
const timeout = 3000

/** A longer list of tools is left to the checks. */
const maxPages = 10

/** At most this many listed tools are named. */
const maxNames = 30

/** A call in the target file, with the key that names its tool. */
interface KeyedCall {
  readonly key: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

const keyedCalls = ({ search, long, get, calls = {} }: ToolsTarget): KeyedCall[] => [
  ...Object.entries({ search, long, get }).flatMap(([name, call]) =>
    call === undefined ? [] : [{ key: `tools.${name}.tool`, ...call }],
  ),
  ...Object.entries(calls).map(([tool, args]) => ({ key: 'tools.calls', tool, arguments: args })),
]

/**
 * Finds misspelled names of tools in the target file. Resolves to one line; undefined if there are
 * none, or if the server may be what is wrong. A name is misspelled only if the complete list has a
 * similar name instead, and if a call of the tool is refused like a call of an unknown tool, over
 * HTTP and SSE if the server has both: a server that omits a tool from its list is judged by
 * TOOL-MCP-12. Does not start the program of a server over stdio.
 */
export async function findWrongToolNames(target: ToolsTarget): Promise<string | undefined> {
  const calls = keyedCalls(target)
  if (calls.length === 0) return undefined
  const { http, sse, auth } = target
  const token = preflightToken(auth)
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const client = McpClient.open({ access: { http, sse, headers }, timeout })
  try {
    let found: string | undefined
    for (const transport of client.transports) {
      found = await findOver(await client.connect(transport), calls)
      if (found === undefined) return undefined
    }
    return found
  } finally {
    await client.close()
  }
}

async function findOver(
  connection: McpConnection,
  calls: readonly KeyedCall[],
): Promise<string | undefined> {
  const { listPages } = await initializeAndListTools(connection, undefined, maxPages)
  const listed = listedNames(listPages)
  const found: string[] = []
  for (const call of calls) {
    const near = listed.includes(call.tool) ? undefined : nearest(call.tool, listed)
    if (near !== undefined && (await isUnknown(connection, call)))
      found.push(`The server has no tool ${call.tool} (${call.key}). Did you mean ${near}?`)
  }
  if (found.length === 0) return undefined
  const more = listed.length - maxNames
  const names = `${listed.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `${found.join(' ')} The server lists ${names}.`
}

/** The names of all tools. Empty if a page is missing, or is not a list of named tools. */
function listedNames(pages: readonly McpExchange[]): string[] {
  if (typeof pages.at(-1)?.result?.['nextCursor'] === 'string') return []
  const names: string[] = []
  for (const { result } of pages) {
    const tools = result?.['tools']
    if (!Array.isArray(tools)) return []
    for (const tool of tools as unknown[]) {
      if (!isObject(tool) || typeof tool['name'] !== 'string') return []
      names.push(tool['name'])
    }
  }
  return names
}

/** Whether the server refuses a call as it refuses one of a tool that certainly does not exist. */
async function isUnknown(connection: McpConnection, call: KeyedCall): Promise<boolean> {
  const refusalOf = async (name: string): Promise<string | undefined> => {
    const params = { name, arguments: call.arguments }
    const { error, result } = await connection.request('tools/call', params)
    const refusal = error ?? (result?.['isError'] === true ? result : undefined)
    return refusal === undefined ? undefined : JSON.stringify(refusal).replaceAll(name, 'NAME')
  }
  const unknown = await refusalOf(`${call.tool}_of_touchstone`)
  return unknown !== undefined && (await refusalOf(call.tool)) === unknown
}
