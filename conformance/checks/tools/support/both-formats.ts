import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { type PageRequest, idsOf, type ResultPage, requestPage } from './result-page.ts'
import { jsonOf, textOf } from './results.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** The same page in both formats. */
export interface BothFormats {
  page: ResultPage & { items: readonly unknown[] }
  exchange: McpExchange
  markdown: string
}

/** Few enough that neither format is cut short. */
const smallPage: PageRequest = { limit: 5, offset: 0 }

/** Asks for one page in both formats. Blocked where one of them cannot be had; not covered where the page has no items. */
export async function readBothFormats(
  world: ToolsWorld,
  session: Session,
  asking: PageRequest = smallPage,
): Promise<BothFormats> {
  const { access, callOrBlock } = world
  const page = await requestPage(world, session, access.search!, asking)
  if (page.items === undefined) throw new Blocked('TOOL-PAGE-04', page.exchange.summary)
  if (page.items.length === 0)
    throw new NotCovered<ToolsNeed>('the search has no result', ['tools.search'])
  const exchange = await callOrBlock(session, access.search!, {
    ...asking,
    response_format: 'markdown',
  })
  const markdown = textOf(exchange)
  // What is no markdown at all shows in the row that says which format there is without one.
  if (jsonOf(exchange) !== undefined && markdown.trimStart().startsWith('{'))
    await world.requireMet('TOOL-FORMAT-02', 'the result in markdown is json')
  return { page: { ...page, items: page.items }, exchange, markdown }
}

/** An item as both formats show it: its identifier, and its name where that has one. */
export interface IdentifiedItem {
  id: string
  title: string | undefined
}

export function identifiedItems(
  { page: { items } }: BothFormats,
  { access: { search } }: ToolsWorld,
): IdentifiedItem[] {
  const [ids, titles] = [idsOf(items, search?.id), idsOf(items, search?.title)]
  const found = ids.flatMap((id, index) => (id === undefined ? [] : [{ id, title: titles[index] }]))
  if (found.length === 0)
    throw new NotCovered<ToolsNeed>(
      `no item has the member ${search?.id ?? 'that identifies it'}`,
      ['tools.search.id'],
    )
  return found
}
