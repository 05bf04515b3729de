import type { McpExchange } from '../../../wire/index.ts'
import { maxListPages } from './handshake.ts'
import type { Session } from './client-session.ts'

/** What a list has, when all its parts have been asked for. */
export interface ListPages {
  /** Each part, as it was answered. */
  pages: readonly McpExchange[]
  entries: readonly unknown[]
}

/** Asks for a list, and follows its cursor. */
export async function listAll(
  { request }: Session,
  method: string,
  member: string,
): Promise<ListPages> {
  const exchanges: McpExchange[] = []
  const entries: unknown[] = []
  let cursor: unknown
  do {
    const exchange = await request(method, typeof cursor === 'string' ? { cursor } : {})
    exchanges.push(exchange)
    const part = exchange.result?.[member]
    if (Array.isArray(part)) entries.push(...(part as unknown[]))
    cursor = exchange.result?.['nextCursor']
  } while (typeof cursor === 'string' && exchanges.length < maxListPages)
  return { pages: exchanges, entries }
}

export const listTemplates = (session: Session): Promise<ListPages> =>
  listAll(session, 'resources/templates/list', 'resourceTemplates')
