import { readValue } from '../../../conformance/target-file/kinds.ts'
import type {
  McpAccess,
  McpConnection,
  McpExchange,
  McpTransport,
} from '../../../conformance/wire/index.ts'
import { McpClient } from '../../../conformance/wire/mcp.ts'
import { UsageError } from '../../complain.ts'
import type { Listed } from './listed.ts'
import { wordsOf } from './words.ts'

/** Where servers are, as commander gives it. */
export interface Places {
  http?: string
  sse?: string
  stdio?: string
  header?: string[]
}

/** Pages that are read at most: a server may go on for ever. */
const mostPages = 1000

/** Asks a server for its tools, page by page. Throws `UsageError` where it does not tell them. */
export async function ask(transport: McpTransport, places: Places): Promise<Listed> {
  const door = McpClient.open({ access: accessOf(places), timeout: 30_000 })
  try {
    return await listed(await door.connect(transport), places[transport] ?? '')
  } finally {
    await door.close()
  }
}

async function listed(connection: McpConnection, place: string): Promise<Listed> {
  const { serverInfo } = resultOf(await connection.initialize(), connection, place)
  const { name } = (serverInfo ?? {}) as { name?: unknown }
  const tools: unknown[] = []
  const seen = new Set<unknown>()
  let cursor: unknown
  do {
    const result = resultOf(
      await connection.request('tools/list', cursor === undefined ? {} : { cursor }),
      connection,
      place,
    )
    if (!Array.isArray(result.tools))
      throw new UsageError(
        `no tools found: what ${place} answers to tools/list has no array named tools.`,
      )
    tools.push(...(result.tools as unknown[]))
    seen.add(cursor)
    cursor = result.nextCursor ?? undefined
  } while (cursor !== undefined && !seen.has(cursor) && seen.size < mostPages)
  return {
    tools,
    at: '$.tools',
    serverName: typeof name === 'string' ? name : undefined,
    more: cursor !== undefined,
  }
}

function resultOf(
  exchange: McpExchange,
  { why, stderr }: McpConnection,
  place: string,
): Readonly<Record<string, unknown>> {
  const { result, error } = exchange
  if (result !== undefined) return result
  const reason =
    error === undefined
      ? (exchange.why ?? why ?? 'there is no response')
      : `error ${JSON.stringify(error).slice(0, 200)}`
  const last = stderr.trim().split('\n').slice(-3).join('\n')
  throw new UsageError(
    `${place} does not answer ${exchange.operation}: ${reason}${last === '' ? '' : `\nIts last words: ${last}`}`,
  )
}

function accessOf({ http, sse, stdio, header = [] }: Places): McpAccess {
  const [command, ...args] = stdio === undefined ? [] : wordsOf(stdio, '--stdio')
  return {
    http: http === undefined ? undefined : urlOf('--http', http),
    sse: sse === undefined ? undefined : urlOf('--sse', sse),
    stdio: command === undefined ? undefined : { command, args },
    headers: Object.assign({}, ...header.map(pair)) as Record<string, string>,
  }
}

function urlOf(flag: string, text: string): string {
  const { protocol = '' } = URL.canParse(text) ? new URL(text) : {}
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new UsageError(
      `${flag} wants a URL that begins with http:// or https://, such as http://127.0.0.1:8000/mcp`,
    )
  return text
}

function pair(text: string): Record<string, string> {
  const cut = text.indexOf('=')
  const read =
    cut < 1
      ? { wrong: 'wants name=value' }
      : readValue({ kind: 'map' }, { value: { [text.slice(0, cut)]: text.slice(cut + 1) } })
  if ('wrong' in read) throw new UsageError(`--header ${read.wrong}.`)
  return read.value as Record<string, string>
}
