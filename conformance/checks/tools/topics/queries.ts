import { type Expectation, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { branchesOf } from '../../../definitions/branches.ts'
import { keywordValues } from '../support/negatives/samples.ts'
import { idsOf } from '../support/result-page.ts'
import { isRefusal, isSuccess, itemsOf, jsonOf } from '../support/results.ts'
import {
  commonNames,
  isStringField,
  possibleQueries,
  queryField,
  requireQuery,
  searchFields,
} from '../support/query-field.ts'
import { openSearch } from '../support/search.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const

/** The identifiers of the items that a search found, in order. */
const idsFound = (exchange: McpExchange, id: string | undefined): readonly string[] =>
  idsOf(itemsOf(jsonOf(exchange) ?? {}) ?? [], id).filter((one) => one !== undefined)
const dependsOnQuery: Expectation<readonly (readonly string[])[]> = {
  name: 'depends on the query',
  expected: 'no items, or different items for the two queries',
  test: ([one = [], other = []]) => one.length === 0 || one.join() !== other.join(),
  received: ([one = []]) => `for both queries: ${one.slice(0, 5).join(', ')}`,
}

export const queriesChecks = [
  check('TOOL-QUERY-01', {
    title: 'accepts a query as a string',
    async run(world) {
      requireQuery(world)
      await world.onEachTransport(async (session) => {
        const { root, fields } = searchFields(world, session)
        const types = fields
          .map(
            (field) => `${field.name}: ${isStringField(field, root) ? 'string' : 'not a string'}`,
          )
          .join(', ')
        world.expect(session.listPages[0]!, {
          name: 'has a query',
          expected: 'an input field for the query, of the type string',
          test: () => possibleQueries(world, session).length > 0,
          received: () => types || 'no fields',
        })
      })
    },
  }),

  check('TOOL-QUERY-02', {
    title: 'records the input fields of the search tool and their bounds',
    async run(world) {
      requireQuery(world)
      await world.onOneTransport(async (session) => {
        const { root, fields } = searchFields(world, session)
        const own = fields.filter((field) => !commonNames.includes(field.name))
        for (const { name, located } of own) {
          const branches = branchesOf(located, root)
          world.observe(
            `${name}: ${bounds.flatMap((keyword) => keywordValues(branches, keyword).map((value) => `${keyword} ${String(value)}`)).join(', ') || 'no bounds'}`,
          )
        }
        if (own.length === 0) world.observe('the search has only common fields')
      })
    },
  }),

  check('TOOL-QUERY-03', {
    title: 'returns no items, or different ones, for words that no item contains',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { call, jsonFormat, id } = openSearch(world, session)
        const field = queryField(world, session)
        const found: McpExchange[] = []
        for (const query of ['zqxjkvwq', 'vvkjqxzz'])
          found.push(await call({ ...jsonFormat, [field]: query }))
        if (!found.every(isSuccess)) throw new NotCovered('the search refuses a meaningless query')
        world.expectValue(
          found.map((exchange) => idsFound(exchange, id)),
          dependsOnQuery,
        )
      })
    },
  }),

  check('TOOL-INPUT-04', {
    title: 'records how unknown fields are handled',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const call = repeatableCall(world)
        await world.callOrBlock(session, call)
        const exchange = await session.call(call.tool, { ...call.arguments, touchstone: 'gold' })
        world.observe(
          `a call of ${call.tool} with an unknown field is ${isRefusal(exchange) ? 'refused' : isSuccess(exchange) ? 'accepted' : 'not answered'}`,
        )
      })
    },
  }),

  check('TOOL-INPUT-05', {
    title: 'records how whitespace around strings is handled',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const call = repeatableCall(world)
        const plain = await world.callOrBlock(session, call)
        const padded = Object.fromEntries(
          Object.entries(call.arguments).map(([name, value]) => [
            name,
            typeof value === 'string' ? ` ${value} ` : value,
          ]),
        )
        const exchange = await session.call(call.tool, padded)
        const isUnchanged = JSON.stringify(exchange.result) === JSON.stringify(plain.result)
        world.observe(
          `a call of ${call.tool} with spaces around its strings ${isRefusal(exchange) ? 'is refused' : isUnchanged ? 'returns the same result' : 'returns another result'}`,
        )
      })
    },
  }),
]

/** Returns a call of the target file that may be repeated, because it only reads. */
function repeatableCall({ target: { get, search, long } }: ToolsWorld) {
  const call = get ?? search ?? long
  if (call === undefined)
    throw new NotCovered<ToolsNeed>('no call that only reads is configured', [
      'tools.get',
      'tools.search',
    ])
  return call
}
