import { formatArgument } from '../support/declared-formats.ts'
import {
  pageConformsTo,
  totalCoversItems,
  sameTotal,
  readFirstAndLast,
  reachesEachItemOnce,
} from '../support/page-expectations.ts'
import {
  type Expectation,
  NotApplicable,
  NotCovered,
  judge,
  labelled,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import {
  hasMore,
  idsOf,
  type PageRequest,
  readPage,
  requestPage,
  requireConsistent,
  type ResultPage,
  type ConsistentPage,
} from '../support/result-page.ts'
import { findNarrowing } from '../support/narrowing.ts'
import { followUndisturbed } from '../support/undisturbed-walk.ts'
import { isSuccess } from '../support/results.ts'
import type { Session } from '../support/client-session.ts'
import { numbersOfSeenPage, seenPage, type SeenPage } from '../support/seen-pages.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

const memberOf =
  (name: string) =>
  ({ json }: Pick<ResultPage, 'json'>) =>
    `${name}: ${JSON.stringify(json[name]) ?? 'missing'}`

const hasTotal = pageConformsTo('TOOL-PAGE-01')
const countsItems: Expectation<ResultPage> = {
  name: 'has the right count',
  expected: 'the field count with the number of items on the page',
  test: ({ json, items = [] }) => json['count'] === items.length,
  received: ({ json, items = [] }) =>
    `count: ${JSON.stringify(json['count']) ?? 'missing'}, with ${items.length} items`,
}
const hasOffset: Expectation<ResultPage> = {
  name: 'has the offset',
  expected: 'the field offset with the requested value',
  test: ({ json, requested }) => json['offset'] === requested.offset,
  received: ({ json, requested }) =>
    `offset: ${JSON.stringify(json['offset']) ?? 'missing'}, but ${requested.offset} was requested`,
}
const hasArray = pageConformsTo('TOOL-PAGE-04')

const numbers = ({ total, offset, count }: ConsistentPage) =>
  `total ${total}, offset ${offset}, count ${count}`
const hasCorrectHasMore: Expectation<ConsistentPage> = {
  name: 'has the correct has_more',
  expected: 'has_more true if and only if total is greater than offset plus count',
  test: (page) => page.json['has_more'] === hasMore(page),
  received: (page) => `${memberOf('has_more')(page)}, with ${numbers(page)}`,
}
const hasNextOffset = (more: boolean): Expectation<ConsistentPage> => ({
  name: 'has the correct next_offset',
  expected: more
    ? 'next_offset with the sum of offset and count'
    : 'next_offset with the value null',
  test: ({ json, offset, count }) => json['next_offset'] === (more ? offset + count : null),
  received: (page) => `${memberOf('next_offset')(page)}, with ${numbers(page)}`,
})

/**
 * The form of next_offset. The schema derives it from has_more. If has_more is wrong, TOOL-PAGE-05
 * reports it, so it is replaced by the correct value.
 */
const hasFormOfNextOffset = pageConformsTo<ConsistentPage>('TOOL-PAGE-06', (page) => ({
  ...page.json,
  has_more: hasMore(page),
}))

/**
 * Makes a check that judges every page that the run receives, regardless of its offset and of the
 * check that requested it. First compares it with the schema. Skips truncated pages, because other
 * requirements cover them.
 */
const watchPages = <Page extends ResultPage>(
  requirement:
    | 'TOOL-PAGE-01'
    | 'TOOL-PAGE-02'
    | 'TOOL-PAGE-03'
    | 'TOOL-PAGE-04'
    | 'TOOL-PAGE-05'
    | 'TOOL-PAGE-06',
  title: string,
  pageIn: (exchange: McpExchange) => Page | undefined,
  expectationsFor: (page: Page) => readonly Expectation<Page>[],
) => {
  const form = pageConformsTo(requirement)
  return watch(requirement, {
    title,
    needs: ['tools.search'],
    examine(exchange) {
      const seen = seenPage(exchange)
      // Truncation changes every number of a page except its offset.
      if (seen === undefined || (seen.json['truncated'] === true && requirement !== 'TOOL-PAGE-03'))
        return []
      const page = pageIn(exchange)
      return [
        // The schema cannot judge next_offset if has_more is wrong, see `hasFormOfNextOffset`.
        ...(requirement === 'TOOL-PAGE-06' ? [] : form.map((one) => judge(one, seen))),
        ...(page === undefined ? [] : expectationsFor(page).map((one) => judge(one, page))),
      ]
    },
  })
}

/** Returns a page with items, or undefined if it has no array, which TOOL-PAGE-04 reports. */
const pageWithItems = (exchange: McpExchange): ResultPage | undefined => {
  const page = seenPage(exchange)
  return page?.items === undefined ? undefined : page
}

/** Whether the request has an offset of an item: a server may replace an offset past the end. */
const requestsItem = ({ json, requested, hasOffset }: SeenPage): boolean =>
  hasOffset && requested.offset < Number(json['total'])

/**
 * Uses the offset in the response, because a server may replace a requested offset that is past the
 * end.
 */
const coversItems: Expectation<ConsistentPage> = {
  name: 'covers the items of the page',
  expected: 'the field total with a value of at least offset plus the number of items',
  test: ({ total, offset, items }) => items.length === 0 || total >= offset + items.length,
  received: (page) => `${numbers(page)}, with ${page.items.length} items`,
}

/**
 * Labels the expectation for a page past the end, because has_more and next_offset are often wrong
 * only there.
 */
const labelPastEnd = (
  { offset, total }: ConsistentPage,
  expectation: Expectation<ConsistentPage>,
): Expectation<ConsistentPage> =>
  offset > 0 && offset >= total ? labelled('a page past the end', expectation) : expectation

const isEmpty: Expectation<ResultPage> = {
  name: 'has no items',
  expected: 'no items, because the requested offset is not below total',
  test: ({ items = [] }) => items.length === 0,
  received: ({ items = [], json, requested }) =>
    `${items.length} items for the offset ${requested.offset}, and total is ${String(json['total'])}`,
}

/** The items of pages with one item each, and of one larger page, as ids or as JSON. */
interface SingleItems {
  readonly singles: readonly (string | undefined)[]
  readonly together: readonly (string | undefined)[]
}

/**
 * Returns the offsets at which the page with one item contains the wrong item: an item of the
 * larger page, but not the one at this offset. Ignores an item that is not on the larger page,
 * because its data may differ each time.
 */
const misplaced = ({ singles, together }: SingleItems): number[] =>
  singles.flatMap((single, offset) =>
    single !== undefined && single !== together[offset] && together.includes(single)
      ? [offset]
      : [],
  )
const singleItemsInOrder: Expectation<SingleItems> = {
  name: 'returns the items in order if each is alone on its page',
  expected: 'at each offset, the same item for every limit',
  test: (items) => misplaced(items).length === 0,
  received: (items) =>
    `with the limit 1, another item at the offset ${misplaced(items).join(' and at the offset ')}`,
}

/** The maximum number of pages with one item that are read. */
const maxSingles = 3

/**
 * Reads the first items on one page, then each of them on a separate page, and then all of them on
 * one page again. Returns no `singles` if the two larger pages differ.
 */
async function readSingleItems(world: ToolsWorld, session: Session): Promise<SingleItems> {
  const { search } = world.target
  const keysOf = ({ items = [] }: ResultPage) => {
    const ids = idsOf(items, search!.id)
    return items.map((item, index) =>
      search!.id === undefined || ids.includes(undefined) ? JSON.stringify(item) : ids[index],
    )
  }
  const request = async (limit: number, offset: number) =>
    keysOf(await requestPage(world, session, search!, { limit, offset }))
  const together = await request(2 * maxSingles, 0)
  const singles: (string | undefined)[] = []
  for (let offset = 0; offset < Math.min(maxSingles, together.length); offset += 1)
    singles.push((await request(1, offset))[0])
  const again = await request(2 * maxSingles, 0)
  return { singles: together.join() === again.join() ? singles : [], together }
}

/** Requests pages of a narrowed search; undefined if the search cannot be narrowed. */
async function requestNarrowed(
  world: ToolsWorld,
  session: Session,
  requests: readonly PageRequest[],
): Promise<ResultPage[] | undefined> {
  const narrowing = await findNarrowing(world, session)
  if (narrowing === undefined) return undefined
  const { search } = world.target
  const pages: ResultPage[] = []
  for (const one of requests)
    pages.push(
      await requestPage(
        world,
        session,
        { ...search!, arguments: { ...search!.arguments, ...narrowing } },
        one,
      ),
    )
  return pages
}

const watchingPaginationChecks = [
  watchPages(
    'TOOL-PAGE-01',
    'returns a total of at least the offset plus the number of items of each page',
    numbersOfSeenPage,
    () => [coversItems],
  ),
  watchPages('TOOL-PAGE-02', 'counts the items on every page', pageWithItems, () => [countsItems]),
  watchPages('TOOL-PAGE-03', 'returns the offset of every page', seenPage, (page) =>
    requestsItem(page) ? [hasOffset] : [],
  ),
  watchPages('TOOL-PAGE-04', 'returns an array of items on every page', seenPage, () => []),
  watchPages(
    'TOOL-PAGE-05',
    'returns on every page whether more follow',
    numbersOfSeenPage,
    (page) => [labelPastEnd(page, hasCorrectHasMore)],
  ),
  watchPages(
    'TOOL-PAGE-06',
    'returns the offset of the next page on every page',
    numbersOfSeenPage,
    (page) =>
      [...hasFormOfNextOffset, hasNextOffset(hasMore(page))].map((one) => labelPastEnd(page, one)),
  ),
]

export const paginationChecks = [
  ...watchingPaginationChecks,
  check('TOOL-PAGE-01', {
    title: 'returns the number of matches',
    async run(world) {
      const { target, onEachTransport, expectValue } = world
      await onEachTransport(async (session) => {
        const request = (limit: number, offset: number) =>
          requestPage(world, session, target.search!, { limit, offset })
        const read = async () => [
          await request(100, 0),
          await request(1, 0),
          await request(1, 1),
          await request(100, 0),
        ]
        let pages = await read()
        for (const page of pages) expectValue(page, ...hasTotal)
        // The first and the last call are equal. If their results differ, the data changed and the
        // totals cannot be compared, so this reads the pages again.
        for (
          let again = 0;
          again < 2 && pages[0]!.json['total'] !== pages[3]!.json['total'];
          again += 1
        )
          pages = await read()
        if (pages[0]!.json['total'] !== pages[3]!.json['total'])
          throw new NotCovered('the data changed in each attempt to read the pages')
        expectValue(pages, sameTotal, totalCoversItems)
        const narrowed = await requestNarrowed(world, session, [
          { limit: 100, offset: 0 },
          { limit: 1, offset: 0 },
          { limit: 100, offset: 0 },
        ])
        if (narrowed !== undefined && narrowed[0]!.json['total'] === narrowed[2]!.json['total'])
          expectValue(narrowed, { ...sameTotal, name: 'is the same in a narrowed search' })
      })
    },
  }),

  check('TOOL-PAGE-02', {
    title: 'returns the number of items on a page',
    async run(world) {
      await world.onEachTransport(async (session) => {
        for (const [label, limit] of [
          ['one item', 1],
          ['many items', 100],
        ] as const) {
          const page = await requestPage(world, session, world.target.search!, { limit, offset: 0 })
          await requireItems(world, page)
          world.expectValue(page, labelled(label, countsItems))
        }
      })
    },
  }),

  check('TOOL-PAGE-03', {
    title: 'returns the offset of a page',
    async run(world) {
      await world.onEachTransport(async (session) => {
        for (const offset of [1, 0])
          world.expectValue(
            await requestPage(world, session, world.target.search!, { limit: 1, offset }),
            ...[...pageConformsTo('TOOL-PAGE-03'), hasOffset].map((one) =>
              labelled(offset === 0 ? 'offset 0' : 'offset 1', one),
            ),
          )
      })
    },
  }),

  check('TOOL-PAGE-04', {
    title: 'returns items in an array',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectValue(await requestPage(world, session, world.target.search!), ...hasArray),
      )
    },
  }),

  check('TOOL-PAGE-05', {
    title: 'returns whether more pages follow',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { first, last } = await readFirstAndLast(world, session)
        world.expectValue(first, labelled('the first page', hasCorrectHasMore))
        world.expectValue(last, labelled('the last page', hasCorrectHasMore))
        if (first.total < 2) return
        const almost = await requestPage(world, session, world.target.search!, {
          limit: 1,
          offset: first.total - 2,
        })
        world.expectValue(
          requireConsistent(almost),
          labelled('the page before the last item', hasCorrectHasMore),
        )
      })
    },
  }),

  check('TOOL-PAGE-06', {
    title: 'returns the offset of the next page',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { first, last } = await readFirstAndLast(world, session)
        for (const [label, page] of [
          ['the first page', first],
          ['the last page', last],
        ] as const)
          world.expectValue(
            page,
            ...[...hasFormOfNextOffset, hasNextOffset(hasMore(page))].map((one) =>
              labelled(label, one),
            ),
          )
      })
    },
  }),

  check('TOOL-PAGE-07', {
    title: 'returns every item once to a client that follows next_offset',
    async run(world) {
      const { target, onEachTransport, expectValue, requireMet } = world
      await onEachTransport(async (session) => {
        const { total } = requireConsistent(
          await requestPage(world, session, target.search!, { limit: 1, offset: 0 }),
        )
        // Chooses a limit that results in about four pages, or the maximum limit.
        const limit = Math.min(100, Math.max(1, Math.ceil(total / 4)))
        expectValue(
          await followUndisturbed(world, session, target.search!, limit, () =>
            requireMet('TOOL-PAGE-06'),
          ),
          ...reachesEachItemOnce,
        )
        expectValue(await readSingleItems(world, session), singleItemsInOrder)
        const narrowing = await findNarrowing(world, session)
        if (narrowing === undefined) return
        const { search } = target
        const narrowed = { ...search!, arguments: { ...search!.arguments, ...narrowing } }
        expectValue(
          await followUndisturbed(world, session, narrowed, 5, () => requireMet('TOOL-PAGE-06')),
          ...reachesEachItemOnce.map((one) => ({
            ...one,
            name: `${one.name} of a narrowed search`,
          })),
        )
      })
    },
  }),

  check('TOOL-PAGE-10', {
    title: 'returns no items past the end',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const call = world.target.search!
        const { total } = requireConsistent(
          await requestPage(world, session, call, { limit: 1, offset: 0 }),
        )
        // A refusal is allowed, see TOOL-PAGE-08.
        let isShown = false
        for (const offset of [total, total + 10]) {
          const exchange = await session.call(call.tool, {
            ...call.arguments,
            ...formatArgument(session, call, 'json'),
            limit: 5,
            offset,
          })
          const page = isSuccess(exchange)
            ? readPage(exchange, call, { limit: 5, offset })
            : undefined
          if (page?.items === undefined || page.json['total'] !== total) continue
          world.expectValue(page, isEmpty)
          isShown = true
        }
        if (!isShown) throw new NotApplicable('the server returns no page past the end')
      })
    },
  }),

  check('TOOL-PAGE-08', {
    title: 'records how an offset past the end is handled',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { search } = world.target
        const { total } = requireConsistent(
          await requestPage(world, session, search!, { limit: 1, offset: 0 }),
        )
        const { summary } = await session.call(search!.tool, {
          ...search!.arguments,
          ...formatArgument(session, search!, 'json'),
          offset: total + 10,
        })
        world.observe(`the offset ${total + 10}, beyond the last of ${total} items: ${summary}`)
      })
    },
  }),

  check('TOOL-PAGE-09', {
    title: 'records the name of the array of items',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { json, items } = await requestPage(world, session, world.target.search!)
        world.observe(
          `the field that contains the items: ${Object.keys(json).find((name) => json[name] === items) ?? 'none'}`,
        )
      })
    },
  }),
]

/** Ends the check as not covered if the page is empty, because then its count proves nothing. */
async function requireItems(world: ToolsWorld, { items }: ResultPage): Promise<void> {
  if (items === undefined) await world.requireMet('TOOL-PAGE-04')
  if (items === undefined || items.length === 0)
    throw new NotCovered<ToolsNeed>('the search returns no result', ['tools.search'])
}
