import {
  identifiedItems,
  identifiedItemsOf,
  type IdentifiedItem,
  type BothFormats,
  readBothFormats,
} from '../support/both-formats.ts'
import { type Expectation, NotApplicable, NotCovered, isObject } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import {
  epochTimesIn,
  countListEntries,
  countHeaders,
  membersMissingIn,
  timestampsIn,
  containsName,
  containsNameWithId,
  containsId,
} from '../support/markdown.ts'
import { makeFormattedCalls } from '../support/formatted-calls.ts'
import { notJson } from '../support/expectations.ts'
import { requestPage } from '../support/result-page.ts'
import type { Session } from '../support/client-session.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

const excerptOf = ({ markdown }: BothFormats) => `"${markdown.slice(0, 160).replace(/\s+/g, ' ')}"`

const hasHeader: Expectation<BothFormats> = {
  name: 'has a header',
  expected: 'a heading',
  test: ({ markdown }) => countHeaders(markdown) > 0,
  received: excerptOf,
}
const listsItems: Expectation<BothFormats> = {
  name: 'lists items',
  expected: 'a list entry or a heading for each item',
  test: ({ markdown, page: { items } }) =>
    countListEntries(markdown) >= items.length || countHeaders(markdown) >= items.length,
  received: (both) =>
    `${countListEntries(both.markdown)} list entries and ${countHeaders(both.markdown)} headings for ${both.page.items.length} items: ${excerptOf(both)}`,
}
const hasReadableTimes = (times: readonly number[]): Expectation<BothFormats> => ({
  name: 'writes readable times',
  expected: 'no time written as seconds or milliseconds since 1970',
  test: ({ markdown }) => epochTimesIn(markdown, times).length === 0,
  received: ({ markdown }) =>
    `${epochTimesIn(markdown, times).length} of ${times.length} times as seconds or milliseconds since 1970`,
})
const withoutId = (markdown: string, items: readonly IdentifiedItem[]) =>
  items.filter(
    ({ id, title }) =>
      title !== undefined &&
      containsName(markdown, title) &&
      !containsNameWithId(markdown, title, id),
  )
const namesItems = (items: readonly IdentifiedItem[]): Expectation<BothFormats> => ({
  name: 'shows identifiers after names',
  expected: 'each name followed by its identifier in parentheses',
  test: ({ markdown }) => withoutId(markdown, items).length === 0,
  received: (both) =>
    withoutId(both.markdown, items)
      .map(({ title, id }) => `"(${id})" does not follow "${title}"`)
      .join('; '),
})
/** The items whose names the Markdown result contains. */
const shownItems = (both: BothFormats, world: ToolsWorld): IdentifiedItem[] =>
  identifiedItems(both, world).filter(
    ({ title }) => title !== undefined && containsName(both.markdown, title),
  )
const missingItems = (markdown: string, items: readonly IdentifiedItem[]) =>
  items.filter(
    ({ id, title }) =>
      !containsId(markdown, id) && !(title !== undefined && containsName(markdown, title)),
  )
const showsSame = (items: readonly IdentifiedItem[]): Expectation<BothFormats> => ({
  name: 'shows the same items',
  expected: 'each item of the JSON result in the Markdown result',
  test: ({ markdown }) => missingItems(markdown, items).length === 0,
  received: (both) =>
    `missing in markdown: ${missingItems(both.markdown, items)
      .map(({ id }) => id)
      .join(', ')}`,
})

const othersIn = (
  markdown: string,
  own: readonly IdentifiedItem[],
  all: readonly IdentifiedItem[],
) =>
  all.filter(
    ({ id, title }) =>
      title !== undefined &&
      !own.some((item) => item.id === id || item.title === title) &&
      containsNameWithId(markdown, title, id),
  )
/**
 * Expects the Markdown of a page to show only its items. Allows as many items of other pages as the
 * page has items, because each item may mention others.
 */
const showsNoOthers = (
  own: readonly IdentifiedItem[],
  all: readonly IdentifiedItem[],
): Expectation<BothFormats> => ({
  name: 'shows no other items',
  expected: 'only the items of the JSON result in the Markdown result',
  test: ({ markdown }) => othersIn(markdown, own, all).length <= own.length,
  received: ({ markdown }) =>
    `also in markdown: ${othersIn(markdown, own, all)
      .map(({ id }) => id)
      .join(', ')}`,
})

/** Returns the items of a page with the largest limit. */
async function allItems(world: ToolsWorld, session: Session): Promise<IdentifiedItem[]> {
  const page = await requestPage(world, session, world.target.search!, { limit: 100, offset: 0 })
  return identifiedItemsOf(page.items ?? [], world)
}

export const formatsChecks = [
  check('TOOL-MARKDOWN-01', {
    title: 'has a heading in Markdown results',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectValue(await readBothFormats(world, session), hasHeader),
      )
    },
  }),

  check('TOOL-MARKDOWN-02', {
    title: 'shows items in Markdown as a list, or each under a heading',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const both = await readBothFormats(world, session)
        if (both.page.items.length < 2)
          throw new NotCovered<ToolsNeed>(
            'the search returns only one result, and a list needs two',
            ['tools.search'],
          )
        world.expectValue(both, listsItems)
      })
    },
  }),

  check('TOOL-MARKDOWN-03', {
    title: 'shows readable times in Markdown',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const both = await readBothFormats(world, session)
        const times = timestampsIn(both.page.items)
        if (times.length === 0) throw new NotApplicable('the items contain no times')
        world.expectValue(both, hasReadableTimes(times))
      })
    },
  }),

  check('TOOL-MARKDOWN-04', {
    title: 'shows identifiers in parentheses after names in Markdown',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const both = await readBothFormats(world, session)
        const named = shownItems(both, world)
        if (named.length === 0)
          throw new NotCovered<ToolsNeed>('the markdown result contains none of the names', [
            'tools.search.title',
          ])
        world.expectValue(both, namesItems(named))
        const longer = await readBothFormats(world, session, { limit: 20, offset: 0 })
        world.expectValue(longer, {
          ...namesItems(shownItems(longer, world)),
          name: 'shows identifiers after names on a longer page',
        })
      })
    },
  }),

  check('TOOL-MARKDOWN-05', {
    title: 'records which fields Markdown results omit',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { page, markdown } = await readBothFormats(world, session)
        const [first] = page.items
        const missing = isObject(first) ? membersMissingIn(markdown, first) : []
        world.observe(
          missing.length === 0
            ? 'markdown contains every member of an item as in JSON'
            : `missing or different in Markdown: ${missing.join(', ')}`,
        )
      })
    },
  }),

  check('TOOL-FORMAT-02', {
    title: 'returns no JSON from any tool if Markdown is requested',
    door: 'all tools with response_format',
    async run(world) {
      for (const { markdown, byDefault } of await makeFormattedCalls(world)) {
        world.expect(world.record(markdown), notJson)
        world.expect(world.record(byDefault), { ...notJson, name: 'is not JSON by default' })
      }
    },
  }),

  check('TOOL-JSON-02', {
    title: 'shows the same items in both formats',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const all = await allItems(world, session)
        for (const offset of [0, 1]) {
          const both = await readBothFormats(world, session, { limit: 3, offset })
          const items = identifiedItems(both, world)
          world.expectValue(both, showsSame(items), showsNoOthers(items, all))
        }
      })
    },
  }),
]
