import { openTwoSessions, expectSeparateResponses } from '../support/interleaved-clients.ts'
import { NotCovered } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import type { ToolsNeed } from '../target.ts'

export const clientsChecks = [
  check('TOOL-MCP-11', {
    title: 'serves two clients at the same time',
    async run(world) {
      const transports = world.transports.filter((transport) => transport !== 'sse')
      if (transports.length === 0)
        throw new NotCovered<ToolsNeed>(
          'the target file configures only HTTP+SSE, which TOOL-SSE-04 covers',
          ['tools.http'],
        )
      await world.onEachTransport(
        async ({ transport }) =>
          expectSeparateResponses(world, ...(await openTwoSessions(world, transport))),
        transports,
      )
    },
  }),

  check('TOOL-SSE-04', {
    title: 'sends each of two clients only its own responses',
    async run(world) {
      await world.onEachTransport(
        async ({ transport }) =>
          expectSeparateResponses(world, ...(await openTwoSessions(world, transport))),
        ['sse'],
      )
    },
  }),
]
