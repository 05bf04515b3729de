import { openTwoSessions, expectSeparateResponses } from '../support/interleaved-clients.ts'
import { NotCovered } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import type { ToolsNeed } from '../target.ts'

export const clients = [
  check('TOOL-MCP-11', {
    title: 'serves two clients at once',
    async run(world) {
      const among = world.transports.filter((transport) => transport !== 'sse')
      if (among.length === 0)
        throw new NotCovered<ToolsNeed>(
          "two clients of the event stream are another row's affair",
          ['tools.http'],
        )
      await world.onEachTransport(
        async ({ transport }) =>
          expectSeparateResponses(world, ...(await openTwoSessions(world, transport))),
        among,
      )
    },
  }),

  check('TOOL-SSE-04', {
    title: 'gives two clients each their own answers',
    async run(world) {
      await world.onEachTransport(
        async ({ transport }) =>
          expectSeparateResponses(world, ...(await openTwoSessions(world, transport))),
        ['sse'],
      )
    },
  }),
]
