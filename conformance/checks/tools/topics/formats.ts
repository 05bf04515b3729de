import { isDeepStrictEqual } from 'node:util'
import {
  identifiedItems,
  identifiedItemsOf,
  type IdentifiedItem,
  type BothFormats,
  readBothFormats,
} from '../support/both-formats.ts'
import {
  type Expectation,
  type Json,
  NotApplicable,
  NotCovered,
  isObject,
  labelled,
  ofValue,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import {
  epochTimesIn,
  isoTimesIn,
  resemblesName,
  containsIdInParentheses,
  countListEntries,
  countHeaders,
  membersMissingIn,
  timestampsIn,
  containsName,
  containsNameWithId,
  containsId,
  jsonInMarkdown,
} from '../support/markdown.ts'
import { arrayOf, calledToolOf, isSuccess, itemsOf, jsonOf, textOf } from '../support/results.ts'
import { numbersOfSeenPage } from '../support/seen-pages.ts'
import { charactersOf, maxCharacters } from '../support/truncated-pages.ts'
import { ownNumbers, ownStrings } from '../support/upstream-phrases.ts'
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
/** Expects the times in `json` to be readable in Markdown. */
const hasReadableTimes = (json: unknown): Expectation<{ readonly markdown: string }> => ({
  name: 'writes readable times',
  expected: 'no time written as seconds or milliseconds since 1970',
  test: ({ markdown }) => epochTimesIn(markdown, json).length === 0,
  received: ({ markdown }) =>
    `${epochTimesIn(markdown, json).length} of ${timestampsIn(json).length} times as seconds or milliseconds since 1970`,
})
/** Expects the times in `json` to have another form in Markdown. */
const hasTimesForPeople = (json: unknown): Expectation<{ readonly markdown: string }> => ({
  name: 'writes times for people',
  expected: 'no time in the form 2024-01-31T10:00:00Z, which JSON results use',
  test: ({ markdown }) => isoTimesIn(markdown, json).length === 0,
  received: ({ markdown }) => isoTimesIn(markdown, json).slice(0, 3).join(', '),
})

/**
 * Makes the checks of the times in Markdown, which compare them with the times in JSON: one of the
 * search tool, and one of all tools.
 */
const checksOfTimes = (
  requirement: 'TOOL-MARKDOWN-03' | 'TOOL-MARKDOWN-07',
  what: string,
  expectation: (json: unknown) => Expectation<{ readonly markdown: string }>,
) => [
  check(requirement, {
    title: `${what} in Markdown`,
    door: 'the search tool',
    needs: ['tools.search'],
    async run(world) {
      await world.onEachTransport(async (session) => {
        const both = await readBothFormats(world, session)
        const { items } = both.page
        if (timestampsIn(items).length === 0) throw new NotApplicable('the items contain no times')
        world.expectValue(both, expectation(items))
      })
    },
  }),

  check(requirement, {
    title: `${what} in the Markdown of every tool`,
    door: 'all tools with response_format',
    async run(world) {
      const timed = (await makeFormattedCalls(world)).flatMap(({ json: [first], markdown }) => {
        const data = first === undefined ? undefined : dataOf(first)
        return timestampsIn(data).length === 0 ? [] : [{ data, markdown }]
      })
      if (timed.length === 0) throw new NotApplicable('no result contains times')
      for (const { data, markdown } of timed)
        world.expect(
          world.record(markdown),
          ofValue({ markdown: textOf(markdown) }, expectation(data)),
        )
    },
  }),
]
const withoutId = (markdown: string, items: readonly IdentifiedItem[]) =>
  items.filter(
    ({ id, title }) =>
      title !== undefined &&
      containsName(markdown, title) &&
      !containsNameWithId(markdown, title, id),
  )
const namesItems = (
  items: readonly IdentifiedItem[],
): Expectation<{ readonly markdown: string }> => ({
  name: 'shows identifiers after names',
  expected: 'each name followed by its identifier in parentheses',
  test: ({ markdown }) => withoutId(markdown, items).length === 0,
  received: (both) =>
    withoutId(both.markdown, items)
      .map(({ title, id }) => `"(${id})" does not follow "${title}"`)
      .join('; '),
})
/** The items whose identifiers are in parentheses, though the Markdown lacks their names. */
const withoutName = (markdown: string, items: readonly IdentifiedItem[]) =>
  items.filter(
    ({ id, title }) =>
      title !== undefined &&
      !resemblesName(markdown, title) &&
      containsIdInParentheses(markdown, id),
  )
const showsNames = (
  items: readonly IdentifiedItem[],
): Expectation<{ readonly markdown: string }> => ({
  name: 'shows whole names',
  expected: 'the whole name of each item before its identifier',
  test: ({ markdown }) => withoutName(markdown, items).length === 0,
  received: ({ markdown }) =>
    withoutName(markdown, items)
      .slice(0, 3)
      .map(({ title, id }) => `"${title}" does not precede "(${id})"`)
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

/** Removes all whitespace, and differences between small and capital letters. */
const withoutSpaces = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase()

/** Expects a Markdown result to contain a string of each item that no other item has. */
const showsItems = (items: readonly Json[]): Expectation<McpExchange> => {
  const missingIn = (markdown: McpExchange) => {
    const text = withoutSpaces(textOf(markdown))
    return items.filter((item) => {
      const [texts, numbers] = [ownStrings(item, items), ownNumbers(item, items)]
      return (
        texts.length > 0 &&
        !texts.some((own) => containsName(text, withoutSpaces(own))) &&
        !numbers.some((number) => containsId(textOf(markdown), String(number)))
      )
    })
  }
  return {
    name: 'shows the items of the page',
    expected: 'a name or an identifier of each item of the JSON result',
    test: (markdown) => missingIn(markdown).length === 0,
    received: (markdown) =>
      `${calledToolOf(markdown)} shows nothing of ${missingIn(markdown)
        .slice(0, 5)
        .map((item) => JSON.stringify(ownStrings(item, items)[0]))
        .join(', ')}`,
  }
}

/** The minimum number of members of an item in JSON; smaller objects can be part of other text. */
const minMembers = 3

/** Expects a Markdown result without the JSON of a value, or of one of its items. */
const withoutJson = (values: readonly unknown[]): Expectation<McpExchange> => {
  const wholes = values
    .flatMap((value) => (isObject(value) ? [value, ...(itemsOf(value) ?? [])] : [value].flat()))
    .filter((value) => isObject(value) && Object.keys(value).length >= minMembers)
  const foundIn = (markdown: McpExchange) =>
    jsonInMarkdown(textOf(markdown)).find((found) =>
      wholes.some((whole) => isDeepStrictEqual(found, whole)),
    )
  return {
    name: 'contains no JSON',
    expected: 'headings and lists for people, without an item as JSON',
    test: (markdown) => foundIn(markdown) === undefined,
    received: (markdown) =>
      `${calledToolOf(markdown)} shows ${JSON.stringify(foundIn(markdown)).slice(0, 160)}`,
  }
}

/** The object or array of a result in JSON. */
const dataOf = (exchange: McpExchange): unknown =>
  isSuccess(exchange) ? (jsonOf(exchange) ?? arrayOf(exchange)) : undefined

/** The found items that JSON data contains, with the same name and identifier. */
function knownItemsIn(
  data: unknown,
  found: readonly IdentifiedItem[],
  { target: { search } }: ToolsWorld,
): (IdentifiedItem & { title: string })[] {
  const objects = isObject(data)
    ? [data, ...(itemsOf(data) ?? [])]
    : Array.isArray(data)
      ? data
      : []
  return found.flatMap(({ id, title }) =>
    title !== undefined &&
    title.length >= minNameLength &&
    objects.some(
      (one) => isObject(one) && String(one[search!.id!]) === id && one[search!.title!] === title,
    )
      ? [{ id, title }]
      : [],
  )
}

/** The minimum length of a name that is looked for: shorter ones may be part of other text. */
const minNameLength = 4

/** The maximum length of a JSON page of which the Markdown is certainly not too long. */
const maxShortPage = maxCharacters / 2

/**
 * The items that two JSON results of one call have in common. Undefined if they are not pages, or
 * if a page is so long that the same page in Markdown may be truncated.
 */
function itemsOnBothPages(json: readonly McpExchange[]): readonly Json[] | undefined {
  const pages = json.map(numbersOfSeenPage)
  const [first, second] = pages
  if (first === undefined || second === undefined) return undefined
  if (json.some((one) => charactersOf(one) > maxShortPage)) return undefined
  if (pages.some((page) => page?.json['truncated'] === true)) return undefined
  return first.items
    .filter(isObject)
    .filter((item) => second.items.some((other) => isDeepStrictEqual(item, other)))
}

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

  ...checksOfTimes('TOOL-MARKDOWN-03', 'shows readable times', hasReadableTimes),
  ...checksOfTimes('TOOL-MARKDOWN-07', 'shows times for people', hasTimesForPeople),

  check('TOOL-MARKDOWN-04', {
    title: 'shows identifiers in parentheses after names in Markdown',
    door: 'the search tool',
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

  check('TOOL-MARKDOWN-04', {
    title: 'shows identifiers after the names of found items in the Markdown of every tool',
    door: 'all tools with response_format',
    async run(world) {
      const calls = await makeFormattedCalls(world)
      const found = await world.onOneTransport((session) => allItems(world, session))
      const shown = calls
        .filter(({ call }) => call.tool !== world.target.search!.tool)
        .flatMap(({ json: [first], markdown }) => {
          const items = first === undefined ? [] : knownItemsIn(dataOf(first), found, world)
          const named = items.filter(({ title }) => containsId(textOf(markdown), title))
          return named.length === 0 ? [] : [{ markdown, named }]
        })
      if (shown.length === 0)
        throw new NotApplicable('no other tool that is called shows an item that the search finds')
      for (const { markdown, named } of shown)
        world.expect(
          world.record(markdown),
          ofValue({ markdown: textOf(markdown) }, namesItems(named)),
        )
    },
  }),

  check('TOOL-MARKDOWN-08', {
    title: 'shows whole names in Markdown',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const both = await readBothFormats(world, session, { limit: 20, offset: 0 })
        const items = identifiedItems(both, world)
        const isNamed = ({ title, id }: IdentifiedItem) =>
          title !== undefined && containsNameWithId(both.markdown, title, id)
        // Otherwise, the Markdown shows other data as names.
        if (!items.some(isNamed))
          throw new NotApplicable('the markdown result contains none of the names')
        world.expectValue(both, showsNames(items))
      })
    },
  }),

  check('TOOL-MARKDOWN-06', {
    title: 'shows no item as JSON in Markdown',
    async run(world) {
      let isTried = false
      for (const { json, markdown, byDefault } of await makeFormattedCalls(world)) {
        const values = json.map(dataOf).filter((value) => value !== undefined)
        if (values.length === 0) continue
        isTried = true
        const isPage = json.some((one) => numbersOfSeenPage(one) !== undefined)
        // TOOL-FORMAT-02 covers results that are JSON as a whole.
        for (const exchange of [markdown, byDefault].filter(notJson.test))
          world.expect(
            world.record(exchange),
            labelled(isPage ? 'a page of items' : 'a single item', withoutJson(values)),
          )
      }
      if (!isTried) throw new NotCovered('no tool returns JSON if it is requested')
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
    door: 'the search tool',
    needs: ['tools.search.id'],
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

  check('TOOL-JSON-02', {
    title: 'shows all items of a page in the Markdown of every tool',
    door: 'all tools with response_format',
    async run(world) {
      const pages = (await makeFormattedCalls(world)).flatMap(({ json, byDefault }) => {
        const items = isSuccess(byDefault) ? itemsOnBothPages(json) : undefined
        return items === undefined ? [] : [{ items, byDefault }]
      })
      if (pages.length === 0)
        throw new NotApplicable('no tool that can be called twice returns a short page in JSON')
      for (const { items, byDefault } of pages)
        world.expect(world.record(byDefault), showsItems(items))
    },
  }),
]
