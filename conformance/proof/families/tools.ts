import { PassThrough } from 'node:stream'
import { faults } from '../faults/tools/index.ts'
import type { ToolsDeviation, ToolsHosting } from '../faults/tools/fault.ts'
import {
  completeChoices,
  startTools,
  targetOf,
  type ToolsChoices,
} from '../../../mocks/stateful/tools.ts'
import { exclusions, factors, withoutLevels } from '../variations/tools/index.ts'
import { trialClock } from '../clock.ts'
import { family } from '../family.ts'
import { mcpNulls } from '../null-targets/mcp.ts'

const all: ToolsHosting['transports'] = ['http', 'sse', 'stdio']

/** Tool servers, without authentication. */
export const tools = family({
  name: 'tools',
  faults,
  mutants: [],
  factors,
  exclusions,
  withoutLevels,
  nulls: mcpNulls,
  async start(
    { choices: own, ...deviation }: ToolsDeviation,
    choices: Partial<ToolsChoices & ToolsHosting>,
  ) {
    const isReference =
      own === undefined && [deviation, choices].every((given) => Object.keys(given).length === 0)
    const {
      transports = ['http'],
      clock: isTold = true,
      ...others
    } = isReference ? { ...completeChoices, transports: all } : { ...choices, ...own }
    // Its clock is set from outside; where nobody does, it runs as fast as the suite's.
    const tellsClock = isTold && transports.some((transport) => transport !== 'stdio')
    const server = await startTools({
      ...deviation,
      choices: others,
      hook: true,
      ...(tellsClock ? {} : { clock: trialClock() }),
    })
    const { http, sse, stdio: _, clock, ...target } = targetOf(server).tools
    const stdio = {
      connect() {
        const [input, output] = [new PassThrough(), new PassThrough()]
        const { closed, close } = server.serveStdio(input, output)
        return { input, output, closed: closed.then(() => ({ code: 0 })), close }
      },
    }
    return {
      target: {
        tools: {
          ...target,
          ...(tellsClock && clock !== undefined ? { clock } : {}),
          ...(transports.includes('http') ? { http } : {}),
          ...(transports.includes('sse') ? { sse } : {}),
          ...(transports.includes('stdio') ? { stdio } : {}),
        },
      },
      close: () => server.close(),
    }
  },
  nullTarget: (origin) => ({
    tools: {
      http: `${origin}/mcp`,
      sse: `${origin}/sse`,
      search: { tool: 'shelf_search_books', arguments: { query: 'the' }, id: 'id', title: 'title' },
      long: { tool: 'shelf_report_inventory', arguments: {}, id: 'id' },
      get: { tool: 'shelf_get_book', arguments: { id: 'b-001' } },
      calls: { shelf_create_loan: {} },
      elicit: { tool: 'shelf_recommend_book', arguments: {}, content: { topic: 'sea' } },
      resource: 'shelf://books/b-001',
      upstream: { forward: `${origin}/upstream`, hook: `${origin}/hook` },
      clock: `${origin}/clock`,
    },
  }),
})
