import { conformsTo } from '../support/contract.ts'
import { requireFormats } from '../support/declared-formats.ts'
import {
  callLong,
  requireTruncated,
  maxCharacters,
  wantedItems,
  charactersOf,
  isTruncated,
  requestTruncatedPage,
} from '../support/truncated-pages.ts'
import { judge, NotCovered, ofValue, type Expectation } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { requirePages, type ResultPage } from '../support/result-page.ts'
import { numbersOfSeenPage } from '../support/seen-pages.ts'
import {
  exceedsMaximum,
  isCut,
  requestFittingPage,
  sizeOf,
  sizes,
} from '../support/fitting-pages.ts'
import { readLastItem, type LastItem } from '../support/last-item.ts'
import { requestLongItem } from '../support/long-items.ts'
import { reachesEachItemOnce } from '../support/page-expectations.ts'
import { noOtherTool, readingCalls } from '../support/plain-calls.ts'
import { calledToolOf, jsonOf, textOf, textsOf } from '../support/results.ts'
import { requestShortItem } from '../support/short-items.ts'
import { hasPagesInFormats, requestShortPage, type ShortPage } from '../support/short-pages.ts'
import type { ToolsNeed } from '../target.ts'
import { hasFormats } from '../support/tool.ts'
import { followUndisturbed } from '../support/undisturbed-walk.ts'

const fits: Expectation<McpExchange> = {
  name: 'is not too long',
  expected: `a result of at most ${maxCharacters} characters`,
  test: (exchange) => charactersOf(exchange) <= maxCharacters,
  received: (exchange) => `${charactersOf(exchange)} characters from ${calledToolOf(exchange)}`,
}

const truncationConformsTo = (
  requirement: 'TOOL-TRUNCATION-02' | 'TOOL-TRUNCATION-03',
): Expectation<ResultPage>[] =>
  conformsTo('truncation', requirement).map((expectation) => ({
    ...expectation,
    test: ({ json }) => expectation.test(json),
    received: ({ json }) => expectation.received(json),
  }))
const isMarked = truncationConformsTo('TOOL-TRUNCATION-02')
const hasAdvice = truncationConformsTo('TOOL-TRUNCATION-03')

const isPage = (page: ResultPage | undefined): Expectation<McpExchange> => ({
  name: 'is valid JSON',
  expected: 'a JSON object with an array of items',
  test: () => page !== undefined,
})
const hasFewer: Expectation<ResultPage> = {
  name: 'has fewer items',
  expected: 'fewer items than requested',
  test: (page) => (page.items?.length ?? 0) < wantedItems(page),
  received: (page) =>
    `${page.items?.length ?? 0} items, but ${page.requested.limit} were requested`,
}
const counts: Expectation<ResultPage> = {
  name: 'counts the remaining items',
  expected: 'the field count with the number of items',
  test: ({ json, items }) => json['count'] === items?.length,
  received: ({ json, items }) =>
    `count: ${JSON.stringify(json['count']) ?? 'missing'}, with ${items?.length ?? 0} items`,
}

const hasAllItems: Expectation<ResultPage> = {
  name: 'has all items',
  expected: 'all requested items, because they have at most 25,000 characters',
  test: (page) => !isCut(page),
  received: (page) =>
    `${page.items?.length ?? 0} of ${wantedItems(page)} items in a result of ${sizeOf(page.exchange)} bytes, truncated: ${JSON.stringify(page.json['truncated']) ?? 'missing'}`,
}
const isUnmarked: Expectation<ResultPage> = {
  name: 'is not marked',
  expected: 'truncated false or missing, because no item follows',
  test: ({ json }) => json['truncated'] !== true,
  received: ({ json }) => `truncated: ${JSON.stringify(json['truncated'])}`,
}

const isComplete: Expectation<LastItem> = {
  name: 'has a complete last item',
  expected: 'all the text that a result with only this item contains',
  test: ({ missing }) => missing.length === 0,
  received: ({ id, missing }) => `the last item, ${id}, lacks its ${missing.join(', ')}`,
}

const isShortAndUnmarked: Expectation<McpExchange> = {
  name: 'is not marked, because it is short',
  expected: 'truncated false or missing in the result for a short item',
  test: (exchange) => jsonOf(exchange)?.['truncated'] !== true,
  received: (exchange) =>
    `truncated: true in a result of ${charactersOf(exchange)} characters from ${calledToolOf(exchange)}`,
}
const isWholePage: Expectation<ShortPage> = {
  name: 'has all items of a short page',
  expected: 'all requested items, because they have at most 25,000 characters',
  test: ({ missing }) => missing === 0,
  received: ({ exchange, missing, limit, size }) =>
    `${missing} of ${limit} items are missing in a result of ${calledToolOf(exchange)}; smaller pages with the same items have ${size} characters together`,
}

/** Makes a check that judges every truncated page that the run receives. */
const watchTruncated = (requirement: 'TOOL-TRUNCATION-02' | 'TOOL-TRUNCATION-03', title: string) =>
  watch(requirement, {
    title,
    needs: ['tools.long'],
    examine(exchange) {
      const page = numbersOfSeenPage(exchange)
      return page === undefined || !isTruncated(page, charactersOf(exchange))
        ? []
        : truncationConformsTo(requirement).map((one) => judge(one, page))
    },
  })

export const truncationChecks = [
  watch('TOOL-TRUNCATION-01', {
    title: 'returns no result of more than 25,000 characters',
    door: 'all results of the run',
    examine: (exchange) => (textsOf(exchange).length === 0 ? [] : [judge(fits, exchange)]),
  }),

  check('TOOL-TRUNCATION-01', {
    title: 'shortens a single item that is too long',
    door: 'one item that is too long',
    needs: ['tools.get', 'tools.upstream'],
    async run(world) {
      await world.onOneTransport(async (session) => {
        const tool = session.tools.find(({ name }) => name === world.target.get!.tool)
        let isTried = false
        for (const more of hasFormats(tool)
          ? [{ response_format: 'markdown' }, { response_format: 'json' }]
          : [{}]) {
          const exchange = await requestLongItem(world, session, more)
          if (exchange === undefined) continue
          world.expect(exchange, fits)
          isTried = true
        }
        if (!isTried)
          throw new NotCovered<ToolsNeed>(
            'the tool passes on no long string from its upstream, so its result is never too long',
            ['tools.get'],
          )
      })
    },
  }),

  check('TOOL-TRUNCATION-02', {
    title: 'marks truncated results',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectValue(await requestTruncatedPage(world, session), ...isMarked),
      )
    },
  }),

  watchTruncated('TOOL-TRUNCATION-02', 'marks each truncated page'),

  check('TOOL-TRUNCATION-03', {
    title: 'states how to get the items that a truncated result omits',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectValue(await requestTruncatedPage(world, session), ...hasAdvice),
      )
    },
  }),

  watchTruncated('TOOL-TRUNCATION-03', 'states on each truncated page how to continue'),

  check('TOOL-TRUNCATION-04', {
    title: 'omits items from truncated results, and counts the returned ones',
    async run(world) {
      const { onEachTransport, expect, expectValue, requireMet } = world
      await onEachTransport(async (session) => {
        requirePages(session, world.target.long!)
        const result = await callLong(world, session)
        expect(result.exchange, isPage(result.page))
        const page = requireTruncated(world, result)
        // A wrong count on any page is reported by TOOL-PAGE-02.
        if (page.json['count'] !== page.items?.length) await requireMet('TOOL-PAGE-02')
        expectValue(page, hasFewer, counts)
      })
    },
  }),

  check('TOOL-TRUNCATION-05', {
    title: 'returns each item once to a client that follows next_offset of truncated results',
    async run(world) {
      const { target, onEachTransport, expectValue, requireMet } = world
      await onEachTransport(async (session) => {
        requirePages(session, target.long!)
        await requestTruncatedPage(world, session)
        await requireMet('TOOL-TRUNCATION-04')
        expectValue(
          await followUndisturbed(world, session, target.long!, undefined, () =>
            requireMet('TOOL-PAGE-06'),
          ),
          ...reachesEachItemOnce,
        )
      })
    },
  }),

  check('TOOL-TRUNCATION-06', {
    title: 'records how Markdown results are truncated',
    async run(world) {
      await world.onOneTransport(async (session) => {
        requireFormats(session, world.target.long!)
        const exchange = await world.callOrBlock(session, world.target.long!, {
          response_format: 'markdown',
        })
        const lines = textOf(exchange)
          .split('\n')
          .filter((line) => /truncat|shorten|cut|offset/i.test(line))
        world.observe(
          `a Markdown result of ${charactersOf(exchange)} characters; ${lines.length === 0 ? 'no line mentions the truncation' : `"${lines.at(-1)!.trim().slice(0, 200)}"`}`,
        )
      })
    },
  }),

  check('TOOL-TRUNCATION-07', {
    title: 'returns all items of a result that is not too long',
    door: 'a page of items',
    needs: ['tools.long'],
    async run(world) {
      await world.onEachTransport(async (session) => {
        const medium = await requestFittingPage(world, session, sizes.medium)
        if (await exceedsMaximum(world, session, medium, 8))
          throw new NotCovered('the items differ so much in length that the result may be too long')
        world.expectValue(medium, hasAllItems)
        const full = await requestFittingPage(world, session, sizes.full)
        // Each part repeats the fields of a page, so the size of a few parts is closer to that of
        // the single page.
        if (!(await exceedsMaximum(world, session, full, 3)))
          world.expectValue(full, { ...hasAllItems, name: 'has all items just below the maximum' })
      })
    },
  }),

  watch('TOOL-TRUNCATION-07', {
    title: 'does not mark pages past the end as truncated',
    door: 'a page past the end',
    examine(exchange) {
      const page = numbersOfSeenPage(exchange)
      // Past the last item there is nothing to omit.
      return page === undefined || page.items.length > 0 || page.offset < page.total
        ? []
        : [judge(isUnmarked, page)]
    },
  }),

  watch('TOOL-TRUNCATION-07', {
    title: 'does not mark pages with all requested items as truncated',
    door: 'a complete page',
    examine(exchange) {
      const page = numbersOfSeenPage(exchange)
      // A single item may be shortened, because a page with fewer items would be empty.
      return page === undefined || page.items.length < 2 || page.items.length < wantedItems(page)
        ? []
        : [
            judge(
              { ...isUnmarked, expected: 'truncated false or missing, because no item is omitted' },
              page,
            ),
          ]
    },
  }),

  check('TOOL-TRUNCATION-07', {
    title: 'does not mark a short item as truncated',
    door: 'a single item',
    needs: ['tools.get', 'tools.upstream'],
    async run(world) {
      await world.onOneTransport(async (session) =>
        world.expect(await requestShortItem(world, session), isShortAndUnmarked),
      )
    },
  }),

  check('TOOL-TRUNCATION-07', {
    title: 'returns all items of a short page in every tool that only reads',
    door: 'a page of another tool',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const calls = (await readingCalls(world, world.target.long?.tool)).filter(({ tool }) =>
          hasPagesInFormats(tool),
        )
        if (calls.length === 0)
          throw noOtherTool(world, session, hasPagesInFormats, 'has pages in two formats')
        const pages = []
        for (const { call } of calls)
          pages.push(await requestShortPage(world, session, call, 'json'))
        const found = pages.filter((page) => page !== undefined)
        if (found.length === 0)
          throw new NotCovered<ToolsNeed>(
            'no other tool that only reads returns pages of at least two items in JSON',
            ['tools.search'],
          )
        for (const page of found) world.expect(page.exchange, ofValue(page, isWholePage))
      })
    },
  }),

  check('TOOL-TRUNCATION-07', {
    title: 'shows all items of a short page in Markdown',
    door: 'a page in Markdown',
    needs: ['tools.search.id'],
    async run(world) {
      await world.onOneTransport(async (session) => {
        const search = world.target.search!
        requirePages(session, search)
        requireFormats(session, search)
        const page = await requestShortPage(world, session, search, 'markdown', search.id)
        if (page === undefined)
          throw new NotCovered<ToolsNeed>('the search has no page of at least two items', [
            'tools.search',
          ])
        world.expect(page.exchange, {
          ...ofValue(page, isWholePage),
          name: 'shows all items of a short page',
        })
      })
    },
  }),

  check('TOOL-TRUNCATION-08', {
    title: 'truncates Markdown after a complete item',
    async run(world) {
      await world.onOneTransport(async (session) => {
        requirePages(session, world.target.long!)
        const last = await readLastItem(world, session)
        world.expect(last.exchange, ofValue(last, isComplete))
      })
    },
  }),
]
