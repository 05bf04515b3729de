import { isObject } from '../../../engine/index.ts'
import { nearest } from '../../../target-file/nearest.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'
import { McpClient } from '../../../wire/mcp.ts'
import type { ToolsTarget } from '../target.ts'
import { initializeAndListTools } from './handshake.ts'
import { preflightToken } from './refused-session.ts'
import { isRefusal } from './results.ts'
import { definitionsOf, fieldsOf, hasNestedInput } from './tool.ts'

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
 * Finds misspelled names of tools in the target file, and calls that lack required arguments.
 * Resolves to one line; undefined if there are none, or if the server may be what is wrong. A name
 * is misspelled only if the complete list has a similar name instead, and if a call of the tool is
 * refused like a call of an unknown tool, over HTTP and SSE if the server has both: a server that
 * omits a tool from its list is judged by TOOL-MCP-12. Does not start the program of a server over
 * stdio.
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
  if (found.length === 0) return findWrongArguments(connection, calls, listPages)
  const more = listed.length - maxNames
  const names = `${listed.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `${found.join(' ')} The server lists ${names}.`
}

/**
 * Finds calls that lack an argument that the input schema of their tool requires, and that the
 * server refuses. A server that accepts such a call is left to the checks.
 */
async function findWrongArguments(
  connection: McpConnection,
  calls: readonly KeyedCall[],
  listPages: readonly McpExchange[],
): Promise<string | undefined> {
  const { tools } = definitionsOf(listPages)
  const found: string[] = []
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.tool)
    // The suite nests the arguments of such tools, and they are rare.
    if (tool === undefined || hasNestedInput(tool)) continue
    const { properties, required } = fieldsOf(tool)
    const missing = required.filter((name) => !Object.hasOwn(call.arguments, name))
    if (missing.length === 0 || !(await isRefused(connection, call))) continue
    const unknown = Object.keys(call.arguments).filter((name) => !Object.hasOwn(properties, name))
    const hints = unknown.flatMap((name) => {
      const near = nearest(name, missing)
      return near === undefined ? [] : ` Did you mean ${near} instead of ${name}?`
    })
    found.push(
      `The call of ${call.tool} lacks ${missing.join(' and ')}, which its input schema requires (${argumentsKeyOf(call)}).${hints.join('')}`,
    )
  }
  return found.length === 0 ? undefined : found.join(' ')
}

const argumentsKeyOf = ({ key, tool }: KeyedCall): string =>
  key === 'tools.calls' ? `tools.calls.${tool}` : key.replace(/tool$/, 'arguments')

async function isRefused(connection: McpConnection, call: KeyedCall): Promise<boolean> {
  const params = { name: call.tool, arguments: call.arguments }
  return isRefusal(await connection.request('tools/call', params))
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
