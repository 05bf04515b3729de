import { formatArgument, requireJsonIfDeclared } from './declared-formats.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { isCount, type ResultPage, requestPage, readPage } from './result-page.ts'
import { isSuccess, lengthOf, textsOf } from './results.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

export const maxCharacters = 25_000

/** The length of all text parts of a result, in code points. */
export const charactersOf = (exchange: McpExchange): number =>
  textsOf(exchange).reduce((sum, text) => sum + lengthOf(text), 0)

/** The number of items that a page has if it is not truncated, according to limit and total. */
export function wantedItems({
  json,
  items = [],
  requested: { limit, offset },
}: Pick<ResultPage, 'json' | 'items' | 'requested'>): number {
  const total = isCount(json['total']) ? json['total'] : offset + items.length
  return Math.max(items.length, Math.min(limit, total - offset))
}

/**
 * Whether a page is truncated: `truncated` is true, or the page has fewer items than `wantedItems`,
 * and a page with `wantedItems` items of the same average length would be too long.
 */
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
 * Makes the `long` call of the target file, and returns its truncated page. Throws a `Blocked` that
 * names TOOL-TRUNCATION-04 if the result is not a JSON page, or TOOL-TRUNCATION-01 if it is too
 * long and not truncated. Throws `NotCovered` if the result is too short to be truncated.
 */
export async function requestTruncatedPage(
  world: ToolsWorld,
  session: Session,
): Promise<ResultPage> {
  return requireTruncated(world, await callLong(world, session))
}

/** Returns the page of a `long` call. Throws like `requestTruncatedPage`. */
export function requireTruncated(
  { target }: ToolsWorld,
  { page, exchange }: LongResult,
): ResultPage {
  if (page === undefined) throw new Blocked('TOOL-TRUNCATION-04', exchange.summary)
  const characters = charactersOf(exchange)
  if (isTruncated(page, characters)) return page
  if (characters > maxCharacters)
    throw new Blocked('TOOL-TRUNCATION-01', `${characters} characters`)
  throw new NotCovered<ToolsNeed>(
    `with all its items, the result of ${target.long!.tool} has only ${characters} characters, so it need not be truncated`,
    ['tools.long'],
  )
}

interface LongResult {
  exchange: McpExchange
  page: ResultPage | undefined
}

/** Makes the `long` call in JSON. `page` is undefined if the result is not a page with items. */
export async function callLong(world: ToolsWorld, session: Session): Promise<LongResult> {
  const long = world.target.long!
  const exchange = await session.call(long.tool, {
    ...long.arguments,
    ...formatArgument(session, long, 'json'),
  })
  // After a failed call, `requestPage` makes the call again. If this fails too, it throws a
  // `Blocked` that names the requirement that the server does not meet.
  const page = isSuccess(exchange)
    ? readPage(exchange, long)
    : await requestPage(world, session, long)
  if (isSuccess(exchange)) requireJsonIfDeclared(session, long, exchange)
  return { exchange, page: page?.items === undefined ? undefined : page }
}
