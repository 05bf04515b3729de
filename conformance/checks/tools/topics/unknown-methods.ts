import { Blocked, NotCovered } from '../../../engine/index.ts'
import { namedCalls, type NamedCall } from '../support/named-calls.ts'
import { check } from '../support/define.ts'
import { isSuccess } from '../support/results.ts'
import type { Session } from '../support/client-session.ts'
import { refused } from '../support/expectations.ts'
import { fieldsOf, hasNestedInput } from '../support/tool.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

/** How many calls are made at once to see whether they are served. */
const many = 20

/** A call that works: one that the target file names, else one of a tool that only reads and needs no input. */
function callable({ access }: ToolsWorld, { tools }: Session): NamedCall {
  const [named] = namedCalls(access)
  const tool = tools.find(
    (one) => one.annotations['readOnlyHint'] === true && fieldsOf(one).required.length === 0,
  )
  if (named !== undefined) return named
  if (tool === undefined)
    throw new NotCovered<ToolsNeed>('no tool is known that could be called', ['tools.calls'])
  return { tool: tool.name, arguments: {} }
}

export const unknown = [
  check('TOOL-CALL-06', {
    title: 'calls no tool that there is not',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { tool, arguments: given } = callable(world, session)
        await world.callOrBlock(session, { tool, arguments: given })
        const other = `${tool}_${crypto.randomUUID().slice(0, 8)}`
        const sent = hasNestedInput(session.tools.find(({ name }) => name === tool))
          ? { params: given }
          : given
        world.expect(
          await session.request(
            'tools/call',
            { name: other, arguments: sent },
            { operation: 'tools/call another tool' },
          ),
          refused,
        )
      })
    },
  }),

  check('TOOL-RATE-01', {
    title: 'how many calls it serves at once',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const call = callable(world, session)
        const calls = await Promise.all(
          Array.from({ length: many }, () => session.call(call.tool, call.arguments)),
        )
        const others = calls.filter((exchange) => !isSuccess(exchange))
        if (calls.every(({ response }) => response === undefined))
          throw new Blocked('TOOL-CALL-01', calls[0]!.summary)
        world.observe(
          `${many - others.length} of ${many} calls of ${call.tool} at once were served${others[0] === undefined ? '' : `; ${others[0].summary}`}`,
        )
      })
    },
  }),
]
