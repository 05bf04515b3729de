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
 * Whether requests can follow: the result contains a version. Other missing members are reported by
 * TOOL-MCP-01.
 */
export const isInitialized = (handshake: McpExchange): boolean =>
  typeof handshake.result?.['protocolVersion'] === 'string'

/** Whether the server requires another authentication, so that the transport was not tested. */
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

/** Sends initialize, and requests all pages of tools/list. */
export async function initializeAndListTools(
  connection: McpConnection,
  record: (exchange: McpExchange) => void,
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
  } while (typeof cursor === 'string' && listPages.length < maxListPages)
  return { connection, handshake, listPages }
}
