import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { type Expectation, NotCovered } from '../../../engine/index.ts'
import { conformsTo } from './contract.ts'
import {
  hasMore,
  type ResultPage,
  requestPage,
  requireConsistent,
  type ConsistentPage,
} from './result-page.ts'
import type { Session } from './client-session.ts'
import type { PageWalk } from './page-walk.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/**
 * Requests the first and the last page of the search, with one item each. Ends the check as not
 * covered if the search has only one page.
 */
export async function readFirstAndLast(
  world: ToolsWorld,
  session: Session,
): Promise<{ first: ConsistentPage; last: ConsistentPage }> {
  const first = requireConsistent(
    await requestPage(world, session, world.target.search!, { limit: 1, offset: 0 }),
  )
  if (!hasMore(first))
    throw new NotCovered<ToolsNeed>(
      'the search returns only one result, and several pages need two',
      ['tools.search'],
    )
  return {
    first,
    last: requireConsistent(
      await requestPage(world, session, world.target.search!, {
        limit: 1,
        offset: first.total - 1,
      }),
    ),
  }
}

/**
 * Expects that a page conforms to the schema of pages at the places that a requirement covers.
 * `toJson` may replace fields that other requirements cover.
 */
export const pageConformsTo = <Page extends ResultPage>(
  requirement: RequirementId,
  toJson: (page: Page) => unknown = ({ json }) => json,
): Expectation<Page>[] =>
  conformsTo('page', requirement).map((expectation) => ({
    ...expectation,
    test: (page) => expectation.test(toJson(page)),
    received: (page) => expectation.received(toJson(page)),
  }))

export const sameTotal: Expectation<readonly ResultPage[]> = {
  name: 'is the same on every page',
  expected: 'the same value of total on each page of a search',
  test: (pages) => new Set(pages.map(({ json }) => json['total'])).size === 1,
  received: (pages) =>
    pages
      .map(
        ({ json, requested }) =>
          `${String(json['total'])} with limit ${requested.limit} and offset ${requested.offset}`,
      )
      .join('; '),
}

const coversItems = ({ json, items = [], requested }: ResultPage): boolean =>
  items.length === 0 || Number(json['total']) >= requested.offset + items.length

export const totalCoversItems: Expectation<readonly ResultPage[]> = {
  name: 'covers the items of the page',
  expected: 'the field total with a value of at least offset plus the number of items',
  test: (pages) => pages.every(coversItems),
  received: (pages) =>
    pages
      .filter((page) => !coversItems(page))
      .map(
        ({ json, items = [], requested }) =>
          `${String(json['total'])}, although the page has ${items.length} items from offset ${requested.offset}`,
      )
      .join('; '),
}

const reachesAll: Expectation<PageWalk> = {
  name: 'reaches every item',
  expected: 'as many items on all pages together as the value of total',
  test: ({ itemCount, total, isComplete }) =>
    isComplete ? itemCount === total : itemCount <= total,
  received: ({ itemCount, total, pages }) =>
    `${itemCount} items on ${pages.length} pages, and total is ${total}`,
}

const reachesOnce: Expectation<PageWalk> = {
  name: 'reaches each item once',
  expected: 'each identifier at most once on all pages',
  test: ({ duplicates }) => duplicates.length === 0,
  received: ({ duplicates }) => `more than once: ${duplicates.slice(0, 5).join(', ')}`,
}

export const reachesEachItemOnce = [reachesAll, reachesOnce]
