import {
  allRefused,
  describeCall,
  type InvalidCall,
  reasonNothingTried,
  isContrastSuccessful,
  isInputRefusal,
  negativesOfSession,
  convertibleInputs,
} from '../support/invalid-calls.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  Blocked,
  type Expectation,
  labelled,
  NotApplicable,
  NotCovered,
  ofValue,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { boundariesOf, unmatchedArguments } from '../support/negatives/boundaries.ts'
import { type BreachKind, type Negative, negativesOf } from '../support/negatives/index.ts'
import { commonNames } from '../support/query-field.ts'
import { recordUpstreamRequests, makePlainCalls, readingCalls } from '../support/plain-calls.ts'
import { findRefusedMarks, storedValues, type RefusedMarks } from '../support/refused-marks.ts'
import { calledToolOf, isRefusal, isSuccess, hasErrorPrefix } from '../support/results.ts'
import type { Session } from '../support/client-session.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

const checkRefusals = (
  requirement: RequirementId,
  kind: BreachKind,
  title: string,
  makeNegatives: (
    world: ToolsWorld,
    session: Session,
  ) => readonly Negative[] | Promise<readonly Negative[]> = negativesOfSession,
) =>
  check(requirement, {
    title,
    async run(world) {
      await world.onEachTransport(async (session) => {
        const calls = await makePlainCalls(world, session.transport)
        const all = (await makeNegatives(world, session)).filter(
          (negative) => negative.kind === kind,
        )
        const usable = all.filter((negative) => isContrastSuccessful(calls, negative))
        if (usable.length === 0) throw reasonNothingTried(session, calls, all, kind)
        const sent = await Promise.all(
          usable.map(async (negative): Promise<InvalidCall> => ({
            negative,
            exchange: await session.call(negative.tool, negative.arguments),
          })),
        )
        const ways = [...new Set(usable.map(({ way }) => way))]
        world.expectValue(
          sent,
          ...ways.map((way) =>
            labelled(
              way,
              ofValue(
                sent.filter(({ negative }) => negative.way === way),
                allRefused,
              ),
            ),
          ),
        )
      })
    },
  })

/** A refused call, and the number of questions to the user before its response. */
type EarlyRequests = InvalidCall & { questions: number }
const asksNothing: Expectation<readonly EarlyRequests[]> = {
  name: 'asks the user nothing',
  expected: 'no elicitation request before the tool refuses the input',
  test: (all) => all.every(({ questions }) => questions === 0),
  received: (all) =>
    all
      .filter(({ questions }) => questions > 0)
      .map(describeCall)
      .join('; '),
}

const storesNothing: Expectation<readonly RefusedMarks[]> = {
  name: 'stores nothing',
  expected: 'no string of refused calls in the results of tools that only read',
  test: (all) => all.every(({ found }) => found.length === 0),
  received: (all) =>
    all
      .filter(({ found }) => found.length > 0)
      .map(
        ({ calls, mark, found }) =>
          `"${mark}" in the result of ${calledToolOf(found[0]!)}, after ${calls.map(describeCall).join('; ')}`,
      )
      .join('; '),
}

/** Codes that JSON-RPC defines for errors other than invalid parameters. */
const otherCodes = [-32_700, -32_600, -32_601, -32_603]
const hasOtherCode = ({ exchange: { error } }: InvalidCall): boolean =>
  otherCodes.some((code) => code === error?.code)

/** The form of a refusal. */
function formOf(exchange: McpExchange): string {
  if (exchange.error !== undefined)
    return exchange.error.code === undefined
      ? 'an error without a code'
      : `error ${JSON.stringify(exchange.error.code)}`
  return `result ${exchange.result?.['isError'] === true ? 'with isError' : 'without isError'}${hasErrorPrefix(exchange) ? ' and text that begins with "Error:"' : ''}`
}

export const invalidInputChecks = [
  checkRefusals('TOOL-INVALID-01', 'missing', 'refuses input without a required field'),
  checkRefusals('TOOL-INVALID-02', 'type', 'refuses values of the wrong type'),
  checkRefusals('TOOL-INVALID-03', 'length', 'refuses strings that are too short or too long'),
  checkRefusals('TOOL-INVALID-04', 'range', 'refuses numbers outside of their range'),
  checkRefusals(
    'TOOL-INVALID-05',
    'value',
    'refuses values that are not in the list of allowed values',
  ),
  checkRefusals('TOOL-INVALID-06', 'pattern', 'refuses strings that do not match their pattern'),
  checkRefusals('TOOL-INVALID-07', 'items', 'refuses arrays with too few or too many items'),
  checkRefusals(
    'TOOL-INVALID-12',
    'type',
    'refuses values that are not integers or strings, but can be converted',
    convertibleInputs,
  ),

  check('TOOL-INVALID-08', {
    title: 'refuses invalid input before it calls the upstream',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const { upstream } = await world.harness()
        if (upstream === undefined)
          throw new NotCovered<ToolsNeed>('the suite does not run the upstream', ['tools.upstream'])
        const calls = await makePlainCalls(world, session.transport)
        const callsUpstream = calls.filter(
          ({ upstreamRequests = [], exchange }) =>
            upstreamRequests.length > 0 && isSuccess(exchange),
        )
        const all = await negativesOfSession(world, session)
        // Each field, because a tool may send its request as soon as it has read the fields that
        // the request needs.
        const usable = firsts(
          all.filter(({ tool }) => callsUpstream.some(({ call }) => call.tool === tool)),
          ({ tool, field }) => `${tool} ${field}`,
        )
        if (usable.length === 0 && all.some((negative) => isContrastSuccessful(calls, negative)))
          throw new NotCovered(
            'no tool for which the suite has invalid input sends requests to the upstream',
          )
        if (usable.length === 0) throw reasonNothingTried(session, calls, all)
        const sent = await world.withExclusiveUpstream(session, async (exclusive) => {
          const sent: (InvalidCall & { requests: number })[] = []
          for (const negative of usable) {
            const requestsSince = recordUpstreamRequests(upstream)
            const exchange = await exclusive.call(negative.tool, negative.arguments)
            // The request may arrive just after the response. If it arrives even later, it counts
            // for the next call.
            await exclusive.request('ping')
            sent.push({ negative, exchange, requests: requestsSince().length })
          }
          return sent
        })
        // Accepted invalid input is reported by TOOL-INVALID-01 to TOOL-INVALID-07.
        const refused = sent.filter(({ exchange }) => isRefusal(exchange))
        if (refused.length === 0) throw new Blocked('TOOL-INVALID-02', sent[0]!.exchange.summary)
        world.expectValue(refused, {
          name: 'does not reach the upstream',
          expected: 'no request to the upstream',
          test: (list) => list.every(({ requests }) => requests === 0),
          received: (list) =>
            list
              .filter(({ requests }) => requests > 0)
              .map(describeCall)
              .slice(0, 8)
              .join('; '),
        })
      })
    },
  }),

  check('TOOL-INVALID-13', {
    title: 'refuses invalid input before it asks the user',
    async run(world) {
      await world.onOneTransport(async ({ transport, tools }) => {
        const { tool: name, arguments: args, content } = world.target.elicit!
        const tool = tools.find((one) => one.name === name)
        if (tool === undefined) throw new Blocked('TOOL-CALL-01', `the tool ${name} is not listed`)
        const negatives = firsts(negativesOf(tool, args), ({ field, way }) => `${field} ${way}`)
        if (negatives.length === 0) throw new NotApplicable('the tool has no field to break')
        let requests: string[] = []
        const session = await world.openSession(transport, {
          onRequest(request) {
            requests.push(request.method)
            return request.method === 'elicitation/create'
              ? { result: { action: 'accept', content } }
              : undefined
          },
          capabilities: { elicitation: {} },
        })
        if (transport === 'http') await session.connection.listen()
        const refused: EarlyRequests[] = []
        for (const negative of negatives) {
          requests = []
          const exchange = await session.call(name, negative.arguments)
          // Skips calls that the tool does not refuse.
          if (isRefusal(exchange))
            refused.push({
              negative,
              exchange,
              questions: requests.filter((method) => method === 'elicitation/create').length,
            })
        }
        await session.connection.close()
        if (refused.length === 0) throw new NotApplicable('the tool refuses no invalid input')
        world.expectValue(refused, asksNothing)
      })
    },
  }),

  check('TOOL-INVALID-14', {
    title: 'stores nothing of a call that it refuses',
    async run(world) {
      await world.onOneTransport(async (session) => {
        const calls = await makePlainCalls(world, session.transport)
        const stored = storedValues(world, calls)
        if (stored.length === 0)
          throw new NotCovered<ToolsNeed>(
            'the target file names no successful call, with a string, of a tool that may write',
            ['tools.calls'],
          )
        const marks: RefusedMarks[] = []
        for (const one of stored) {
          const found = await findRefusedMarks(world, session, one)
          if (found !== undefined) marks.push(found)
        }
        if (marks.length === 0)
          throw new NotCovered<ToolsNeed>(
            'no tool that only reads returns what the calls in the target file store',
            ['tools.calls', 'tools.search'],
          )
        const refused = marks.filter(({ calls: made }) => made.length > 0)
        if (refused.length === 0)
          throw new NotCovered('the tools that may write do not refuse all invalid input')
        for (const { found } of refused) for (const exchange of found) world.record(exchange)
        world.expectValue(refused, storesNothing)
      })
    },
  }),

  check('TOOL-INVALID-09', {
    title: 'records whether invalid input is refused by a protocol error or a result',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const sent = await sendFirsts(world, session, () => '')
        const refusals = sent.map(({ exchange }) => exchange).filter(isRefusal)
        world.observe(
          `${session.transport}: ${refusals.length === 0 ? 'nothing is refused' : [...new Set(refusals.map(formOf))].join('; ')}`,
        )
      })
    },
  }),

  check('TOOL-INVALID-11', {
    title: 'does not refuse invalid input with the JSON-RPC code of another error',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const sent = await sendFirsts(world, session, ({ tool }) => tool)
        const refused = sent.filter(({ exchange }) => isRefusal(exchange))
        if (refused.length === 0) throw new NotApplicable('the server refuses no invalid input')
        for (const { exchange } of refused.filter(hasOtherCode)) world.record(exchange)
        world.expectValue(refused, {
          name: 'has the code of invalid parameters',
          expected:
            'a result, or an error with the code -32602 or with a code that JSON-RPC does not define',
          test: (list) => !list.some(hasOtherCode),
          received: (list) => list.filter(hasOtherCode).map(describeCall).slice(0, 8).join('; '),
        })
      })
    },
  }),

  check('TOOL-INVALID-10', {
    title: 'accepts search arguments at the bounds of the input schema',
    door: 'the search tool',
    needs: ['tools.search'],
    async run(world) {
      const { search } = world.target
      await world.onEachTransport(async (session) => {
        const tool = session.tools.find(({ name }) => name === search!.tool)
        if (tool === undefined)
          throw new Blocked('TOOL-CALL-01', `the tool ${search!.tool} is not listed`)
        await world.callOrBlock(session, search!)
        const boundaries = boundariesOf(tool, search!.arguments, commonNames)
        if (boundaries.length === 0) throw new NotApplicable('no field of the search has a bound')
        // A value at a bound may match nothing. So a refusal proves something only if the tool
        // accepts a search that matches nothing.
        const unmatched = unmatchedArguments(tool, search!.arguments, commonNames)
        if (unmatched === undefined || isRefusal(await session.call(tool.name, unmatched)))
          throw new NotCovered(
            'the search has no string field to test, or reports an error if nothing matches',
          )
        const sent = await Promise.all(
          boundaries.map(async (boundary) => ({
            boundary,
            exchange: await session.call(tool.name, boundary.arguments),
          })),
        )
        const refused = sent.filter(({ exchange }) => isRefusal(exchange))
        for (const { exchange } of refused) world.record(exchange)
        world.expectValue(refused, {
          name: 'is accepted',
          expected: 'a result for each value at a bound of the input schema',
          test: (none) => none.length === 0,
          received: (some) =>
            some
              .slice(0, 8)
              .map(
                ({ boundary: { field, description }, exchange }) =>
                  `${field} (${description}): ${exchange.summary}`,
              )
              .join('; '),
        })
      })
    },
  }),

  check('TOOL-INVALID-10', {
    title: 'accepts arguments at the bounds of the input schema in all tools that only read',
    door: 'other tools that only read',
    async run(world) {
      const calls = await readingCalls(world, world.target.search?.tool)
      const boundaries = calls.flatMap(({ call, tool }) =>
        boundariesOf(tool, call.arguments, commonNames)
          // A long string can be an identifier, for which the tool finds nothing.
          .filter(({ kind }) => kind !== 'length')
          .map((boundary) => ({ call, boundary })),
      )
      if (boundaries.length === 0)
        throw new NotCovered<ToolsNeed>(
          'the suite may call no other tool that only reads and has a list of values or a range',
          ['tools.calls'],
        )
      const { upstream } = await world.harness()
      await world.onOneTransport((session) =>
        world.withExclusiveUpstream(session, async (alone) => {
          for (const { call, boundary } of boundaries) {
            const requestsSince =
              upstream === undefined ? () => [] : recordUpstreamRequests(upstream)
            const exchange = await alone.call(call.tool, boundary.arguments)
            // A tool that has sent a request to the upstream has accepted its input.
            const isAccepted = requestsSince().length > 0 || !isInputRefusal(exchange)
            world.expect(exchange, {
              name: 'is accepted by other tools',
              expected: 'no refusal of a value at a bound of the input schema',
              test: () => isAccepted,
              received: () =>
                `${call.tool} with ${boundary.field} (${boundary.description}): ${exchange.summary}`,
            })
          }
        }),
      )
    },
  }),
]

/**
 * Sends the first invalid input of each kind in each group, for tools whose valid call succeeds.
 * `group` returns the key of the group.
 */
async function sendFirsts(
  world: ToolsWorld,
  session: Session,
  group: (negative: Negative) => string,
): Promise<InvalidCall[]> {
  const calls = await makePlainCalls(world, session.transport)
  const all = await negativesOfSession(world, session)
  const usable = firsts(
    all.filter((negative) => isContrastSuccessful(calls, negative)),
    group,
  )
  if (usable.length === 0) throw reasonNothingTried(session, calls, all)
  return Promise.all(
    usable.map(async (negative) => ({
      negative,
      exchange: await session.call(negative.tool, negative.arguments),
    })),
  )
}

/** Returns the first invalid input of each kind in each group. */
function firsts(all: readonly Negative[], group: (negative: Negative) => string): Negative[] {
  return all.filter(
    (one, index) =>
      all.findIndex((other) => other.kind === one.kind && group(other) === group(one)) === index,
  )
}
