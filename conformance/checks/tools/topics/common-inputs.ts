import { Blocked, type Expectation, NotCovered, labelled } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { isJsonText, likeThat, likenessOf, pageItems, whole } from '../support/likeness.ts'
import { isRefusal, isSuccess, textsOf } from '../support/results.ts'
import { searchOn } from '../support/search.ts'
import type { Session } from '../support/client-session.ts'
import { fieldsOf, resolved } from '../support/tool.ts'
import type { ToolsWorld } from '../support/world.ts'

const taken: Expectation<McpExchange> = {
  name: 'is taken',
  expected: 'a result that tells of no failure',
  test: isSuccess,
}
const refused: Expectation<McpExchange> = {
  name: 'is refused',
  expected: 'an error, or a result that tells of one',
  test: isRefusal,
}

const noJson: Expectation<McpExchange> = {
  name: 'is no JSON',
  expected: 'text for people',
  test: (exchange) => !textsOf(exchange).some(isJsonText),
}
const same = 'is the same'

/** A format that the search's own list does not have. */
function otherFormat({ access }: ToolsWorld, { tools }: Session): string {
  const tool = tools.find(({ name }) => name === access.search?.tool)
  const field =
    tool === undefined
      ? undefined
      : resolved(fieldsOf(tool).properties['response_format'], tool.schema)
  const listed = JSON.stringify(field) ?? ''
  return ['xml', 'yaml', 'touchstone'].find((format) => !listed.includes(format)) ?? 'touchstones'
}

/** Fields that mean the same in every tool, tried on the search. */
export const common = [
  check('TOOL-FORMAT-02', {
    title: 'answers in markdown where no format is asked for',
    async run(world) {
      await world.each(async (session) => {
        const { ask, has } = searchOn(world, session, 'response_format')
        const [explicit, again, without] = await Promise.all([
          has({ response_format: 'markdown' }),
          has({ response_format: 'markdown' }),
          ask({ response_format: undefined }),
        ])
        world.expect(without, noJson)
        world.expect(
          without,
          likeThat(same, isSuccess(without) ? likenessOf(explicit, again) : whole, explicit),
        )
      })
    },
  }),

  check('TOOL-FORMAT-03', {
    title: 'refuses another format',
    async run(world) {
      await world.each(async (session) => {
        const { ask, has } = searchOn(world, session, 'response_format')
        await has({ response_format: 'markdown' })
        world.expect(await ask({ response_format: otherFormat(world, session) }), refused)
      })
    },
  }),

  check('TOOL-LIMIT-02', {
    title: 'gives twenty items where no limit is asked for',
    async run(world) {
      await world.each(async (session) => {
        const { ask, has, json, id } = searchOn(world, session, 'limit')
        await has({})
        const [explicit, again, without] = await Promise.all([
          ask({ ...json, limit: 20 }),
          ask({ ...json, limit: 20 }),
          ask({ ...json, limit: undefined }),
        ])
        if (!isSuccess(explicit)) throw new Blocked('TOOL-LIMIT-03', explicit.summary)
        world.expect(
          without,
          likeThat(same, isSuccess(without) ? likenessOf(explicit, again, id) : whole, explicit),
        )
      })
    },
  }),

  check('TOOL-LIMIT-03', {
    title: 'takes limits from 1 to 100, and no others',
    async run(world) {
      await world.each(async (session) => {
        const { ask, has } = searchOn(world, session, 'limit')
        await has({})
        const [one, hundred, none, more] = await Promise.all(
          [1, 100, 0, 101].map((limit) => ask({ limit })),
        )
        world.expect(one!, labelled('limit 1', taken))
        world.expect(hundred!, labelled('limit 100', taken))
        world.expect(none!, labelled('limit 0', refused))
        world.expect(more!, labelled('limit 101', refused))
      })
    },
  }),

  check('TOOL-LIMIT-04', {
    title: 'gives no more items than asked for',
    async run(world) {
      await world.each(async (session) => {
        const { ask, has, json } = searchOn(world, session, 'limit')
        await has(json)
        const pages = await Promise.all(
          [1, 2, 5, undefined].map(async (limit) => ({
            limit,
            exchange: await ask({ ...json, limit }),
          })),
        )
        for (const { limit = 20, exchange } of pages) {
          if (!isSuccess(exchange)) throw new Blocked('TOOL-LIMIT-03', exchange.summary)
          const items = pageItems(exchange)
          if (items === undefined) {
            await world.requireMet('TOOL-JSON-01', exchange.summary)
            await world.requireMet('TOOL-PAGE-04', exchange.summary)
            throw new NotCovered('a result of the search is no page in json')
          }
          world.expect(exchange, {
            name: 'is no longer than the limit',
            expected: `at most ${limit} items`,
            test: () => items.length <= limit,
            received: () => `${items.length} items`,
          })
        }
      })
    },
  }),

  check('TOOL-OFFSET-02', {
    title: 'begins with the first item where no offset is asked for',
    async run(world) {
      await world.each(async (session) => {
        const { ask, has, json, id } = searchOn(world, session, 'offset')
        const [explicit, again, without] = await Promise.all([
          has({ ...json, offset: 0 }),
          has({ ...json, offset: 0 }),
          ask({ ...json, offset: undefined }),
        ])
        world.expect(
          without,
          likeThat(same, isSuccess(without) ? likenessOf(explicit, again, id) : whole, explicit),
        )
      })
    },
  }),

  check('TOOL-OFFSET-03', {
    title: 'refuses a negative offset',
    async run(world) {
      await world.each(async (session) => {
        const { ask, has } = searchOn(world, session, 'offset')
        await has({ offset: 0 })
        world.expect(await ask({ offset: -1 }), refused)
      })
    },
  }),
]
