import { Blocked } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { isSuccess } from '../support/results.ts'
import { refused } from '../support/expectations.ts'
import { hasNestedInput } from '../support/tool.ts'
import { findWorkingCall } from '../support/working-call.ts'

/** How many calls are made at the same time. */
const callCount = 20

export const unknownMethodsChecks = [
  check('TOOL-CALL-06', {
    title: 'refuses calls of unknown tools',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { tool, arguments: args } = findWorkingCall(world, session)
        await world.callOrBlock(session, { tool, arguments: args })
        // A server may look for a tool whose name is similar.
        const names = [
          `${tool}_${crypto.randomUUID().slice(0, 8)}`,
          tool.slice(tool.indexOf('_') + 1),
          tool.toUpperCase(),
        ].filter((other) => !session.tools.some(({ name }) => name === other))
        const sent = hasNestedInput(session.tools.find(({ name }) => name === tool))
          ? { params: args }
          : args
        for (const name of names)
          world.expect(
            await session.request(
              'tools/call',
              { name, arguments: sent },
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
        const call = findWorkingCall(world, session)
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
