import { Blocked } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { isEntryPoint } from '../support/probed-endpoints.ts'
import { isServed } from '../support/protected-endpoints.ts'
import { served } from '../support/expectations.ts'

export const noneChecks = [
  check('AUTH-NONE-01', {
    title: 'serves requests without credentials',
    patterns: ['none'],
    async run({ probeEndpoints, expect, requireMet }) {
      const reached = (await probeEndpoints()).filter(isEntryPoint)
      for (const { endpoint, exchange } of reached) {
        // Other requirements report a broken transport. Here, only 401 and 403 count as a request
        // for credentials.
        if (!isServed(exchange) && exchange.status !== 401 && exchange.status !== 403)
          await requireMet(
            endpoint.transport === 'sse' ? 'TOOL-SSE-01' : 'TOOL-HTTP-01',
            exchange.summary,
          )
        if (!isServed(exchange) && exchange.status === undefined)
          throw new Blocked(
            endpoint.transport === 'sse' ? 'TOOL-SSE-01' : 'TOOL-HTTP-01',
            exchange.summary,
          )
        // A success status alone does not prove that the transport works.
        if (isServed(exchange))
          await requireMet(
            endpoint.transport === 'sse' ? 'TOOL-SSE-01' : 'TOOL-HTTP-01',
            exchange.summary,
          )
        expect(exchange, served)
      }
    },
  }),
]
