import { requireFormats } from './declared-formats.ts'
import { isObject, NotCovered, type Json } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import { containsId, membersMissingIn } from './markdown.ts'
import { followPages } from './page-walk.ts'
import { idsOf } from './result-page.ts'
import { textOf } from './results.ts'
import type { ToolsWorld } from './world.ts'

/** The last item of a truncated Markdown result. */
export interface LastItem {
  readonly exchange: McpExchange
  readonly id: string
  /**
   * The members that the part of the item lacks, although the Markdown of the item alone contains
   * them, and the part of each earlier item contains its own.
   */
  readonly missing: readonly string[]
}

/** An item, and the part of the Markdown from its identifier to that of the next item. */
interface ItemPart {
  readonly id: string
  /** The position of the item among all matches. */
  readonly offset: number
  readonly item: Json
  readonly part: string
}

/** The minimum number of items before the last one, to know which members the tool shows. */
const minItems = 5
/** Shorter values can occur in the text of other members. */
const minLength = 4

/** The names of members whose values are long enough to be found in Markdown. */
const comparableMembers = (item: Json): string[] =>
  Object.entries(item).flatMap(([name, value]) =>
    typeof value === 'string' && value.trim().length >= minLength ? [name] : [],
  )

/** Divides Markdown into the parts of the items. Omits the items that it does not contain. */
export function partsOfItems(
  markdown: string,
  items: readonly unknown[],
  idMember: string | undefined,
): ItemPart[] {
  const lines = markdown.split('\n')
  const starts = idsOf(items, idMember).flatMap((id, offset) => {
    const item = items[offset]
    if (id === undefined || !isObject(item)) return []
    const line = lines.findIndex((one) => containsId(one, id))
    return line === -1 ? [] : [{ id, offset, item, line }]
  })
  starts.sort((one, other) => one.line - other.line)
  return starts.map(({ line, ...start }, index) => ({
    ...start,
    part: lines.slice(line, starts[index + 1]?.line).join('\n'),
  }))
}

/**
 * Makes the `long` call in Markdown, and compares the last item of the truncated result with the
 * Markdown of this item alone. Throws `NotCovered` if the result is not truncated, or shows too few
 * items.
 */
export async function readLastItem(world: ToolsWorld, session: Session): Promise<LastItem> {
  const long = world.target.long!
  if (long.id === undefined)
    throw new NotCovered<ToolsNeed>(
      'the target file does not name the field that identifies an item',
      ['tools.long'],
    )
  requireFormats(session, long)
  const { pages } = await followPages(world, session, long, undefined, () =>
    world.requireMet('TOOL-PAGE-06'),
  )
  const items = pages.flatMap((page) => page.items)
  const exchange = await world.callOrBlock(session, long, { response_format: 'markdown' })
  const parts = partsOfItems(textOf(exchange), items, long.id)
  const limit = Number(long.arguments['limit'] ?? 20)
  if (parts.length >= Math.min(limit, items.length))
    throw new NotCovered<ToolsNeed>('the result in Markdown is not truncated', ['tools.long'])
  const last = parts.at(-1)
  const earlier = parts.slice(0, -1)
  if (last === undefined || earlier.length < minItems)
    throw new NotCovered('the result in Markdown shows too few items to compare them')
  const alone = textOf(
    await world.callOrBlock(session, long, {
      response_format: 'markdown',
      limit: 1,
      offset: last.offset,
    }),
  )
  if (!containsId(alone, last.id))
    throw new NotCovered('a page with only the last item does not contain it')
  const [missingAlone, missingInPart] = [alone, last.part].map((text) =>
    membersMissingIn(text, last.item),
  )
  const shown = comparableMembers(last.item).filter(
    (name) =>
      !missingAlone!.includes(name) &&
      earlier.every(
        ({ item, part }) =>
          comparableMembers(item).includes(name) && !membersMissingIn(part, item).includes(name),
      ),
  )
  if (shown.length === 0)
    throw new NotCovered('no member of an item can be found in every part of the Markdown')
  return { exchange, id: last.id, missing: shown.filter((name) => missingInPart!.includes(name)) }
}
