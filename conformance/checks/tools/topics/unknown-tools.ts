import { Blocked } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { Session } from '../support/client-session.ts'
import { check } from '../support/define.ts'
import { isSuccess } from '../support/results.ts'
import { refused } from '../support/expectations.ts'
import { hasNestedInput } from '../support/tool.ts'
import { findWorkingCall } from '../support/working-call.ts'

/** How many calls are made at the same time. */
const callCount = 20

/** Calls a tool by a name that is not listed, with the arguments of a listed tool. */
const callUnlisted = (
  session: Session,
  listed: string,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<McpExchange> =>
  session.request(
    'tools/call',
    {
      name,
      arguments: hasNestedInput(session.tools.find((tool) => tool.name === listed))
        ? { params: args }
        : args,
    },
    { operation: 'tools/call an unknown tool' },
  )

export const unknownToolsChecks = [
  check('TOOL-CALL-06', {
    title: 'refuses calls of unknown tools',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { tool, arguments: args } = findWorkingCall(world, session)
        await world.callOrBlock(session, { tool, arguments: args })
        const name = `${tool}_${crypto.randomUUID().slice(0, 8)}`
        world.expect(await callUnlisted(session, tool, name, args), refused)
      })
    },
  }),

  check('TOOL-CALL-09', {
    title: 'refuses tool names that differ from listed ones only in prefix or case',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { tool, arguments: args } = findWorkingCall(world, session)
        await world.callOrBlock(session, { tool, arguments: args })
        const names = [tool.slice(tool.indexOf('_') + 1), tool.toUpperCase()].filter(
          (other) => !session.tools.some(({ name }) => name === other),
        )
        for (const name of names)
          world.expect(await callUnlisted(session, tool, name, args), refused)
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
