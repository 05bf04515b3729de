import { NotCovered } from '../../../engine/index.ts'
import type { NamedCall } from './named-calls.ts'
import {
  hasMore,
  idsOf,
  requestPage,
  requireConsistent,
  type ResultPage,
  type ConsistentPage,
} from './result-page.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** Maximum number of pages to read: further pages would prove nothing more. */
export const maxPages = 40

/** The pages of a list that were read by following next_offset from the first one. */
export interface PageWalk {
  readonly pages: readonly ConsistentPage[]
  readonly total: number
  /** The number of items on all pages. */
  readonly itemCount: number
  /** Identifiers that appear more than once. */
  readonly duplicates: readonly string[]
  /** Whether the last page was reached, within `maxPages`. */
  readonly isComplete: boolean
}

export function summarizeWalk(
  pages: readonly ConsistentPage[],
  id: string | undefined,
  whole: boolean,
): PageWalk {
  const items = pages.flatMap((page) => page.items)
  const ids = idsOf(items, id).filter((one) => one !== undefined)
  return {
    pages,
    total: pages[0]?.total ?? 0,
    itemCount: items.length,
    duplicates: [...new Set(ids.filter((one, index) => ids.indexOf(one) !== index))],
    isComplete: whole,
  }
}

/** The `next_offset` of a page; undefined if it is not an integer above the offset of the page. */
export function nextOffset({ json, offset }: ConsistentPage): number | undefined {
  const { next_offset: next } = json
  return typeof next === 'number' && Number.isInteger(next) && next > offset ? next : undefined
}

export function hasCorrectNextOffset(page: ConsistentPage): boolean {
  return page.json['next_offset'] === (hasMore(page) ? page.offset + page.count : null)
}

/**
 * Follows next_offset from the first page to the last. Blocks the check if the numbers of a page do
 * not agree with its items. Throws `NotCovered` if the data changes in the meantime. Calls
 * `onWrongOffset` with each page whose next_offset is wrong, so that the caller can block the
 * check.
 */
export async function followPages(
  world: ToolsWorld,
  session: Session,
  call: NamedCall & { id?: string | undefined },
  limit: number | undefined,
  onWrongOffset: (page: ResultPage) => Promise<void>,
): Promise<PageWalk> {
  const walk = await readPages(world, session, call, limit, onWrongOffset)
  if (isSteady(walk)) return walk
  await world.requireMet('TOOL-PAGE-01')
  throw changedData(walk)
}

/** Follows next_offset like `followPages`, but does not compare the totals of the pages. */
export async function readPages(
  ...[world, session, call, limit, onWrongOffset]: Parameters<typeof followPages>
): Promise<PageWalk> {
  const pages: ConsistentPage[] = []
  let offset: number | undefined = 0
  while (offset !== undefined && pages.length < maxPages) {
    const page = requireConsistent(
      await requestPage(world, session, call, {
        ...(limit === undefined ? {} : { limit }),
        offset,
      }),
    )
    if (!hasCorrectNextOffset(page)) await onWrongOffset(page)
    pages.push(page)
    offset = nextOffset(page)
  }
  return summarizeWalk(pages, call.id, offset === undefined)
}

const totalsOf = ({ pages }: PageWalk) => new Set(pages.map(({ total }) => total))

/** Whether all pages state the same total. */
export const isSteady = (walk: PageWalk): boolean => totalsOf(walk).size <= 1

/** Ends a check whose pages state different totals. */
export const changedData = (walk: PageWalk): NotCovered =>
  new NotCovered(
    `there were ${[...totalsOf(walk)].join(', then ')} matches: the data changed while its pages were read`,
  )
