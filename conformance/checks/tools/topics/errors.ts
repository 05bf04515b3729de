import { type Expectation, NotCovered, ofValue, labelled } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { conformsTo } from '../support/contract.ts'
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
  isAbout404,
  lookAtIdentifier,
  noItems,
  noPermission,
  nothingFound,
  orWords,
  rateLimit,
  status,
  expresses,
  timedOut,
  tryAgain,
  typeOfGarbage,
  typeOfReset,
  unexpected,
  waitFirst,
  type ErrorMeaning,
} from '../support/meanings.ts'
import type { MeasuredWait } from '../support/waits.ts'
import { formatArgument, hasJson, lacksFormats } from '../support/declared-formats.ts'
import { hasPages } from '../support/result-page.ts'
import {
  arrayOf,
  firstTextOf,
  isSuccess,
  itemsOf,
  jsonOf,
  hasErrorPrefix,
  textOf,
} from '../support/results.ts'
import { listsOfStrings, queryField } from '../support/query-field.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

/**
 * Exchanges during one kind of failure of the upstream: at most one call of the tool in `tools.get`
 * for each transport, and calls of other tools.
 */
type Exchanges = readonly McpExchange[]

/** The items in a result in JSON. Undefined if the result is not JSON. */
function foundIn(exchange: McpExchange): readonly unknown[] | undefined {
  const json = jsonOf(exchange)
  return json === undefined ? arrayOf(exchange) : (itemsOf(json) ?? [])
}

/** The messages of the exchanges for which `isWrong` returns true, each message once. */
const messagesOf = (exchanges: Exchanges, isWrong: (exchange: McpExchange) => boolean) => {
  const messages = exchanges
    .filter(isWrong)
    .map((exchange) =>
      textOf(exchange) === '' ? exchange.summary : `"${textOf(exchange).slice(0, 200)}"`,
    )
  return [...new Set(messages)].join('; ')
}

const hasMeaning = (meaning: ErrorMeaning): Expectation<Exchanges> => ({
  name: meaning.name,
  expected: meaning.expected,
  test: (all) => all.every((exchange) => expresses(textOf(exchange), meaning)),
  received: (all) => messagesOf(all, (exchange) => !expresses(textOf(exchange), meaning)),
})
/** Expects messages that conform to the schema of error messages. */
const areErrors = conformsTo('error', 'TOOL-ERROR-01').map(
  (expectation): Expectation<Exchanges> => {
    const isError = (exchange: McpExchange) => expectation.test(firstTextOf(exchange))
    return {
      ...expectation,
      test: (all) => all.every(isError),
      received: (all) => messagesOf(all, (exchange) => !isError(exchange)),
    }
  },
)
/**
 * Ignores the query if the message repeats it: only the other words can report that the search
 * found nothing.
 */
const reportsNoItems = (query: string): Expectation<McpExchange> => ({
  name: noItems.name,
  expected: noItems.expected,
  test: (one) => expresses(textOf(one).replaceAll(query, '…'), noItems),
  received: (one) => messagesOf([one], () => true),
})
const isNotAbout404: Expectation<McpExchange> = {
  name: 'does not ask to check an identifier',
  expected: 'a message about the query, not one about a missing resource and its identifier',
  test: (one) => !isAbout404(textOf(one)),
  received: (one) => messagesOf([one], () => true),
}
const works: Expectation<Exchanges> = {
  name: 'works again',
  expected: 'a result without isError, whose text does not begin with "Error:"',
  test: (all) => all.every(isSuccess),
  received: (all) => messagesOf(all, (exchange) => !isSuccess(exchange)),
}
/** The messages for failures of the upstream, by their labels. */
type Messages = ReadonlyMap<string, string>

const equalMessages = (messages: Messages) =>
  [...messages].filter(([failure, text]) =>
    [...messages].some(([other, otherText]) => other !== failure && otherText === text),
  )
const differs: Expectation<Messages> = {
  name: 'differs from the messages for other causes',
  expected: 'a different message for each status',
  test: (messages) => equalMessages(messages).length === 0,
  received: (messages) =>
    `"${equalMessages(messages)[0]?.[1].slice(0, 200)}" for ${equalMessages(messages)
      .map(([failure]) => failure)
      .join(' and ')}`,
}
/** Expects a message that is not among those for other causes. */
const differsFrom = (others: Messages): Expectation<string> => ({
  name: 'differs from the messages for other causes',
  expected: `a message other than for ${[...others.keys()].join(', ')}`,
  test: (message) => ![...others.values()].includes(message),
  received: (message) =>
    `"${message.slice(0, 200)}", as for ${[...others]
      .filter(([, other]) => other === message)
      .map(([failure]) => failure)
      .join(' and ')}`,
})

/** The message for a failure, without its numbers. */
async function wordsFor(world: ToolsWorld, failure: UpstreamFailureMode): Promise<string> {
  const [exchange] = await requireErrorTexts(world, failure)
  return textOf(exchange!).replace(/\d+/g, '…').trim()
}

/** The messages for failures, without their numbers. Leaves out failures with a successful call. */
async function wordsForAll(
  world: ToolsWorld,
  failures: readonly UpstreamFailureMode[],
): Promise<Messages> {
  const messages = new Map<string, string>()
  for (const failure of failures) {
    const [exchange] = await requireErrorTexts(world, failure)
    if (!isSuccess(exchange!)) messages.set(labelOf(failure), await wordsFor(world, failure))
  }
  return messages
}

const documentedStatuses = ['status 401', 'status 403', 'status 404', 'status 429'] as const

const waitsHalfAMinute: Expectation<readonly MeasuredWait[]> = {
  name: 'waits for half a minute',
  expected: 'a response after 25 to 40 seconds',
  test: (all) => all.every(isHalfAMinute),
  received: (all) => all.map(describeWait).join('; '),
}
const isHalfAMinute = ({ atLeast, atMost = Infinity }: MeasuredWait) =>
  atLeast >= 25_000 && atMost <= 40_000
const describeWait = ({ atLeast, atMost, exchange }: MeasuredWait) => {
  const [least, most] = [atLeast, atMost].map((ms) => Number(((ms ?? 0) / 1000).toFixed(1)))
  const call = `${exchange.redact.sentence(exchange.operation)} over ${exchange.transportName}`
  if (atMost === undefined) return `${call}: no response within ${least} s`
  return `${call}: a response after ${least === most ? '' : `${least} to `}${most} s`
}

/** Makes a check that the error message for each failure has the given meanings. */
const checkMeanings = (
  requirement: RequirementId,
  title: string,
  meaningsByFailure: readonly (readonly [UpstreamFailureMode, readonly ErrorMeaning[]])[],
) =>
  check(requirement, {
    title,
    async run(world) {
      for (const [failure, meanings] of meaningsByFailure) {
        const exchanges = await requireErrorTexts(world, failure)
        world.expectValue(
          exchanges,
          ...meanings.map((meaning) => labelled(labelOf(failure), hasMeaning(meaning))),
        )
      }
    },
  })

/** Statuses that share one message in the document, which names the status. */
const otherStatuses = [500, 503, 400, 409, 502] as const

export const errorsChecks = [
  check('TOOL-ERROR-01', {
    title: 'reports each failure as text that begins with "Error:"',
    async run(world) {
      const found = new Map<UpstreamFailureMode, Exchanges>()
      for (const failure of allFailures) {
        const exchanges = await exchangesFor(world, failure)
        // A tool that passes data on without reading it does not fail on garbage (a response that
        // is not JSON). TOOL-TIMEOUT-01 covers calls without a response.
        const failed =
          failure === 'garbage' && exchanges.every(isSuccess)
            ? []
            : failure === 'hang'
              ? exchanges.filter((one) => !isSuccess(one) && one.failure === undefined)
              : exchanges
        if (failed.length > 0) found.set(failure, failed)
      }
      world.expectValue(
        found,
        ...[...found].flatMap(([failure, all]) =>
          areErrors.map((expectation) => labelled(labelOf(failure), ofValue(all, expectation))),
        ),
      )
    },
  }),

  check('TOOL-ERROR-02', {
    title: 'reports a missing resource and refers to its identifier',
    async run(world) {
      // Also accepts a message that contains the value of the identifier. The target file does not
      // say which argument is the identifier, so any argument that is a string counts.
      const values = Object.values(world.target.get!.arguments).filter(
        (value): value is string => typeof value === 'string' && value.length > 2,
      )
      const exchanges = await requireErrorTexts(world, 'status 404')
      world.expectValue(
        exchanges,
        ...[nothingFound, orWords(lookAtIdentifier, values)].map((meaning) =>
          labelled('status 404', hasMeaning(meaning)),
        ),
      )
    },
  }),
  checkMeanings('TOOL-ERROR-03', 'reports a missing permission', [['status 403', [noPermission]]]),
  checkMeanings('TOOL-ERROR-04', 'reports a rate limit, and asks the caller to wait', [
    ['status 429', [rateLimit, waitFirst]],
  ]),
  checkMeanings('TOOL-ERROR-05', 'reports invalid authentication', [
    ['status 401', [invalidAuthentication]],
  ]),
  checkMeanings(
    'TOOL-ERROR-06',
    'reports each upstream failure status other than 401, 403, 404 and 429',
    otherStatuses.map((code) => [`status ${code}`, [status(code)]] as const),
  ),
  check('TOOL-ERROR-06', {
    title: 'reports each of these statuses in a different message',
    async run(world) {
      const messages = new Map<string, string>()
      for (const code of otherStatuses) {
        const [exchange] = await requireErrorTexts(world, `status ${code}`)
        messages.set(`status ${code}`, textOf(exchange!).trim())
      }
      world.expectValue(messages, {
        ...differs,
        name: 'names only this status',
        expected: 'a message for each status that is not the message for another one, too',
      })
    },
  }),

  check('TOOL-ERROR-07', {
    title: 'reports a timeout, and advises the caller to try again',
    async run(world) {
      const exchanges = await requireErrorTexts(world, 'hang')
      if (exchanges.some(isSuccess))
        throw new NotCovered('the tool repeated its request after the timeout and succeeded')
      world.expectValue(exchanges, hasMeaning(timedOut), hasMeaning(tryAgain))
    },
  }),

  check('TOOL-ERROR-08', {
    title: 'reports unexpected errors with their type',
    async run(world) {
      for (const [failure, type] of [
        ['reset', typeOfReset],
        ['garbage', typeOfGarbage],
      ] as const) {
        const exchanges = await requireErrorTexts(world, failure)
        // A tool that passes data on without reading it does not fail on garbage.
        if (failure === 'garbage' && exchanges.every(isSuccess)) continue
        world.expectValue(
          exchanges,
          labelled(labelOf(failure), hasMeaning(unexpected)),
          labelled(labelOf(failure), hasMeaning(type)),
        )
      }
    },
  }),

  check('TOOL-ERROR-09', {
    title: 'reports that a search found nothing',
    async run(world) {
      const {
        target: { search },
        onEachTransport,
        expectValue,
        callOrBlock,
      } = world
      await onEachTransport(async (session) => {
        const field = queryField(world, session)
        await callOrBlock(session, search!)
        const [query, otherQuery] = ['zqxjkvwq', 'vvkjqxzz']
        const searchIn = (
          format: 'json' | 'markdown',
          more: Readonly<Record<string, unknown>> = {},
        ) =>
          session.call(search!.tool, {
            ...search!.arguments,
            ...more,
            [field]: query,
            ...formatArgument(session, search!, format),
          })
        const exchange = await searchIn('markdown')
        const inJson = await searchIn('json')
        const found = foundIn(inJson)
        if (found !== undefined && found.length > 0)
          throw new NotCovered<ToolsNeed>(
            `the search finds items for the meaningless word ${query}`,
            ['tools.search'],
          )
        if (exchange.error?.code === -32602)
          throw new NotCovered<ToolsNeed>(`the search refuses the query ${query}`, ['tools.search'])
        // Without response_format, a tool may have results in JSON only. They are judged below.
        const hasOnlyJson = lacksFormats(session, search!) && hasJson(exchange)
        if (!hasOnlyJson) {
          expectValue(exchange, labelled('a result in Markdown', reportsNoItems(query)))
          // The message for status 404 asks to check the identifier, which a search does not have.
          expectValue(exchange, labelled('a result in Markdown', isNotAbout404))
        }
        for (const name of listsOfStrings(world, session)) {
          const narrowed = await searchIn('markdown', { [name]: ['touchstone'] })
          // The tool may restrict the values of this field, so it may refuse the search.
          if (isSuccess(narrowed) && !hasOnlyJson)
            expectValue(
              narrowed,
              labelled('a search with a filter that is a list of strings', reportsNoItems(query)),
            )
        }
        // The exclusive lock ensures that no other check searches between these two calls.
        const second = await world.withExclusiveUpstream(session, async (alone) => {
          const searchFor = (words: string) =>
            alone.call(search!.tool, { ...search!.arguments, [field]: words })
          await searchFor(query)
          return searchFor(otherQuery)
        })
        if (isSuccess(second) || hasErrorPrefix(second))
          expectValue(second, {
            name: 'mentions no earlier query',
            expected: `a message that does not contain ${query}, the query of the previous search`,
            test: (one) => !textOf(one).includes(query),
            received: (one) => messagesOf([one], () => true),
          })
        const mayBeArray = !hasPages(session, search!)
        expectValue(inJson, {
          name: 'a result in JSON: is an object or reports no items',
          expected: `a JSON object${mayBeArray ? ', an empty array,' : ','} or a message saying that no items match`,
          test: (one) =>
            jsonOf(one) !== undefined ||
            (mayBeArray && hasJson(one)) ||
            expresses(textOf(one).replaceAll(query, '…'), noItems),
          received: (one) => messagesOf([one], () => true),
        })
      })
    },
  }),

  check('TOOL-ERROR-10', {
    title: 'records whether results that report failures have isError',
    async run(world) {
      const exchanges = await exchangesFor(world, 'status 404')
      const marked = exchanges.filter(({ result }) => result?.['isError'] === true).length
      world.observe(`${marked} of ${exchanges.length} results for status 404 have isError`)
    },
  }),

  check('TOOL-ERROR-11', {
    title: 'works again when its upstream works again',
    async run(world) {
      const { recovery } = await simulateFailures(world)
      for (const [label, all] of [
        ['a call after failures', recovery.failures],
        ['a call after timeouts', recovery.silence],
      ] as const)
        world.expectValue((await all).map(world.record), labelled(label, works))
    },
  }),

  check('TOOL-ERROR-12', {
    title: 'reports different causes in different messages',
    door: 'the statuses 401, 403, 404 and 429',
    async run(world) {
      const messages = new Map<string, string>()
      for (const failure of documentedStatuses)
        messages.set(failure, await wordsFor(world, failure))
      world.expectValue(messages, differs)
    },
  }),

  check('TOOL-ERROR-12', {
    title: 'reports a timeout in other words than other failures',
    door: 'no response',
    async run(world) {
      const others = await wordsForAll(world, [...documentedStatuses, 'reset', 'garbage'])
      const exchanges = await requireErrorTexts(world, 'hang')
      if (exchanges.some(isSuccess))
        throw new NotCovered('the tool repeated its request after the timeout and succeeded')
      world.expectValue(await wordsFor(world, 'hang'), differsFrom(others))
    },
  }),

  check('TOOL-ERROR-12', {
    title: 'reports unexpected errors in other words than failures with a status',
    async run(world) {
      const others = await wordsForAll(world, documentedStatuses)
      // Both failures may have the same type, so their messages may be equal.
      for (const [failure, message] of await wordsForAll(world, ['reset', 'garbage']))
        world.expectValue(message, labelled(failure, differsFrom(others)))
    },
  }),

  check('TOOL-TIMEOUT-01', {
    title: 'times out after about thirty seconds if its upstream is silent',
    async run(world) {
      await exchangesFor(world, 'hang')
      world.expectValue(await (await simulateFailures(world)).waits, waitsHalfAMinute)
    },
  }),
]
