import {
  type Expectation,
  isObject,
  labelled,
  NotApplicable,
  NotCovered,
  ofValue,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { conformsTo } from '../support/contract.ts'
import { formatArgument, hasJson, requireJsonIfDeclared } from '../support/declared-formats.ts'
import { check } from '../support/define.ts'
import { makeFormattedCalls } from '../support/formatted-calls.ts'
import { findSpellings } from '../support/markdown.ts'
import { hasPages, requestPage, type ResultPage } from '../support/result-page.ts'
import { isSuccess, jsonOf } from '../support/results.ts'
import {
  describeFields,
  fieldsOfOtherTypes,
  findSameItems,
  missingFields,
  timesInOtherForms,
  type SameItem,
} from '../support/same-items.ts'
import { hasFormats } from '../support/tool.ts'
import { containsWords, itemsInBoth, phrasesIn, showsPhrase } from '../support/upstream-phrases.ts'
import { observeLastRequest, observeRequests } from '../support/upstream-request.ts'
import type { ToolsNeed } from '../target.ts'

const isObjectResult = conformsTo('page', 'TOOL-JSON-01').map(
  (expectation): Expectation<McpExchange> => ({
    name: 'is an object',
    expected: `a successful result; ${expectation.expected}`,
    test: (exchange) => isSuccess(exchange) && expectation.test(jsonOf(exchange)),
  }),
)
const isStructured: Expectation<McpExchange> = {
  name: 'is an object or an array',
  expected: 'a successful result whose text is a JSON object or array',
  test: (exchange) => isSuccess(exchange) && hasJson(exchange),
}
const oneSpelling: Expectation<unknown> = {
  name: 'spells each field in one way',
  expected: 'each field name spelled in only one way, not as userId and user_id',
  test: (json) => findSpellings(json).length === 0,
  received: (json) =>
    findSpellings(json)
      .map((pair) => pair.join(' and '))
      .join('; '),
}
const namesOfItems = (pages: readonly ResultPage[]) => [
  ...new Set(
    pages.flatMap(({ json, items }) =>
      items === undefined || items.length === 0
        ? []
        : Object.keys(json).filter((name) => json[name] === items),
    ),
  ),
]
const oneNameOfItems: Expectation<readonly ResultPage[]> = {
  name: 'names the items consistently',
  expected: 'the items in the same field on every page',
  test: (pages) => namesOfItems(pages).length < 2,
  received: (pages) => `the fields ${namesOfItems(pages).join(' and ')}`,
}
const unequalFields = (pages: readonly ResultPage[], id: string) => {
  const fieldsById = new Map<unknown, Set<string>>()
  for (const item of pages.flatMap(({ items = [] }) => items)) {
    if (!isObject(item) || item[id] === undefined) continue
    const known = fieldsById.get(item[id])
    const own = new Set(Object.keys(item))
    if (known === undefined) fieldsById.set(item[id], own)
    else {
      const other = [...known].filter((name) => !own.has(name))
      const more = [...own].filter((name) => !known.has(name))
      if (other.length + more.length > 0) return { id: item[id], fields: [...other, ...more] }
    }
  }
  return undefined
}
const sameFields = (id: string): Expectation<readonly ResultPage[]> => ({
  name: 'has the same fields on every page',
  expected: 'the same fields of an item for every limit and offset',
  test: (pages) => unequalFields(pages, id) === undefined,
  received(pages) {
    const found = unequalFields(pages, id)
    return `the item ${JSON.stringify(found?.id)} has the fields ${found?.fields.join(', ')} on only one of two pages`
  },
})

/** Expects no field to be wrong in the two results with an item. */
const noField = (
  door: string,
  name: string,
  expected: string,
  wrong: (item: SameItem) => string[],
): Expectation<SameItem> =>
  labelled(door, {
    name,
    expected,
    test: (item) => wrong(item).length === 0,
    received: (item) => describeFields(item, wrong(item)),
  })
const agreesWithSearch = [
  noField(
    'fields of the search',
    'has every field of the other tool',
    'the fields of the result of another tool also in the result of the search',
    ({ ofSearch, ofTool }) => missingFields(ofSearch, { has: ofTool }),
  ),
  noField(
    'fields of another tool',
    'has every field of the search',
    'the fields of the result of the search also in the result of another tool',
    ({ ofSearch, ofTool }) => missingFields(ofTool, { has: ofSearch }),
  ),
  noField('types', 'are equal', 'values of the same type in both results', fieldsOfOtherTypes),
  noField('times', 'have one form', 'times in the same form in both results', timesInOtherForms),
]

const containsAll = (phrases: readonly string[]): Expectation<McpExchange> => {
  const missingIn = (json: McpExchange) => phrases.filter((phrase) => !containsWords(json, phrase))
  return {
    name: 'contains what Markdown shows',
    expected: 'the words from the upstream that the Markdown result shows',
    test: (json) => missingIn(json).length === 0,
    received: (json) =>
      `without ${missingIn(json)
        .map((phrase) => `"${phrase.slice(0, 60)}"`)
        .join(', ')}`,
  }
}

export const jsonFormatChecks = [
  check('TOOL-JSON-01', {
    title: 'returns JSON results of the search as objects',
    door: 'the search tool',
    async run(world) {
      const {
        target: { search },
        onEachTransport,
        expect,
        callOrBlock,
      } = world
      await onEachTransport(async (session) => {
        await callOrBlock(session, search!)
        const exchange = await session.call(search!.tool, {
          ...search!.arguments,
          ...formatArgument(session, search!, 'json'),
        })
        requireJsonIfDeclared(session, search!, exchange)
        expect(exchange, ...(hasPages(session, search!) ? isObjectResult : [isStructured]))
      })
    },
  }),

  check('TOOL-JSON-01', {
    title: 'returns an object or an array from every tool if JSON is requested',
    door: 'all tools with response_format',
    async run(world) {
      for (const { json } of await makeFormattedCalls(world))
        for (const exchange of json) world.expect(world.record(exchange), isStructured)
    },
  }),

  check('TOOL-JSON-03', {
    title: 'spells each field name in only one way',
    door: 'the search tool',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const request = (offset: number) =>
          requestPage(world, session, world.target.search!, { limit: 3, offset })
        const pages = [await request(0), await request(1)]
        world.expectValue(pages[0]!.json, oneSpelling)
        world.expectValue(pages, oneNameOfItems)
      })
    },
  }),

  check('TOOL-JSON-03', {
    title: 'spells each field name in the same way in all tools',
    door: 'all tools with response_format',
    async run(world) {
      const calls = await makeFormattedCalls(world)
      world.expectValue(
        calls.flatMap(({ json: [first] }) => (first === undefined ? [] : [jsonOf(first)])),
        oneSpelling,
      )
    },
  }),

  check('TOOL-JSON-04', {
    title: 'returns the same fields of an item on every page',
    async run(world) {
      const { target, onEachTransport, expectValue } = world
      await onEachTransport(async (session) => {
        const request = (limit: number, offset: number) =>
          requestPage(world, session, target.search!, { limit, offset })
        const pages = [await request(100, 0), await request(1, 0), await request(2, 1)]
        // A truncated result may leave out fields.
        const whole = pages.filter(({ json }) => json['truncated'] !== true)
        expectValue(whole, sameFields(target.search!.id!))
      })
    },
  }),

  check('TOOL-JSON-06', {
    title: 'returns the same fields of an item in every tool',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const same = await findSameItems(world, session)
        if (same.length === 0)
          throw new NotApplicable('no other tool that is called returns an item of the search')
        for (const item of same)
          world.expect(
            world.record(item.exchange),
            ...agreesWithSearch.map((one) => ofValue(item, one)),
          )
      })
    },
  }),

  check('TOOL-JSON-05', {
    title: 'returns in JSON what the Markdown result shows',
    door: 'one item',
    needs: ['tools.get'],
    async run(world) {
      const { upstream } = await world.harness()
      if (upstream?.forward === undefined)
        throw new NotCovered<ToolsNeed>('the suite cannot read the data of the upstream', [
          'tools.upstream.forward',
        ])
      await world.onOneTransport(async (session) => {
        const { tool } = world.target.get!
        if (!hasFormats(session.tools.find(({ name }) => name === tool)))
          throw new NotApplicable(`the tool ${tool} has no field response_format`)
        const call = (format: string, by = session) =>
          world.callOrBlock(by, world.target.get!, { response_format: format })
        const request = await world.withExclusiveUpstream(session, (alone) =>
          observeLastRequest(upstream, () => call('markdown', alone)),
        )
        const [markdown, json] = [await call('markdown'), await call('json')]
        if (jsonOf(json)?.['truncated'] === true)
          throw new NotCovered<ToolsNeed>('the result is truncated', ['tools.get'])
        const shown = phrasesIn(await upstream.readReal(request, world.timeout)).filter((phrase) =>
          showsPhrase(markdown, phrase),
        )
        if (shown.length === 0)
          throw new NotCovered<ToolsNeed>('the Markdown result shows no phrase of the upstream', [
            'tools.get',
          ])
        world.expect(json, containsAll(shown))
      })
    },
  }),

  check('TOOL-JSON-05', {
    title: 'returns in JSON what Markdown shows of items of the upstream',
    door: 'a list of items',
    async run(world) {
      const { upstream } = await world.harness()
      if (upstream?.forward === undefined)
        throw new NotCovered<ToolsNeed>('the suite cannot read the data of the upstream', [
          'tools.upstream.forward',
        ])
      const calls = await makeFormattedCalls(world)
      await world.onOneTransport(async (session) => {
        let isTried = false
        for (const { call, json, byDefault } of calls) {
          const isUsable = json.every(isSuccess) && isSuccess(byDefault)
          if (!isUsable || json.some((one) => jsonOf(one)?.['truncated'] === true)) continue
          const { requests } = await world.withExclusiveUpstream(session, (alone) =>
            observeRequests(upstream, () => alone.call(call.tool, call.arguments)),
          )
          const data = await Promise.all(
            requests.map((request) => upstream.readReal(request, world.timeout)),
          )
          const shown = [
            ...new Set(
              itemsInBoth(data, json)
                .flatMap(phrasesIn)
                .filter((phrase) => showsPhrase(byDefault, phrase)),
            ),
          ]
          if (shown.length === 0) continue
          isTried = true
          // The data may have changed between the two results in JSON.
          const fuller = json.find((one) => containsAll(shown).test(one)) ?? json[0]!
          world.expect(world.record(fuller), {
            ...containsAll(shown),
            name: 'contains what Markdown shows of items',
          })
        }
        if (!isTried)
          throw new NotApplicable(
            'no Markdown result shows a phrase of an item in a list of the upstream',
          )
      })
    },
  }),
]
