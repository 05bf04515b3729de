import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { isCount, type ResultPage, requestPage, readPage } from './result-page.ts'
import { isSuccess, lengthOf, textsOf } from './results.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** The most characters that a result may have. */
export const maxCharacters = 25_000

/** All text of a result, in code points; the parts stand for themselves. */
export const charactersOf = (exchange: McpExchange): number =>
  textsOf(exchange).reduce((sum, text) => sum + lengthOf(text), 0)

/** How many items a page would have, were it not cut short: as many as were asked for, as far as there are any. */
export function wantedItems({
  json,
  items = [],
  requested: { limit, offset },
}: Pick<ResultPage, 'json' | 'items' | 'requested'>): number {
  const total = isCount(json['total']) ? json['total'] : offset + items.length
  return Math.max(items.length, Math.min(limit, total - offset))
}

/** Whether a page is cut short: it has fewer items than it was to have, and with all of them it would be too long. Or it says so itself. */
export function isTruncated(
  page: Pick<ResultPage, 'json' | 'items' | 'requested'>,
  characters: number,
): boolean {
  const { json, items = [] } = page
  const wanted = wantedItems(page)
  return (
    json['truncated'] === true ||
    (wanted > items.length &&
      items.length > 0 &&
      (characters / items.length) * wanted > maxCharacters)
  )
}

/**
 * The page of the long call that is cut short. Blocked by TOOL-TRUNCATION-04 where it is no page in json, by TOOL-TRUNCATION-01 where it is too long as it is;
 * not covered where it is neither long nor cut.
 */
export async function requestTruncatedPage(
  world: ToolsWorld,
  session: Session,
): Promise<ResultPage> {
  return requireTruncated(world, await callLong(world, session))
}

export function requireTruncated(
  { access }: ToolsWorld,
  { page, exchange }: LongResult,
): ResultPage {
  if (page === undefined) throw new Blocked('TOOL-TRUNCATION-04', exchange.summary)
  const characters = charactersOf(exchange)
  if (isTruncated(page, characters)) return page
  if (characters > maxCharacters)
    throw new Blocked('TOOL-TRUNCATION-01', `${characters} characters`)
  throw new NotCovered<ToolsNeed>(
    `the result of ${access.long!.tool} has ${characters} characters with all its items`,
    ['tools.long'],
  )
}

interface LongResult {
  exchange: McpExchange
  page: ResultPage | undefined
}

/** The long call in json, and the page that is its result; undefined where that is none. */
export async function callLong(world: ToolsWorld, session: Session): Promise<LongResult> {
  const long = world.access.long!
  const exchange = await session.call(long.tool, { ...long.arguments, response_format: 'json' })
  // What fails is told by the row that it breaks.
  const page = isSuccess(exchange)
    ? readPage(exchange, long)
    : await requestPage(world, session, long)
  return { exchange, page: page?.items === undefined ? undefined : page }
}

/** Whether a text sends its reader to the offset, or to fewer results. */
export const mentionsOffsetOrFilters = (text: string): boolean =>
  /offset|filter|narrow|refin|restrict|specific|next page/i.test(text)
