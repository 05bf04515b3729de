import type { Expectation } from '../../../engine/index.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'

/** The initialize exchange of a connection, and the pages of its tools/list. */
export interface OpenedSession {
  connection: McpConnection
  handshake: McpExchange
  listPages: readonly McpExchange[]
}

/** Maximum number of pages of a list to request. An endless cursor is reported by TOOL-MCP-12. */
export const maxListPages = 50

/**
 * Whether the client can send further requests, because the result of initialize contains a
 * protocol version. TOOL-MCP-01 reports other missing members of the result.
 */
export const isInitialized = (handshake: McpExchange): boolean =>
  typeof handshake.result?.['protocolVersion'] === 'string'

/**
 * Whether the server refused the connection because of wrong or missing credentials. In that case
 * the transport itself was not tested.
 */
export const isAccessDenied = (
  { transport, stream }: Pick<McpConnection, 'transport' | 'stream'>,
  { httpStatus }: McpExchange,
): boolean =>
  transport !== 'stdio' &&
  [stream?.httpStatus, httpStatus].some((status) => status === 401 || status === 403)

export const hasInitializeResult: Expectation<McpExchange> = {
  name: 'answers initialize',
  expected: 'a result for initialize',
  test: ({ result }) => result !== undefined,
}

/** Sends initialize, and requests all pages of tools/list, but at most `maxPages`. */
export async function initializeAndListTools(
  connection: McpConnection,
  record: (exchange: McpExchange) => void = () => {},
  maxPages = maxListPages,
): Promise<OpenedSession> {
  const handshake = await connection.initialize()
  record(handshake)
  const listPages: McpExchange[] = []
  if (!isInitialized(handshake)) return { connection, handshake, listPages }
  let cursor: unknown
  do {
    const page = await connection.request(
      'tools/list',
      typeof cursor === 'string' ? { cursor } : {},
    )
    record(page)
    listPages.push(page)
    cursor = page.result?.['nextCursor']
  } while (typeof cursor === 'string' && listPages.length < maxPages)
  return { connection, handshake, listPages }
}
