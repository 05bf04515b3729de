import {
  totalCoversItems,
  sameTotal,
  readFirstAndLast,
  reachesEachItemOnce,
} from '../support/page-expectations.ts'
import { type Expectation, NotCovered, labelled } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import {
  hasMore,
  isCount,
  requestPage,
  requireConsistent,
  type ResultPage,
  type ConsistentPage,
} from '../support/result-page.ts'
import { followPages } from '../support/page-walk.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

const told =
  (name: string) =>
  ({ json }: Pick<ResultPage, 'json'>) =>
    `${name}: ${JSON.stringify(json[name]) ?? 'missing'}`

const tellsTotal: Expectation<ResultPage> = {
  name: 'tells an integer',
  expected: 'total, an integer of at least 0',
  test: ({ json }) => isCount(json['total']),
  received: told('total'),
}
const countsItems: Expectation<ResultPage> = {
  name: 'counts its items',
  expected: 'count, the number of items of the page',
  test: ({ json, items = [] }) => json['count'] === items.length,
  received: ({ json, items = [] }) =>
    `count: ${JSON.stringify(json['count']) ?? 'missing'}, and ${items.length} items`,
}
const tellsOffset: Expectation<ResultPage> = {
  name: 'tells its offset',
  expected: 'offset, as it was asked for',
  test: ({ json, requested }) => json['offset'] === requested.offset,
  received: ({ json, requested }) =>
    `offset: ${JSON.stringify(json['offset']) ?? 'missing'}, where ${requested.offset} was asked for`,
}
const hasArray: Expectation<ResultPage> = {
  name: 'has an array of items',
  expected: 'one member that is an array',
  test: ({ items }) => items !== undefined,
  received: ({ json }) => `members ${Object.keys(json).join(', ')}`,
}

const numbers = ({ total, offset, count }: ConsistentPage) =>
  `total ${total}, offset ${offset}, count ${count}`
const saysWhetherMore: Expectation<ConsistentPage> = {
  name: 'says whether there is more',
  expected: 'has_more, true exactly where total exceeds offset and count together',
  test: (page) => page.json['has_more'] === hasMore(page),
  received: (page) => `${told('has_more')(page)}, where ${numbers(page)}`,
}
const saysWhereNext = (more: boolean): Expectation<ConsistentPage> => ({
  name: 'says where the next page begins',
  expected: more ? 'next_offset, offset and count together' : 'next_offset, null',
  test: ({ json, offset, count }) => json['next_offset'] === (more ? offset + count : null),
  received: (page) => `${told('next_offset')(page)}, where ${numbers(page)}`,
})

export const pagination = [
  check('TOOL-PAGE-01', {
    title: 'tells how many matches there are',
    async run(world) {
      const { access, onEachTransport, expectOf } = world
      await onEachTransport(async (session) => {
        const ask = (limit: number, offset: number) =>
          requestPage(world, session, access.search!, { limit, offset })
        const read = async () => [
          await ask(100, 0),
          await ask(1, 0),
          await ask(1, 1),
          await ask(100, 0),
        ]
        let pages = await read()
        for (const page of pages) expectOf(page, tellsTotal)
        // Data that changes between two equal calls says nothing.
        for (
          let again = 0;
          again < 2 && pages[0]!.json['total'] !== pages[3]!.json['total'];
          again += 1
        )
          pages = await read()
        if (pages[0]!.json['total'] !== pages[3]!.json['total'])
          throw new NotCovered('what is searched changes all the time')
        expectOf(pages, sameTotal, totalCoversItems)
      })
    },
  }),

  check('TOOL-PAGE-02', {
    title: 'counts the items of a page',
    async run(world) {
      await world.onEachTransport(async (session) => {
        for (const [label, limit] of [
          ['one item', 1],
          ['many items', 100],
        ] as const) {
          const page = await requestPage(world, session, world.access.search!, { limit, offset: 0 })
          await atLeastOne(world, page)
          world.expectOf(page, labelled(label, countsItems))
        }
      })
    },
  }),

  check('TOOL-PAGE-03', {
    title: 'tells where a page begins',
    async run(world) {
      await world.onEachTransport(async (session) => {
        for (const offset of [1, 0])
          world.expectOf(
            await requestPage(world, session, world.access.search!, { limit: 1, offset }),
            labelled(offset === 0 ? 'from the first' : 'from the second', tellsOffset),
          )
      })
    },
  }),

  check('TOOL-PAGE-04', {
    title: 'has its items in an array',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectOf(await requestPage(world, session, world.access.search!), hasArray),
      )
    },
  }),

  check('TOOL-PAGE-05', {
    title: 'says whether there is more',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { first, last } = await readFirstAndLast(world, session)
        world.expectOf(first, labelled('the first of several', saysWhetherMore))
        world.expectOf(last, labelled('the last', saysWhetherMore))
      })
    },
  }),

  check('TOOL-PAGE-06', {
    title: 'says where the next page begins',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { first, last } = await readFirstAndLast(world, session)
        world.expectOf(first, labelled('the first of several', saysWhereNext(hasMore(first))))
        world.expectOf(last, labelled('the last', saysWhereNext(hasMore(last))))
      })
    },
  }),

  check('TOOL-PAGE-07', {
    title: 'leads through all items, page by page',
    async run(world) {
      const { access, onEachTransport, expectOf, requireMet } = world
      await onEachTransport(async (session) => {
        const { total } = requireConsistent(
          await requestPage(world, session, access.search!, { limit: 1, offset: 0 }),
        )
        // Some four pages, or as large ones as there can be.
        const limit = Math.min(100, Math.max(1, Math.ceil(total / 4)))
        expectOf(
          await followPages(world, session, access.search!, limit, () =>
            requireMet('TOOL-PAGE-06'),
          ),
          ...reachesEachItemOnce,
        )
      })
    },
  }),

  check('TOOL-PAGE-08', {
    title: 'has an empty page past the end, or refuses',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { search } = world.access
        const { total } = requireConsistent(
          await requestPage(world, session, search!, { limit: 1, offset: 0 }),
        )
        const { summary } = await session.call(search!.tool, {
          ...search!.arguments,
          response_format: 'json',
          offset: total + 10,
        })
        world.observe(`ten past the end of ${total}: ${summary}`)
      })
    },
  }),

  check('TOOL-PAGE-09', {
    title: 'names its array of items',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { json, items } = await requestPage(world, session, world.access.search!)
        world.observe(
          `the items are in ${Object.keys(json).find((name) => json[name] === items) ?? 'no array'}`,
        )
      })
    },
  }),
]

/** A count of nothing proves nothing. */
async function atLeastOne(world: ToolsWorld, { items }: ResultPage): Promise<void> {
  if (items === undefined) await world.requireMet('TOOL-PAGE-04')
  if (items === undefined || items.length === 0)
    throw new NotCovered<ToolsNeed>('the search has no result', ['tools.search'])
}
