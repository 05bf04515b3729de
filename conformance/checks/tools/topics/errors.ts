import {
  Blocked,
  type Expectation,
  NotCovered,
  ofSubject,
  labelled,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import {
  allFailures,
  exchangesFor,
  simulateFailures,
  labelOf,
  requireErrorTexts,
  type UpstreamFailureMode,
} from '../support/upstream-failures.ts'
import {
  invalidAuthentication,
  lookAtIdentifier,
  noItems,
  noPermission,
  nothingFound,
  orWords,
  rateLimit,
  status,
  expresses,
  timedOut,
  typeOfGarbage,
  typeOfReset,
  unexpected,
  waitFirst,
  type ErrorMeaning,
} from '../support/meanings.ts'
import type { MeasuredWait } from '../support/waits.ts'
import { isSuccess, itemsOf, jsonOf, hasErrorPrefix, textOf } from '../support/results.ts'
import { fieldsOf } from '../support/tool.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ToolsNeed } from '../target.ts'

type All = readonly McpExchange[]
const said = (all: All, wrong: (exchange: McpExchange) => boolean) =>
  all
    .filter(wrong)
    .map((exchange) =>
      textOf(exchange) === '' ? exchange.summary : `«${textOf(exchange).slice(0, 200)}»`,
    )
    .join('; ')

const tellsIt = (meaning: ErrorMeaning): Expectation<All> => ({
  name: meaning.name,
  expected: meaning.expected,
  test: (all) => all.every((exchange) => expresses(textOf(exchange), meaning)),
  received: (all) => said(all, (exchange) => !expresses(textOf(exchange), meaning)),
})
const begins: Expectation<All> = {
  name: 'begins with Error:',
  expected: 'text that begins with «Error:»',
  test: (all) => all.every(hasErrorPrefix),
  received: (all) => said(all, (exchange) => !hasErrorPrefix(exchange)),
}
const works: Expectation<All> = {
  name: 'works again',
  expected: 'a result that tells of no failure',
  test: (all) => all.every(isSuccess),
  received: (all) => said(all, (exchange) => !isSuccess(exchange)),
}
const waits: Expectation<readonly MeasuredWait[]> = {
  name: 'waits for half a minute',
  expected: 'an answer after 25 to 40 seconds',
  test: (all) => all.every(isHalfAMinute),
  received: (all) => all.map(told).join('; '),
}
const isHalfAMinute = ({ atLeast, atMost = Infinity }: MeasuredWait) =>
  atLeast >= 25_000 && atMost <= 40_000
const told = ({ atLeast, atMost }: MeasuredWait) =>
  atMost === undefined
    ? `none after ${atLeast} ms`
    : atLeast === atMost
      ? `after ${atMost} ms`
      : `after ${atLeast} to ${atMost} ms`

/** Failures that each have words of their own. */
const worded = (
  requirement: RequirementId,
  title: string,
  told: readonly (readonly [UpstreamFailureMode, readonly ErrorMeaning[]])[],
) =>
  check(requirement, {
    title,
    async run(world) {
      for (const [failure, meanings] of told) {
        const exchanges = await requireErrorTexts(world, failure)
        world.expectOf(
          exchanges,
          ...meanings.map((meaning) => labelled(labelOf(failure), tellsIt(meaning))),
        )
      }
    },
  })

export const errors = [
  check('TOOL-ERROR-01', {
    title: 'tells of every failure as text that begins with «Error:»',
    async run(world) {
      const found = new Map<UpstreamFailureMode, All>()
      for (const failure of allFailures) {
        const exchanges = await exchangesFor(world, failure)
        // What is read as it comes fails at nothing; and whoever waits for ever says nothing, which is another row's affair.
        const none =
          failure === 'garbage'
            ? exchanges.every(isSuccess)
            : failure === 'hang' &&
              exchanges.every((exchange) => isSuccess(exchange) || exchange.failure !== undefined)
        if (!none) found.set(failure, exchanges)
      }
      world.expectOf(
        found,
        ...[...found].map(([failure, all]) => labelled(labelOf(failure), ofSubject(all, begins))),
      )
    },
  }),

  check('TOOL-ERROR-02', {
    title: 'tells what is not found',
    async run(world) {
      // Whoever repeats the identifier points at it too.
      const values = Object.values(world.access.get!.arguments).filter(
        (value): value is string => typeof value === 'string' && value.length > 2,
      )
      const exchanges = await requireErrorTexts(world, 'status 404')
      world.expectOf(
        exchanges,
        ...[nothingFound, orWords(lookAtIdentifier, values)].map((meaning) =>
          labelled('status 404', tellsIt(meaning)),
        ),
      )
    },
  }),
  worded('TOOL-ERROR-03', 'tells what is not permitted', [['status 403', [noPermission]]]),
  worded('TOOL-ERROR-04', 'tells of a rate limit', [['status 429', [rateLimit, waitFirst]]]),
  worded('TOOL-ERROR-05', 'tells of an authentication that is invalid', [
    ['status 401', [invalidAuthentication]],
  ]),
  worded('TOOL-ERROR-06', 'tells any other status', [
    ['status 500', [status(500)]],
    ['status 503', [status(503)]],
  ]),

  check('TOOL-ERROR-07', {
    title: 'tells of a time-out',
    async run(world) {
      const exchanges = await requireErrorTexts(world, 'hang')
      if (exchanges.some(isSuccess))
        throw new NotCovered('the tool asked once more, and then had its answer')
      world.expectOf(exchanges, tellsIt(timedOut))
    },
  }),

  check('TOOL-ERROR-08', {
    title: 'tells of what is unexpected, and of its type',
    async run(world) {
      for (const [failure, type] of [
        ['reset', typeOfReset],
        ['garbage', typeOfGarbage],
      ] as const) {
        const exchanges = await requireErrorTexts(world, failure)
        // A tool that hands on what it gets reads no JSON, and fails at none.
        if (failure === 'garbage' && exchanges.every(isSuccess)) continue
        world.expectOf(
          exchanges,
          labelled(labelOf(failure), tellsIt(unexpected)),
          labelled(labelOf(failure), tellsIt(type)),
        )
      }
    },
  }),

  check('TOOL-ERROR-09', {
    title: 'tells that a search found nothing',
    async run(world) {
      const {
        access: { search },
        onEachTransport,
        expectOf,
        callOrBlock,
      } = world
      await onEachTransport(async (session) => {
        const tool = session.tools.find(({ name }) => name === search!.tool)
        if (tool !== undefined && !('query' in fieldsOf(tool).properties))
          throw new Blocked('TOOL-QUERY-01', `the input of ${search!.tool} has no query`)
        await callOrBlock(session, search!)
        const query = 'zqxjkvwq'
        const ask = (format: string) =>
          session.call(search!.tool, { ...search!.arguments, query, response_format: format })
        const exchange = await ask('markdown')
        const found = jsonOf(await ask('json'))
        if (found !== undefined && (itemsOf(found) ?? []).length > 0)
          throw new NotCovered<ToolsNeed>(`a search for ${query} finds something`, ['tools.search'])
        if (exchange.error?.code === -32602)
          throw new NotCovered<ToolsNeed>(`the search does not take ${query}`, ['tools.search'])
        // What was asked for may be repeated, and says nothing.
        expectOf(exchange, {
          name: noItems.name,
          expected: noItems.expected,
          test: (one) => expresses(textOf(one).replaceAll(query, '…'), noItems),
          received: (one) => said([one], () => true),
        })
      })
    },
  }),

  check('TOOL-ERROR-10', {
    title: 'marks texts about failures as errors of the protocol, or does not',
    async run(world) {
      const exchanges = await exchangesFor(world, 'status 404')
      const marked = exchanges.filter(({ result }) => result?.['isError'] === true).length
      world.observe(
        `isError stands in ${marked} of ${exchanges.length} results that tell of status 404`,
      )
    },
  }),

  check('TOOL-ERROR-11', {
    title: 'works again when its upstream does',
    async run(world) {
      const { recovery } = await simulateFailures(world)
      for (const [label, all] of [
        ['after failures', recovery.failures],
        ['after silence', recovery.silence],
      ] as const)
        world.expectOf((await all).map(world.record), labelled(label, works))
    },
  }),

  check('TOOL-TIMEOUT-01', {
    title: 'waits thirty seconds for its upstream',
    async run(world) {
      await exchangesFor(world, 'hang')
      world.expectOf(await (await simulateFailures(world)).waits, waits)
    },
  }),
]
