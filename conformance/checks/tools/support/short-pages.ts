import { isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { sizeOf } from './fitting-pages.ts'
import type { Session } from './client-session.ts'
import { containsId } from './markdown.ts'
import type { NamedCall } from './named-calls.ts'
import { isSuccess, textOf } from './results.ts'
import { numbersOfSeenPage } from './seen-pages.ts'
import { maxCharacters } from './truncated-pages.ts'
import { fieldsOf, type Tool } from './tool.ts'
import type { ToolsWorld } from './world.ts'

/** A page whose items are together so short that it must not be truncated. */
export interface ShortPage {
  readonly exchange: McpExchange
  readonly limit: number
  /** The size of smaller pages with the same items, which is at least the size of this page. */
  readonly size: number
  /** The number of items that the page omits. */
  readonly missing: number
}

/** The number of items on each of the smaller pages. */
const partLimit = 5
/** The maximum limit of a page. */
const maxLimit = 100
/** The maximum size of the smaller pages together, in bytes. */
const maxSize = 0.94 * maxCharacters

/** Whether a tool has the fields with which a client requests a page in one of two formats. */
export const hasPagesInFormats = (tool: Tool): boolean =>
  ['limit', 'offset', 'response_format'].every((name) =>
    Object.hasOwn(fieldsOf(tool).properties, name),
  )

/**
 * Reads small pages of a tool in a format, until they have 100 items or nearly the maximum length
 * together. Then requests a single page with the same items, which is shorter, because each small
 * page repeats the fields of a page. Returns undefined if the tool returns no pages in JSON, if
 * they have fewer than two items, or if the small pages are truncated as well.
 *
 * Only a page in JSON with `truncated: true` omits items because of its length: a tool may return
 * fewer items than `limit` for other reasons. A page in Markdown is compared with the page in JSON.
 */
export async function requestShortPage(
  { withExclusiveUpstream }: ToolsWorld,
  session: Session,
  call: NamedCall,
  format: 'json' | 'markdown',
  id = '',
): Promise<ShortPage | undefined> {
  return withExclusiveUpstream(session, async (alone) => {
    const request = (by: string, limit: number, offset: number) =>
      alone.call(call.tool, { ...call.arguments, response_format: by, limit, offset })
    const readPage = async (limit: number, offset: number) =>
      numbersOfSeenPage(await request('json', limit, offset))

    const items: unknown[] = []
    let size = 0
    while (items.length < maxLimit) {
      const limit = Math.min(partLimit, maxLimit - items.length)
      const part = await readPage(limit, items.length)
      // A page with one item that is marked may contain only a part of the item.
      const isUsable =
        part !== undefined && !(part.items.length === 1 && part.json['truncated'] === true)
      if (!isUsable || part.items.length === 0) break
      const exchange =
        format === 'json' ? part.exchange : await request(format, part.items.length, items.length)
      if (!isSuccess(exchange) || missingIn(exchange, part.items, id, format) > 0) break
      if (size + sizeOf(exchange) > maxSize) break
      size += sizeOf(exchange)
      items.push(...part.items)
    }
    const limit = items.length
    if (limit < 2) return undefined
    const exchange = await request(format, limit, 0)
    if (format === 'markdown') {
      // New items may have moved others to the next page in the meantime.
      const ids = new Set((await readPage(limit, 0))?.items.map((item) => idOf(item, id)))
      const still = items.filter((item) => ids.has(idOf(item, id)))
      return isSuccess(exchange)
        ? { exchange, limit, size, missing: missingIn(exchange, still, id, format) }
        : undefined
    }
    const page = numbersOfSeenPage(exchange)
    if (page === undefined) return undefined
    const isMarked = page.json['truncated'] === true
    return { exchange, limit, size, missing: isMarked ? limit - page.items.length : 0 }
  })
}

const idOf = (item: unknown, id: string): string =>
  isObject(item) ? String(item[id]) : JSON.stringify(item)

/** The number of items whose identifiers a result in Markdown does not contain. */
const missingIn = (
  exchange: McpExchange,
  items: readonly unknown[],
  id: string,
  format: 'json' | 'markdown',
): number =>
  format === 'json'
    ? 0
    : items.filter((item) => !(isObject(item) && containsId(textOf(exchange), String(item[id]))))
        .length
