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

/** Pages that are followed at most: a longer way says nothing more. */
export const maxPages = 40

/** A walk along next_offset. */
export interface PageWalk {
  readonly pages: readonly ConsistentPage[]
  readonly total: number
  /** How many items were met. */
  readonly itemCount: number
  /** Identifiers that were met more than once. */
  readonly duplicates: readonly string[]
  /** Whether the walk came to its end, and was not given up. */
  readonly isComplete: boolean
}

/** What became of a list of pages. */
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

/** Where a page sends its reader; undefined for nowhere. A page that sends back to itself or before has no next one. */
export function nextOffset({ json, offset }: ConsistentPage): number | undefined {
  const { next_offset: next } = json
  return typeof next === 'number' && Number.isInteger(next) && next > offset ? next : undefined
}

/** Whether next_offset is what it has to be. */
export function hasCorrectNextOffset(page: ConsistentPage): boolean {
  return page.json['next_offset'] === (hasMore(page) ? page.offset + page.count : null)
}

/**
 * Walks from the first page to where next_offset ends. Blocked where a page on the way has wrong numbers; not covered where the data changes meanwhile.
 * `wrong` is told of a page whose next_offset is wrong, so that the caller can see whose fault that is.
 */
export async function followPages(
  world: ToolsWorld,
  session: Session,
  call: NamedCall & { id?: string | undefined },
  limit: number | undefined,
  onWrongOffset: (page: ResultPage) => Promise<void>,
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
  const totals = new Set(pages.map(({ total }) => total))
  if (totals.size > 1) {
    await world.requireMet('TOOL-PAGE-01')
    throw new NotCovered(
      `there were ${[...totals].join(', then ')} matches: what changes meanwhile cannot be walked through`,
    )
  }
  return summarizeWalk(pages, call.id, offset === undefined)
}
