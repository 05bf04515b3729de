import { Blocked, NotCovered } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { readInput, type ToolInputField } from '../support/definition/input.ts'
import { isNull, typesOf, branchesOf, type LocatedSchema } from '../support/definition/schema.ts'
import { keywordValues } from '../support/negatives/samples.ts'
import { isRefusal, isSuccess } from '../support/results.ts'
import type { Session } from '../support/client-session.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

/** Fields that every tool may have, and that are no query. */
const commonNames: readonly string[] = ['response_format', 'limit', 'offset']

/** The fields of the search, as they are defined. */
function searchFields(
  { access: { search } }: ToolsWorld,
  { tools }: Session,
): { root: LocatedSchema; fields: readonly ToolInputField[] } {
  if (search === undefined) throw new NotCovered<ToolsNeed>('there is no search', ['tools.search'])
  const tool = tools.find(({ name }) => name === search.tool)
  if (tool === undefined) throw new Blocked('TOOL-CALL-01', `the tool ${search.tool} is not listed`)
  const root = { schema: tool.schema, path: '$' }
  return { root, fields: readInput(root).fields }
}

/** Whether a field takes texts and nothing else, or null. */
const isText = ({ located }: ToolInputField, root: LocatedSchema): boolean => {
  const ways = branchesOf(located, root).filter((way) => !isNull(way))
  return (
    ways.length > 0 &&
    ways.every(
      (way) =>
        way.opaque ||
        (typesOf(way)?.every((type) => type === 'string' || type === 'null') ?? false),
    )
  )
}

const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const

/** What a search takes, and what tools make of input that nobody describes. */
export const queries = [
  check('TOOL-QUERY-01', {
    title: 'takes a query that is a text',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { root, fields } = searchFields(world, session)
        const given = fields.filter(
          ({ name }) =>
            name === 'query' ||
            (name in world.access.search!.arguments && !commonNames.includes(name)),
        )
        const says = fields
          .map((field) => `${field.name}: ${isText(field, root) ? 'text' : 'no text'}`)
          .join(', ')
        world.expect(session.listPages[0]!, {
          name: 'takes a query',
          expected: 'a field for it, of type string',
          test: () => given.some((field) => isText(field, root)),
          received: () => says || 'no fields',
        })
      })
    },
  }),

  check('TOOL-QUERY-02', {
    title: 'bounds queries, and takes tags or not',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { root, fields } = searchFields(world, session)
        const own = fields.filter((field) => !commonNames.includes(field.name))
        for (const { name, located } of own) {
          const ways = branchesOf(located, root)
          world.observe(
            `${name}: ${bounds.flatMap((keyword) => keywordValues(ways, keyword).map((value) => `${keyword} ${String(value)}`)).join(', ') || 'no bounds'}`,
          )
        }
        if (own.length === 0) world.observe('the search has no fields of its own')
      })
    },
  }),

  check('TOOL-INPUT-04', {
    title: 'refuses fields that it does not know, or passes by them',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const call = likely(world)
        await world.callOrBlock(session, call)
        const exchange = await session.call(call.tool, { ...call.arguments, touchstone: 'gold' })
        world.observe(
          `${call.tool} with a field more is ${isRefusal(exchange) ? 'refused' : isSuccess(exchange) ? 'taken' : 'not answered'}`,
        )
      })
    },
  }),

  check('TOOL-INPUT-05', {
    title: 'strips whitespace around strings, or does not',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const call = likely(world)
        const plain = await world.callOrBlock(session, call)
        const padded = Object.fromEntries(
          Object.entries(call.arguments).map(([name, value]) => [
            name,
            typeof value === 'string' ? ` ${value} ` : value,
          ]),
        )
        const exchange = await session.call(call.tool, padded)
        const same = JSON.stringify(exchange.result) === JSON.stringify(plain.result)
        world.observe(
          `${call.tool} with spaces around its strings ${isRefusal(exchange) ? 'is refused' : same ? 'has the same result' : 'has another result'}`,
        )
      })
    },
  }),
]

/** A call that the target file names, and that may be made as often as anybody likes. */
function likely({ access: { get, search, long } }: ToolsWorld) {
  const call = get ?? search ?? long
  if (call === undefined)
    throw new NotCovered<ToolsNeed>('no call is named that only reads', [
      'tools.get',
      'tools.search',
    ])
  return call
}
