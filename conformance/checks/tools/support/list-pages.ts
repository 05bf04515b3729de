import type { McpExchange } from '../../../wire/index.ts'
import { maxListPages } from './handshake.ts'
import type { Session } from './client-session.ts'

/** The pages of a list, and the entries of all these pages. */
export interface ListPages {
  pages: readonly McpExchange[]
  entries: readonly unknown[]
}

/**
 * Requests a list and follows its cursor, up to `maxListPages` pages. `member` is the member of
 * the result that contains the entries.
 */
export async function listAll(
  { request }: Session,
  method: string,
  member: string,
): Promise<ListPages> {
  const pages: McpExchange[] = []
  const entries: unknown[] = []
  let cursor: unknown
  do {
    const page = await request(method, typeof cursor === 'string' ? { cursor } : {})
    pages.push(page)
    const items = page.result?.[member]
    if (Array.isArray(items)) entries.push(...(items as unknown[]))
    cursor = page.result?.['nextCursor']
  } while (typeof cursor === 'string' && pages.length < maxListPages)
  return { pages, entries }
}

export const listTemplates = (session: Session): Promise<ListPages> =>
  listAll(session, 'resources/templates/list', 'resourceTemplates')
