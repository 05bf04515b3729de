import {
  mentionsOffsetOrFilters,
  callLong,
  requireTruncated,
  maxCharacters,
  wantedItems,
  charactersOf,
  requestTruncatedPage,
} from '../support/truncated-pages.ts'
import { type Expectation, judge } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { type ResultPage } from '../support/result-page.ts'
import { reachesEachItemOnce } from '../support/page-expectations.ts'
import { textOf, textsOf } from '../support/results.ts'
import { followPages } from '../support/page-walk.ts'

const fits: Expectation<McpExchange> = {
  name: 'is not too long',
  expected: `at most ${maxCharacters} characters`,
  test: (exchange) => charactersOf(exchange) <= maxCharacters,
  received: (exchange) => `${charactersOf(exchange)} characters`,
}

const saysSo: Expectation<ResultPage> = {
  name: 'says that it is cut short',
  expected: 'truncated, true',
  test: ({ json }) => json['truncated'] === true,
  received: ({ json }) => `truncated: ${JSON.stringify(json['truncated']) ?? 'missing'}`,
}

const helps: Expectation<ResultPage> = {
  name: 'tells how to go on',
  expected: 'truncation_message, a text that tells of offset or of filters',
  test: ({ json: { truncation_message: message } }) =>
    typeof message === 'string' && mentionsOffsetOrFilters(message),
  received: ({ json }) =>
    `truncation_message: ${JSON.stringify(json['truncation_message']) ?? 'missing'}`,
}
const isPage = (page: ResultPage | undefined): Expectation<McpExchange> => ({
  name: 'is still json',
  expected: 'an object in json with an array of items',
  test: () => page !== undefined,
})
const hasFewer: Expectation<ResultPage> = {
  name: 'has fewer items',
  expected: 'fewer items than were asked for',
  test: (page) => (page.items?.length ?? 0) < wantedItems(page),
  received: (page) =>
    `${page.items?.length ?? 0} items, where ${page.requested.limit} were asked for`,
}
const counts: Expectation<ResultPage> = {
  name: 'counts the items that it has',
  expected: 'count, the number of items',
  test: ({ json, items }) => json['count'] === items?.length,
  received: ({ json, items }) =>
    `count: ${JSON.stringify(json['count']) ?? 'missing'}, and ${items?.length ?? 0} items`,
}

export const truncation = [
  watch('TOOL-TRUNCATION-01', {
    title: 'gives no result that is too long',
    examine: (exchange) =>
      textsOf(exchange).length === 0 ? [] : [{ name: fits.name, ...judge(fits, exchange) }],
  }),

  check('TOOL-TRUNCATION-02', {
    title: 'says that a result is cut short',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectOf(await requestTruncatedPage(world, session), saysSo),
      )
    },
  }),

  check('TOOL-TRUNCATION-03', {
    title: 'tells how to get what was cut off',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectOf(await requestTruncatedPage(world, session), helps),
      )
    },
  }),

  check('TOOL-TRUNCATION-04', {
    title: 'leaves items out, and counts those that it keeps',
    async run(world) {
      const { onEachTransport, expect, expectOf, requireMet } = world
      await onEachTransport(async (session) => {
        const asked = await callLong(world, session)
        expect(asked.exchange, isPage(asked.page))
        const page = requireTruncated(world, asked)
        // How items are counted at all is another row's affair.
        if (page.json['count'] !== page.items?.length) await requireMet('TOOL-PAGE-02')
        expectOf(page, hasFewer, counts)
      })
    },
  }),

  check('TOOL-TRUNCATION-05', {
    title: 'leads through all items, however much is cut off',
    async run(world) {
      const { access, onEachTransport, expectOf, requireMet } = world
      await onEachTransport(async (session) => {
        await requestTruncatedPage(world, session)
        await requireMet('TOOL-TRUNCATION-04')
        expectOf(
          await followPages(world, session, access.long!, undefined, () =>
            requireMet('TOOL-PAGE-06'),
          ),
          ...reachesEachItemOnce,
        )
      })
    },
  }),

  check('TOOL-TRUNCATION-06', {
    title: 'tells in markdown that a result is cut short, or keeps silent on it',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const exchange = await world.callOrBlock(session, world.access.long!, {
          response_format: 'markdown',
        })
        const lines = textOf(exchange)
          .split('\n')
          .filter((line) => /truncat|shorten|cut|offset/i.test(line))
        world.observe(
          `${charactersOf(exchange)} characters; ${lines.length === 0 ? 'no line tells of it' : `«${lines.at(-1)!.trim().slice(0, 200)}»`}`,
        )
      })
    },
  }),
]
