import { Blocked, NotCovered } from '../../../engine/index.ts'
import { namedCalls, type NamedCall } from '../support/named-calls.ts'
import { check } from '../support/define.ts'
import { isSuccess } from '../support/results.ts'
import type { Session } from '../support/client-session.ts'
import { refused } from '../support/expectations.ts'
import { fieldsOf, hasNestedInput } from '../support/tool.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

/** How many calls are made at the same time. */
const callCount = 20

/** A call that the target file names, or a call without arguments of a read-only tool. */
function workingCall({ target }: ToolsWorld, { tools }: Session): NamedCall {
  const [named] = namedCalls(target)
  const tool = tools.find(
    (one) => one.annotations['readOnlyHint'] === true && fieldsOf(one).required.length === 0,
  )
  if (named !== undefined) return named
  if (tool === undefined) throw new NotCovered<ToolsNeed>('no tool may be called', ['tools.calls'])
  return { tool: tool.name, arguments: {} }
}

export const unknownMethodsChecks = [
  check('TOOL-CALL-06', {
    title: 'refuses calls of unknown tools',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { tool, arguments: args } = workingCall(world, session)
        await world.callOrBlock(session, { tool, arguments: args })
        const other = `${tool}_${crypto.randomUUID().slice(0, 8)}`
        const sent = hasNestedInput(session.tools.find(({ name }) => name === tool))
          ? { params: args }
          : args
        world.expect(
          await session.request(
            'tools/call',
            { name: other, arguments: sent },
            { operation: 'tools/call an unknown tool' },
          ),
          refused,
        )
      })
    },
  }),

  check('TOOL-RATE-01', {
    title: 'records how many simultaneous calls succeed',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const call = workingCall(world, session)
        const calls = await Promise.all(
          Array.from({ length: callCount }, () => session.call(call.tool, call.arguments)),
        )
        const failed = calls.filter((exchange) => !isSuccess(exchange))
        if (calls.every(({ response }) => response === undefined))
          throw new Blocked('TOOL-CALL-01', calls[0]!.summary)
        world.observe(
          `${callCount - failed.length} of ${callCount} simultaneous calls of ${call.tool} succeeded${failed[0] === undefined ? '' : `; ${failed[0].summary}`}`,
        )
      })
    },
  }),
]
