import { requireFormats } from './declared-formats.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { type PageRequest, idsOf, type ResultPage, requestPage } from './result-page.ts'
import { jsonOf, textOf } from './results.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** The same page of results in JSON and in markdown. */
export interface BothFormats {
  page: ResultPage & { items: readonly unknown[] }
  exchange: McpExchange
  markdown: string
}

/** A page that is so small that a server truncates neither format. */
export const smallPage: PageRequest = { limit: 5, offset: 0 }

/**
 * Requests one page in both formats. Blocks the check if a format is not available. Ends the check
 * as not covered if the page has no items.
 */
export async function readBothFormats(
  world: ToolsWorld,
  session: Session,
  pageRequest: PageRequest = smallPage,
): Promise<BothFormats> {
  const { target, callOrBlock } = world
  requireFormats(session, target.search!)
  const page = await requestPage(world, session, target.search!, pageRequest)
  if (page.items === undefined) throw new Blocked('TOOL-PAGE-04', page.exchange.summary)
  if (page.items.length === 0)
    throw new NotCovered<ToolsNeed>('the search returns no result', ['tools.search'])
  const exchange = await callOrBlock(session, target.search!, {
    ...pageRequest,
    response_format: 'markdown',
  })
  const markdown = textOf(exchange)
  // A server that returns JSON for markdown is reported by TOOL-FORMAT-02.
  if (jsonOf(exchange) !== undefined && markdown.trimStart().startsWith('{'))
    await world.requireMet('TOOL-FORMAT-02', 'the result in markdown is JSON')
  return { page: { ...page, items: page.items }, exchange, markdown }
}

/** The identifier of an item and, if it has one, its name. Both formats must contain them. */
export interface IdentifiedItem {
  id: string
  title: string | undefined
}

/** The items of a page that have an identifier. */
export function identifiedItemsOf(
  items: readonly unknown[],
  { target: { search } }: Pick<ToolsWorld, 'target'>,
): IdentifiedItem[] {
  const [ids, titles] = [idsOf(items, search?.id), idsOf(items, search?.title)]
  return ids.flatMap((id, index) => (id === undefined ? [] : [{ id, title: titles[index] }]))
}

/** The items of the page that have an identifier. Throws `NotCovered` if no item has one. */
export function identifiedItems(
  { page: { items } }: BothFormats,
  { target: { search } }: Pick<ToolsWorld, 'target'>,
): IdentifiedItem[] {
  const found = identifiedItemsOf(items, { target: { search } })
  if (found.length === 0)
    throw new NotCovered<ToolsNeed>(
      search?.id === undefined
        ? 'the target file does not name the field that identifies an item'
        : `no item has the field ${search.id}`,
      ['tools.search.id'],
    )
  return found
}
