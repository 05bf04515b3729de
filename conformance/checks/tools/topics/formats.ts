import {
  identifiedItems,
  type IdentifiedItem,
  type BothFormats,
  readBothFormats,
} from '../support/both-formats.ts'
import { type Expectation, NotApplicable, NotCovered, isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
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
  findSpellings,
} from '../support/markdown.ts'
import { requestPage, type ResultPage } from '../support/result-page.ts'
import { isSuccess, jsonOf } from '../support/results.ts'
import type { ToolsNeed } from '../target.ts'

const sample = ({ markdown }: BothFormats) => `«${markdown.slice(0, 160).replace(/\s+/g, ' ')}»`

const hasHeader: Expectation<BothFormats> = {
  name: 'has a header',
  expected: 'a line that is a header',
  test: ({ markdown }) => countHeaders(markdown) > 0,
  received: sample,
}
const listsItems: Expectation<BothFormats> = {
  name: 'shows items one by one',
  expected: 'an entry of a list, or a header, for each item',
  test: ({ markdown, page: { items } }) =>
    countListEntries(markdown) >= items.length || countHeaders(markdown) >= items.length,
  received: (both) =>
    `${countListEntries(both.markdown)} entries and ${countHeaders(both.markdown)} headers for ${both.page.items.length} items: ${sample(both)}`,
}
const readable = (moments: readonly number[]): Expectation<BothFormats> => ({
  name: 'writes times for people',
  expected: 'no number of seconds or milliseconds since 1970',
  test: ({ markdown }) => epochTimesIn(markdown, moments).length === 0,
  received: ({ markdown }) =>
    `${epochTimesIn(markdown, moments).length} of ${moments.length} moments as such numbers`,
})
const unnamed = (markdown: string, items: readonly IdentifiedItem[]) =>
  items.filter(
    ({ id, title }) =>
      title !== undefined &&
      containsName(markdown, title) &&
      !containsNameWithId(markdown, title, id),
  )
const namesItems = (items: readonly IdentifiedItem[]): Expectation<BothFormats> => ({
  name: 'names items with their identifiers',
  expected: 'each name followed by its identifier in parentheses',
  test: ({ markdown }) => unnamed(markdown, items).length === 0,
  received: (both) =>
    `without: ${unnamed(both.markdown, items)
      .map(({ title, id }) => `${title} and ${id}`)
      .join('; ')}`,
})
const hidden = (markdown: string, items: readonly IdentifiedItem[]) =>
  items.filter(
    ({ id, title }) =>
      !containsId(markdown, id) && !(title !== undefined && containsName(markdown, title)),
  )
const showsSame = (items: readonly IdentifiedItem[]): Expectation<BothFormats> => ({
  name: 'shows the same items',
  expected: 'each item of json in markdown',
  test: ({ markdown }) => hidden(markdown, items).length === 0,
  received: (both) =>
    `not in markdown: ${hidden(both.markdown, items)
      .map(({ id }) => id)
      .join(', ')}`,
})

const isJson: Expectation<McpExchange> = {
  name: 'is an object',
  expected: 'a result in json, an object',
  test: (exchange) => isSuccess(exchange) && jsonOf(exchange) !== undefined,
}
const oneSpelling: Expectation<ResultPage> = {
  name: 'spells each field in one way',
  expected: 'one spelling of each name',
  test: ({ json }) => findSpellings(json).length === 0,
  received: ({ json }) =>
    findSpellings(json)
      .map((pair) => pair.join(' and '))
      .join('; '),
}

export const formats = [
  check('TOOL-MARKDOWN-01', {
    title: 'begins markdown with a header',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectOf(await readBothFormats(world, session), hasHeader),
      )
    },
  }),

  check('TOOL-MARKDOWN-02', {
    title: 'shows items in markdown as a list, or each under its header',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const read = await readBothFormats(world, session)
        if (read.page.items.length < 2)
          throw new NotCovered<ToolsNeed>('the search has one result only', ['tools.search'])
        world.expectOf(read, listsItems)
      })
    },
  }),

  check('TOOL-MARKDOWN-03', {
    title: 'writes times in markdown for people',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const read = await readBothFormats(world, session)
        const moments = timestampsIn(read.page.items)
        if (moments.length === 0) throw new NotApplicable('its items tell no times')
        world.expectOf(read, readable(moments))
      })
    },
  }),

  check('TOOL-MARKDOWN-04', {
    title: 'puts identifiers in parentheses behind names',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const read = await readBothFormats(world, session)
        const named = identifiedItems(read, world).filter(
          ({ title }) => title !== undefined && containsName(read.markdown, title),
        )
        if (named.length === 0)
          throw new NotCovered<ToolsNeed>('markdown shows none of the names', [
            'tools.search.title',
          ])
        world.expectOf(read, namesItems(named))
      })
    },
  }),

  check('TOOL-MARKDOWN-05', {
    title: 'leaves out of markdown what it likes',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { page, markdown } = await readBothFormats(world, session)
        const [first] = page.items
        const missing = isObject(first) ? membersMissingIn(markdown, first) : []
        world.observe(
          missing.length === 0
            ? 'markdown shows every member of an item as it is in json'
            : `not as in json: ${missing.join(', ')}`,
        )
      })
    },
  }),

  check('TOOL-JSON-01', {
    title: 'gives an object in json',
    async run(world) {
      const {
        access: { search },
        onEachTransport,
        expect,
        callOrBlock,
      } = world
      await onEachTransport(async (session) => {
        await callOrBlock(session, search!)
        expect(
          await session.call(search!.tool, { ...search!.arguments, response_format: 'json' }),
          isJson,
        )
      })
    },
  }),

  check('TOOL-JSON-02', {
    title: 'shows the same items in both formats',
    async run(world) {
      await world.onEachTransport(async (session) => {
        for (const offset of [0, 1]) {
          const read = await readBothFormats(world, session, { limit: 3, offset })
          world.expectOf(read, showsSame(identifiedItems(read, world)))
        }
      })
    },
  }),

  check('TOOL-JSON-03', {
    title: 'spells each field in one way',
    async run(world) {
      await world.onEachTransport(async (session) =>
        world.expectOf(await requestPage(world, session, world.access.search!), oneSpelling),
      )
    },
  }),
]
