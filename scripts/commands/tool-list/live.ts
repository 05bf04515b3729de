import { readValue } from '../../../conformance/target-file/kinds.ts'
import type {
  McpAccess,
  McpConnection,
  McpExchange,
  McpTransport,
} from '../../../conformance/wire/index.ts'
import { McpClient } from '../../../conformance/wire/mcp.ts'
import { newRedactor } from '../../../conformance/wire/secrets.ts'
import { UsageError } from '../../print-error.ts'
import { trustAdvice } from '../trust.ts'
import type { ToolList } from './tool-list.ts'
import { describeRefusal } from './refusal.ts'
import { splitCommand } from './split-command.ts'

/** The options that select a server, as commander returns them. */
export interface ToolServerOptions {
  http?: string
  sse?: string
  stdio?: string
  header?: string[]
}

/** The maximum size of a list in bytes: more than 50,000 tools. */
const maxListBytes = 16 * 1024 * 1024

/** A server may have endless pages, so at most this many are read. */
const maxPages = 1000

/**
 * Lists the tools of a server, page by page. Throws `UsageError` if the server does not return a
 * list.
 */
export async function fetchTools(
  transport: McpTransport,
  options: ToolServerOptions,
): Promise<ToolList> {
  const access = accessOf(options)
  const client = McpClient.open({
    access,
    timeout: 30_000,
    maxBytes: maxListBytes,
  })
  try {
    return await listed(await client.connect(transport), {
      server: options[transport] ?? '',
      hasHeader: options.header !== undefined,
      redact: newRedactor(secretsIn(access.headers ?? {})),
    })
  } finally {
    await client.close()
  }
}

/** A server whose tools are listed. */
interface ListedServer {
  /** Its URL or command line. */
  readonly server: string
  /** Whether --header was given. */
  readonly hasHeader: boolean
  /** Removes the values of headers, which a server can repeat in an error. */
  readonly redact: (text: string) => string
}

/** The credentials in headers, by the name of the header: what follows a scheme such as Bearer. */
const secretsIn = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/^[A-Za-z]+ +/, '')]),
  )

async function listed(connection: McpConnection, listedServer: ListedServer): Promise<ToolList> {
  const { server } = listedServer
  const { serverInfo } = resultOf(await connection.initialize(), connection, listedServer)
  const { name } = (serverInfo ?? {}) as { name?: unknown }
  const tools: unknown[] = []
  const seen = new Set<unknown>()
  let cursor: unknown
  do {
    const result = resultOf(
      await connection.request('tools/list', cursor === undefined ? {} : { cursor }),
      connection,
      listedServer,
    )
    if (!Array.isArray(result.tools))
      throw new UsageError(
        `no tools found: the result of tools/list from ${server} has no array named tools.`,
      )
    tools.push(...(result.tools as unknown[]))
    seen.add(cursor)
    cursor = result.nextCursor ?? undefined
  } while (cursor !== undefined && !seen.has(cursor) && seen.size < maxPages)
  return {
    tools,
    basePath: '$.tools',
    serverName: typeof name === 'string' ? name : undefined,
    more: cursor !== undefined,
  }
}

function resultOf(
  exchange: McpExchange,
  connection: McpConnection,
  { server, hasHeader, redact }: ListedServer,
): Readonly<Record<string, unknown>> {
  const { result, operation, why } = exchange
  if (result !== undefined) return result
  const last = connection.stderr.trim().split('\n').slice(-3).join('\n')
  const more = last === '' ? '' : `\nLast lines of its standard error: ${last}`
  const refusal = describeRefusal(exchange, connection, hasHeader)
  const reason = why ?? connection.why ?? 'there is no response'
  const advice = trustAdvice(reason)
  throw new UsageError(
    refusal === undefined
      ? `${server} does not respond to ${operation}: ${redact(reason)}${redact(more)}${advice === undefined ? '' : `\nNext: ${advice}`}`
      : `${server} responds to ${operation} with ${redact(refusal)}${redact(more)}`,
  )
}

function accessOf({ http, sse, stdio, header = [] }: ToolServerOptions): McpAccess {
  const [command, ...args] = stdio === undefined ? [] : splitCommand(stdio, '--stdio')
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
      `${flag} must be a URL that begins with http:// or https://, such as http://127.0.0.1:8000/mcp`,
    )
  return text
}

function pair(text: string): Record<string, string> {
  const cut = text.indexOf('=')
  const read =
    cut < 1
      ? { wrong: 'must be name=value' }
      : readValue({ kind: 'map' }, { value: { [text.slice(0, cut)]: text.slice(cut + 1) } })
  if ('wrong' in read) throw new UsageError(`--header ${read.wrong}.`)
  return read.value as Record<string, string>
}
