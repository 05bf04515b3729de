import { NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import { requestPage, type ResultPage } from './result-page.ts'
import { maxCharacters, requestTruncatedPage, wantedItems } from './truncated-pages.ts'
import type { ToolsWorld } from './world.ts'

/**
 * The sizes for which pages are requested, in bytes. The medium size is well below the maximum,
 * because items differ in length.
 */
export const sizes = { full: 0.94 * maxCharacters, medium: 0.7 * maxCharacters }

/**
 * The size of a whole result, in bytes of UTF-8. It is at least the number of characters that a
 * server counts, whether or not the server counts structured content.
 */
export const sizeOf = ({ result }: McpExchange): number =>
  Buffer.byteLength(JSON.stringify(result ?? null))

/**
 * Estimates from the truncated page of the tool `long` how many items have `wantedSize` bytes, and
 * requests this number of items. Throws `NotCovered` if there is no truncated page, or if this
 * number is less than two or more than 100.
 */
export async function requestFittingPage(
  world: ToolsWorld,
  session: Session,
  wantedSize: number,
): Promise<ResultPage> {
  const cut = await requestTruncatedPage(world, session)
  const { items = [], exchange } = cut
  const limit = Math.floor((wantedSize * items.length) / sizeOf(exchange))
  if (limit < 2 || limit > 100)
    throw new NotCovered<ToolsNeed>(
      `a result of ${items.length} items has ${sizeOf(exchange)} bytes, so that no limit from 2 to 100 gives a result just below the maximum length`,
      ['tools.long'],
    )
  return requestPage(world, session, world.target.long!, { limit, offset: 0 })
}

/** Whether a page has `truncated: true`, or has fewer items than it should have. */
export const isCut = (page: ResultPage): boolean =>
  page.json['truncated'] === true || (page.items?.length ?? 0) < wantedItems(page)

/** Whether a page is cut, and its items together may be longer than the maximum. */
export const exceedsMaximum = async (
  world: ToolsWorld,
  session: Session,
  page: ResultPage,
  parts: number,
): Promise<boolean> =>
  isCut(page) && (await sizeInParts(world, session, page, parts)) > maxCharacters

/**
 * Reads the items of a page in this number of requests. Returns the total size of the results in
 * bytes, which is at least that of a single result with all items.
 */
async function sizeInParts(
  world: ToolsWorld,
  session: Session,
  page: ResultPage,
  parts: number,
): Promise<number> {
  const wanted = wantedItems(page)
  const limit = Math.ceil(wanted / parts)
  let size = 0
  for (let offset = 0; offset < wanted; offset += limit) {
    const part = await requestPage(world, session, world.target.long!, { limit, offset })
    if (isCut(part)) throw new NotCovered('a result with few items is truncated as well')
    size += sizeOf(part.exchange)
  }
  return size
}
