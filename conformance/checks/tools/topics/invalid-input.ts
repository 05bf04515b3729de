import {
  allRefused,
  describeCall,
  type InvalidCall,
  reasonNothingTried,
  isContrastSuccessful,
  negativesOfSession,
} from '../support/invalid-calls.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { type BreachKind, type Negative } from '../support/negatives/index.ts'
import { recordUpstreamRequests, makePlainCalls } from '../support/plain-calls.ts'
import { isRefusal, isSuccess, hasErrorPrefix } from '../support/results.ts'
import type { ToolsNeed } from '../target.ts'

const refuses = (requirement: RequirementId, kind: BreachKind, title: string) =>
  check(requirement, {
    title,
    async run(world) {
      await world.onEachTransport(async (session) => {
        const made = await makePlainCalls(world, session.transport)
        const all = (await negativesOfSession(world, session)).filter(
          (negative) => negative.kind === kind,
        )
        const some = all.filter((negative) => isContrastSuccessful(made, negative))
        if (some.length === 0) throw reasonNothingTried(session, made, all)
        const tried = await Promise.all(
          some.map(async (negative): Promise<InvalidCall> => ({
            negative,
            exchange: await session.call(negative.tool, negative.arguments),
          })),
        )
        world.expectOf(tried, allRefused)
      })
    },
  })

/** How a refusal is told. */
function formOf(exchange: McpExchange): string {
  if (exchange.error !== undefined) return `error ${exchange.error.code}`
  return `result ${exchange.result?.['isError'] === true ? 'with isError' : 'without isError'}${hasErrorPrefix(exchange) ? ', Error:' : ''}`
}

/** Input that its own schema forbids. */
export const invalid = [
  refuses('TOOL-INVALID-01', 'missing', 'refuses input without a required field'),
  refuses('TOOL-INVALID-02', 'type', 'refuses values of another type'),
  refuses('TOOL-INVALID-03', 'length', 'refuses strings that are too short or too long'),
  refuses('TOOL-INVALID-04', 'range', 'refuses numbers beyond their range'),
  refuses('TOOL-INVALID-05', 'value', 'refuses values that are not listed'),
  refuses('TOOL-INVALID-06', 'pattern', 'refuses strings that their pattern does not fit'),
  refuses('TOOL-INVALID-07', 'items', 'refuses arrays with too few or too many items'),

  check('TOOL-INVALID-08', {
    title: 'refuses before it asks the upstream',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { upstream } = await world.harness()
        if (upstream === undefined)
          throw new NotCovered<ToolsNeed>('nobody sees the upstream', ['tools.upstream'])
        const made = await makePlainCalls(world, session.transport)
        const asking = made.filter(
          ({ upstreamRequests = [], exchange }) =>
            upstreamRequests.length > 0 && isSuccess(exchange),
        )
        const all = await negativesOfSession(world, session)
        const some = firsts(
          all.filter(({ tool }) => asking.some(({ call }) => call.tool === tool)),
          ({ tool }) => tool,
        )
        if (some.length === 0 && all.some((negative) => isContrastSuccessful(made, negative)))
          throw new NotCovered('no tool that can be called wrongly asks the upstream')
        if (some.length === 0) throw reasonNothingTried(session, made, all)
        const tried = await world.withExclusiveUpstream(session, async (alone) => {
          const tried: (InvalidCall & { asked: number })[] = []
          for (const negative of some) {
            const asked = recordUpstreamRequests(upstream)
            const exchange = await alone.call(negative.tool, negative.arguments)
            tried.push({ negative, exchange, asked: asked().length })
          }
          return tried
        })
        // What was taken has a row of its own.
        const refused = tried.filter(({ exchange }) => isRefusal(exchange))
        if (refused.length === 0) throw new Blocked('TOOL-INVALID-02', tried[0]!.exchange.summary)
        world.expectOf(refused, {
          name: 'does not reach the upstream',
          expected: 'no request there',
          test: (list) => list.every(({ asked }) => asked === 0),
          received: (list) =>
            list
              .filter(({ asked }) => asked > 0)
              .map(describeCall)
              .slice(0, 8)
              .join('; '),
        })
      })
    },
  }),

  check('TOOL-INVALID-09', {
    title: 'refuses input by an error, or by a result',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const made = await makePlainCalls(world, session.transport)
        const all = await negativesOfSession(world, session)
        const some = firsts(
          all.filter((negative) => isContrastSuccessful(made, negative)),
          () => '',
        )
        if (some.length === 0) throw reasonNothingTried(session, made, all)
        const forms = await Promise.all(
          some.map(async ({ tool, arguments: given }) => session.call(tool, given)),
        )
        const refusals = forms.filter(isRefusal)
        world.observe(
          `${session.transport}: ${refusals.length === 0 ? 'nothing is refused' : [...new Set(refusals.map(formOf))].join('; ')}`,
        )
      })
    },
  }),
]

/** The first negative of each kind, for each group. */
function firsts(all: readonly Negative[], group: (negative: Negative) => string): Negative[] {
  return all.filter(
    (one, index) =>
      all.findIndex((other) => other.kind === one.kind && group(other) === group(one)) === index,
  )
}
