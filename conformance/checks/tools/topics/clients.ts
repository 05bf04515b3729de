import { openTwoSessions, expectSeparateResponses } from '../support/interleaved-clients.ts'
import { NotApplicable, NotCovered, ofValue } from '../../../engine/index.ts'
import { postToUnknownEndpoint } from '../support/unknown-endpoint.ts'
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
    door: 'the endpoint of each client',
    async run(world) {
      await world.onEachTransport(
        async ({ transport }) =>
          expectSeparateResponses(world, ...(await openTwoSessions(world, transport))),
        ['sse'],
      )
    },
  }),

  check('TOOL-SSE-04', {
    title: 'sends no client the response to a message at an unknown endpoint',
    door: 'an endpoint that no client has',
    root: 'TOOL-SSE-01',
    async run(world) {
      const posts = await postToUnknownEndpoint(world)
      if (posts.length === 0)
        throw new NotApplicable('the endpoints of two clients do not differ in their session')
      for (const { posted, received } of posts)
        world.expect(
          posted,
          ofValue(received, {
            name: 'gets no response on the stream of a client',
            expected: 'no response with the id of a message to an endpoint that no client has',
            test: (responses) => responses.length === 0,
            received: (responses) => JSON.stringify(responses[0]?.message).slice(0, 200),
          }),
        )
    },
  }),
]
