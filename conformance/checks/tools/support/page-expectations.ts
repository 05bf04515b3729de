import { type Expectation, NotCovered } from '../../../engine/index.ts'
import { hasMore, type ResultPage, pageOf, sound, type SoundPage } from './result-page.ts'
import type { Session } from './client-session.ts'
import type { PageWalk } from './page-walk.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** A page with more behind it, and the last one. */
export async function both(
  world: ToolsWorld,
  session: Session,
): Promise<{ first: SoundPage; last: SoundPage }> {
  const first = sound(await pageOf(world, session, world.access.search!, { limit: 1, offset: 0 }))
  if (!hasMore(first))
    throw new NotCovered<ToolsNeed>('the search has one result only', ['tools.search'])
  return {
    first,
    last: sound(
      await pageOf(world, session, world.access.search!, { limit: 1, offset: first.total - 1 }),
    ),
  }
}

export const stays: Expectation<readonly ResultPage[]> = {
  name: 'is the same on every page',
  expected: 'one total for one search',
  test: (pages) => new Set(pages.map(({ json }) => json['total'])).size === 1,
  received: (pages) =>
    pages
      .map(
        ({ json, asked }) =>
          `${String(json['total'])} with limit ${asked.limit} from ${asked.offset}`,
      )
      .join('; '),
}

export const covers: Expectation<readonly ResultPage[]> = {
  name: 'covers the items of the page',
  expected: 'a total of at least as many as were shown',
  test: (pages) =>
    pages.every(
      ({ json, items = [], asked }) =>
        items.length === 0 || Number(json['total']) >= asked.offset + items.length,
    ),
  received: (pages) =>
    pages
      .map(
        ({ json, items = [], asked }) =>
          `${String(json['total'])}, where ${items.length} are shown from ${asked.offset}`,
      )
      .join('; '),
}

const meetsAll: Expectation<PageWalk> = {
  name: 'meets every item',
  expected: 'as many items as total tells',
  test: ({ met, total, whole }) => (whole ? met === total : met <= total),
  received: ({ met, total, pages }) =>
    `${met} items on ${pages.length} pages, where total is ${total}`,
}

const meetsOnce: Expectation<PageWalk> = {
  name: 'meets each item once',
  expected: 'no identifier twice',
  test: ({ doubled }) => doubled.length === 0,
  received: ({ doubled }) => `twice: ${doubled.slice(0, 5).join(', ')}`,
}

/** What a walk has to do. */
export const meets = [meetsAll, meetsOnce]
