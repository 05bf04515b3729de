import { PassThrough } from 'node:stream'
import { faults } from '../faults/tools/index.ts'
import { mutants } from '../faults/tools/mutants.ts'
import type { ToolsDeviation, ToolsHosting } from '../faults/tools/fault.ts'
import {
  completeChoices,
  startTools,
  targetOf,
  type ToolsChoices,
} from '../../../mocks/stateful/tools.ts'
import { exclusions, factors } from '../variations/tools/index.ts'
import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import type { Message } from '../../engine/index.ts'
import { newTrialClock } from '../clock.ts'
import { transportOf } from './doors-of-tools.ts'
import { defineFamily } from '../family.ts'
import { furtherFeatures } from './further-tools.ts'
import { mcpNullTargets } from '../null-targets/mcp.ts'

const allTransports: ToolsHosting['transports'] = ['http', 'sse', 'stdio']

/** Tool servers, without authentication. */
export const tools = defineFamily({
  name: 'tools',
  faults,
  mutants,
  factors,
  exclusions,
  nullTargets: mcpNullTargets,
  doorOf,
  references: [{}, { further: 'pages' }, { further: 'resumption' }, { further: 'updates' }],
  async start(
    { choices: ownChoices, ...ownDeviation }: ToolsDeviation,
    { further, ...choices }: Partial<ToolsChoices & ToolsHosting>,
  ) {
    const isReference =
      ownChoices === undefined &&
      [ownDeviation, choices].every((part) => Object.keys(part).length === 0)
    const { choices: furtherChoices, ...deviation } =
      further === undefined
        ? { ...ownDeviation, choices: undefined }
        : furtherFeatures[further](() => {})
    const {
      transports = ['http'],
      clock: clockInTargetFile = true,
      queryName,
      ...mockChoices
    } = isReference
      ? { ...completeChoices, ...furtherChoices, transports: allTransports }
      : { ...choices, ...ownChoices }
    // If the target file declares the clock, the suite sets it. Otherwise the server's clock runs
    // as fast as the suite's.
    const hasClock = clockInTargetFile && transports.some((transport) => transport !== 'stdio')
    const server = await startTools({
      ...deviation,
      choices: mockChoices,
      controlRoutes: true,
      ...(hasClock ? {} : { clock: newTrialClock() }),
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
          ...(queryName === undefined || target.search === undefined
            ? {}
            : {
                search: {
                  ...target.search,
                  ...(queryName === null
                    ? { arguments: {}, query: false }
                    : { arguments: { [queryName]: target.search.arguments['query'] } }),
                },
              }),
          ...(hasClock && clock !== undefined ? { clock } : {}),
          ...(transports.includes('http') ? { http } : {}),
          ...(transports.includes('sse') ? { sse } : {}),
          ...(transports.includes('stdio') ? { stdio } : {}),
        },
      },
      close: () => server.close(),
    }
  },
  completeTarget: (origin) => ({
    tools: {
      http: `${origin}/mcp`,
      sse: `${origin}/sse`,
      search: { tool: 'shelf_search_books', arguments: { query: 'the' }, id: 'id', title: 'title' },
      long: { tool: 'shelf_report_inventory', arguments: {}, id: 'id' },
      get: { tool: 'shelf_get_book', arguments: { id: 'b-001' } },
      calls: { shelf_create_loan: {} },
      elicit: { tool: 'shelf_recommend_book', arguments: {}, content: { topic: 'sea' } },
      resource: 'shelf://books/b-001',
      upstream: { forward: `${origin}/upstream`, control: `${origin}/hook` },
      clock: `${origin}/clock`,
    },
  }),
})

/** The topics of messages and calls, which a server may handle differently on each transport. */
const topicsOfMessages: readonly string[] = ['server', 'context', 'calls', 'protocol']

/**
 * The door of a message is its transport. Definitions and pages do not depend on the transport, so
 * their doors are labels of expectations instead.
 */
function doorOf(message: Message, requirement: RequirementId): string | undefined {
  const { contract, topic } = requirements[requirement]
  return contract === 'tools' && topicsOfMessages.includes(topic) ? transportOf(message) : undefined
}
