import { Blocked, type Expectation, judge, NotCovered, labelled } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import {
  equalTo,
  findComparison,
  isRepeated,
  pageItems,
  wholeResult,
} from '../support/comparison.ts'
import { notJson } from '../support/expectations.ts'
import type { ResultPage } from '../support/result-page.ts'
import { calledToolOf, isRefusal, isSuccess } from '../support/results.ts'
import { seenPage } from '../support/seen-pages.ts'
import { findNarrowing } from '../support/narrowing.ts'
import { noOtherTool, readingCalls } from '../support/plain-calls.ts'
import { openSearch } from '../support/search.ts'
import type { Session } from '../support/client-session.ts'
import { fieldsOf, jsonArgument, resolveReference, type Tool } from '../support/tool.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

const accepted: Expectation<McpExchange> = {
  name: 'is accepted',
  expected: 'a result without isError, whose text does not begin with "Error:"',
  test: isSuccess,
}
const refused: Expectation<McpExchange> = {
  name: 'is refused',
  expected: 'an error, or a result that reports one',
  test: isRefusal,
}

const keepsLimit: Expectation<ResultPage> = {
  name: 'keeps the limit on each page',
  expected: 'at most as many items as the limit of the request',
  test: ({ items = [], requested: { limit } }) => items.length <= limit,
  received: ({ items = [], requested: { limit }, exchange }) =>
    `${items.length} items from ${calledToolOf(exchange)} with the limit ${limit}`,
}

const expectationName = 'is the same'

/** Returns values for `response_format` that the schema of the search does not list. */
function otherFormats(
  { target }: ToolsWorld,
  { tools }: Session,
): { unknown: string; inCapitals: readonly string[] } {
  const tool = tools.find(({ name }) => name === target.search?.tool)
  const field =
    tool === undefined
      ? undefined
      : resolveReference(fieldsOf(tool).properties['response_format'], tool.schema)
  const listed = JSON.stringify(field) ?? ''
  return {
    unknown:
      ['xml', 'yaml', 'touchstone'].find((format) => !listed.includes(format)) ?? 'touchstones',
    inCapitals: ['JSON', 'MARKDOWN'].filter((format) => !listed.includes(format)),
  }
}

/**
 * Makes a check that all tools which only read, except the search, accept values of a field that
 * has the same meaning in every tool.
 */
const checkAccepted = (
  requirement: 'TOOL-LIMIT-03' | 'TOOL-OFFSET-03',
  field: 'limit' | 'offset',
  values: readonly number[],
) =>
  check(requirement, {
    title: `accepts the ${field} ${values.join(' and ')} in all tools that only read`,
    door: 'other tools that only read',
    async run(world) {
      const hasField = (tool: Tool) => Object.hasOwn(fieldsOf(tool).properties, field)
      const search = world.target.search?.tool
      const calls = (await readingCalls(world, search)).filter(({ tool }) => hasField(tool))
      await world.onOneTransport(async (session) => {
        if (calls.length === 0)
          throw noOtherTool(world, session, hasField, `has the field ${field}`)
        for (const { call } of calls)
          for (const value of values)
            world.expect(
              await session.call(call.tool, { ...call.arguments, [field]: value }),
              labelled(`${field} ${value} in other tools`, accepted),
            )
      })
    },
  })

/** Checks of the fields that have the same meaning in every tool. Most call the search tool. */
export const commonInputsChecks = [
  check('TOOL-FORMAT-02', {
    title: 'returns Markdown by default',
    door: 'the search tool',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { call, callOrBlock } = openSearch(world, session, 'response_format')
        const [explicit, again, without] = await Promise.all([
          callOrBlock({ response_format: 'markdown' }),
          callOrBlock({ response_format: 'markdown' }),
          call({ response_format: undefined }),
        ])
        world.expect(without, notJson)
        world.expect(
          without,
          equalTo(
            expectationName,
            isSuccess(without) ? findComparison(explicit, again) : wholeResult,
            explicit,
          ),
        )
      })
    },
  }),

  check('TOOL-FORMAT-03', {
    title: 'refuses a response_format other than markdown and json',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { call, callOrBlock } = openSearch(world, session, 'response_format')
        await callOrBlock({ response_format: 'markdown' })
        const { unknown, inCapitals } = otherFormats(world, session)
        world.expect(await call({ response_format: unknown }), refused)
        for (const format of inCapitals)
          world.expect(await call({ response_format: format }), {
            ...refused,
            name: 'is refused in capitals',
          })
      })
    },
  }),

  check('TOOL-LIMIT-02', {
    title: 'returns up to 20 items by default',
    door: 'the search tool',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { call, callOrBlock, jsonFormat, id } = openSearch(world, session, 'limit')
        await callOrBlock({})
        const compare = async (changes: Readonly<Record<string, unknown>>) => {
          const [explicit, again, without] = await Promise.all([
            call({ ...changes, limit: 20 }),
            call({ ...changes, limit: 20 }),
            call({ ...changes, limit: undefined }),
          ])
          return { explicit, again, without }
        }
        const { explicit, again, without } = await compare(jsonFormat)
        if (!isSuccess(explicit)) throw new Blocked('TOOL-LIMIT-03', explicit.summary)
        world.expect(
          without,
          equalTo(
            expectationName,
            isSuccess(without) ? findComparison(explicit, again, id) : wholeResult,
            explicit,
          ),
        )
        const narrowing = await findNarrowing(world, session)
        for (const [name, changes] of [
          [
            'is the same in Markdown',
            Object.keys(jsonFormat).length === 0 ? {} : { response_format: 'markdown' },
          ],
          ['is the same in a narrowed search', { ...jsonFormat, ...narrowing }],
        ] as const) {
          const results = await compare(changes)
          // If equal calls return different results, a difference proves nothing.
          if (isSuccess(results.explicit) && isRepeated(results.explicit, results.again))
            world.expect(results.without, equalTo(name, wholeResult, results.explicit))
        }
        const more = await call({ ...jsonFormat, limit: 100 })
        if (isSuccess(more) && isRepeated(more, explicit))
          throw new NotCovered<ToolsNeed>(
            'the search returns at most 20 items, so every default from 20 to 100 has the same result',
            ['tools.search'],
          )
      })
    },
  }),

  check('TOOL-LIMIT-02', {
    title: 'returns up to 20 items by default in all tools that only read',
    door: 'other tools that only read',
    async run(world) {
      const isPaged = (tool: Tool) => Object.hasOwn(fieldsOf(tool).properties, 'limit')
      const calls = (await readingCalls(world, world.target.search?.tool)).filter(({ tool }) =>
        isPaged(tool),
      )
      await world.onOneTransport(async (session) => {
        if (calls.length === 0) throw noOtherTool(world, session, isPaged, 'has the field limit')
        let isTried = false
        for (const { call, tool } of calls) {
          const { limit: _, ...args } = call.arguments
          const request = (limit?: number) =>
            session.call(call.tool, {
              ...args,
              ...jsonArgument(tool),
              ...(limit === undefined ? {} : { limit }),
            })
          const [explicit, without] = [await request(20), await request()]
          // If equal calls return different results, a difference proves nothing.
          if (!isSuccess(explicit) || !isRepeated(explicit, await request(20))) continue
          world.expect(without, equalTo('is the same in other tools', wholeResult, explicit))
          isTried = true
        }
        if (!isTried)
          throw new NotCovered<ToolsNeed>(
            'equal calls of the other tools that only read have different results, or fail',
            ['tools.calls'],
          )
      })
    },
  }),

  check('TOOL-LIMIT-03', {
    title: 'accepts limits from 1 to 100, and refuses others',
    needs: ['tools.search'],
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { call, callOrBlock } = openSearch(world, session, 'limit')
        await callOrBlock({})
        const [one, hundred, none, more] = await Promise.all(
          [1, 100, 0, 101].map((limit) => call({ limit })),
        )
        world.expect(one!, labelled('limit 1', accepted))
        world.expect(hundred!, labelled('limit 100', accepted))
        world.expect(none!, labelled('limit 0', refused))
        world.expect(more!, labelled('limit 101', refused))
      })
    },
  }),

  checkAccepted('TOOL-LIMIT-03', 'limit', [1, 100]),

  check('TOOL-LIMIT-04', {
    title: 'returns no more items than the limit',
    door: 'the search tool',
    needs: ['tools.search'],
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { call, callOrBlock, jsonFormat } = openSearch(world, session, 'limit')
        await callOrBlock(jsonFormat)
        const pages = await Promise.all(
          [1, 2, 5, undefined].map(async (limit) => ({
            limit,
            exchange: await call({ ...jsonFormat, limit }),
          })),
        )
        for (const { limit = 20, exchange } of pages) {
          if (!isSuccess(exchange)) throw new Blocked('TOOL-LIMIT-03', exchange.summary)
          const items = pageItems(exchange)
          if (items === undefined) {
            await world.requireMet('TOOL-JSON-01', exchange.summary)
            await world.requireMet('TOOL-PAGE-04', exchange.summary)
            throw new NotCovered(
              'a result of the search is not a JSON object with an array of items, so its items cannot be counted',
            )
          }
          world.expect(exchange, {
            name: 'keeps the limit',
            expected: `at most ${limit} items on the page`,
            test: () => items.length <= limit,
            received: () => `${items.length} items`,
          })
        }
      })
    },
  }),

  watch('TOOL-LIMIT-04', {
    title: 'returns no page with more items than its limit',
    door: 'all pages of the run',
    examine(exchange) {
      const page = seenPage(exchange)
      // A tool without the field limit may return pages of any length.
      const isLimited = page !== undefined && page.hasLimit && page.items !== undefined
      return isLimited ? [judge(keepsLimit, page)] : []
    },
  }),

  check('TOOL-OFFSET-02', {
    title: 'begins pages with the first item if offset is absent',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { call, callOrBlock, jsonFormat, id } = openSearch(world, session, 'offset')
        const [explicit, again, without] = await Promise.all([
          callOrBlock({ ...jsonFormat, offset: 0 }),
          callOrBlock({ ...jsonFormat, offset: 0 }),
          call({ ...jsonFormat, offset: undefined }),
        ])
        world.expect(
          without,
          equalTo(
            expectationName,
            isSuccess(without) ? findComparison(explicit, again, id) : wholeResult,
            explicit,
          ),
        )
      })
    },
  }),

  check('TOOL-OFFSET-03', {
    title: 'accepts the offset 0, and refuses a negative offset',
    needs: ['tools.search'],
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { call, callOrBlock } = openSearch(world, session, 'offset')
        await callOrBlock({})
        world.expect(await call({ offset: 0 }), labelled('offset 0', accepted))
        world.expect(await call({ offset: -1 }), labelled('offset -1', refused))
      })
    },
  }),

  checkAccepted('TOOL-OFFSET-03', 'offset', [0]),
]
