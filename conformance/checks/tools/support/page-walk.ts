import { NotCovered } from '../../../engine/index.ts'
import type { NamedCall } from './access.ts'
import { hasMore, idsOf, pageOf, sound, type ResultPage, type SoundPage } from './result-page.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** Pages that are followed at most: a longer way says nothing more. */
export const mostPages = 40

/** A walk along next_offset. */
export interface PageWalk {
  readonly pages: readonly SoundPage[]
  readonly total: number
  /** How many items were met. */
  readonly met: number
  /** Identifiers that were met more than once. */
  readonly doubled: readonly string[]
  /** Whether the walk came to its end, and was not given up. */
  readonly whole: boolean
}

/** What became of a list of pages. */
export function walkOf(
  pages: readonly SoundPage[],
  id: string | undefined,
  whole: boolean,
): PageWalk {
  const items = pages.flatMap((page) => page.items)
  const ids = idsOf(items, id).filter((one) => one !== undefined)
  return {
    pages,
    total: pages[0]?.total ?? 0,
    met: items.length,
    doubled: [...new Set(ids.filter((one, index) => ids.indexOf(one) !== index))],
    whole,
  }
}

/** Where a page sends its reader; undefined for nowhere. A page that sends back to itself or before has no next one. */
export function nextOf({ json, offset }: SoundPage): number | undefined {
  const { next_offset: next } = json
  return typeof next === 'number' && Number.isInteger(next) && next > offset ? next : undefined
}

/** Whether next_offset is what it has to be. */
export function pointsRight(page: SoundPage): boolean {
  return page.json['next_offset'] === (hasMore(page) ? page.offset + page.count : null)
}

/**
 * Walks from the first page to where next_offset ends. Blocked where a page on the way has wrong numbers; not covered where the data changes meanwhile.
 * `wrong` is told of a page whose next_offset is wrong, so that the caller can see whose fault that is.
 */
export async function walk(
  world: ToolsWorld,
  session: Session,
  call: NamedCall & { id?: string | undefined },
  limit: number | undefined,
  wrong: (page: ResultPage) => Promise<void>,
): Promise<PageWalk> {
  const pages: SoundPage[] = []
  let offset: number | undefined = 0
  while (offset !== undefined && pages.length < mostPages) {
    const page = sound(
      await pageOf(world, session, call, { ...(limit === undefined ? {} : { limit }), offset }),
    )
    if (!pointsRight(page)) await wrong(page)
    pages.push(page)
    offset = nextOf(page)
  }
  const totals = new Set(pages.map(({ total }) => total))
  if (totals.size > 1) {
    await world.requireMet('TOOL-PAGE-01')
    throw new NotCovered(
      `there were ${[...totals].join(', then ')} matches: what changes meanwhile cannot be walked through`,
    )
  }
  return walkOf(pages, call.id, offset === undefined)
}
