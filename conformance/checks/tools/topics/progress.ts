import {
  requireProgress,
  collectConcurrentProgress,
  collectProgress,
  paramsOf,
  maxDelay,
  type ProgressRecord,
} from '../support/progress-messages.ts'
import { type Expectation, labelled, NotApplicable } from '../../../engine/index.ts'
import type { McpReceived } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { expectOnEachTransport } from '../support/one-transport.ts'

const shown = (tokens: readonly unknown[]) =>
  [...new Set(tokens.map((token) => JSON.stringify(token) ?? '(no token)'))].slice(0, 5).join(', ')

/**
 * Returns the tokens of progress notifications that are not the token of any call, and undefined
 * for each notification without a token. Examines only notifications during calls with a token.
 */
const foreignTokens = (records: readonly ProgressRecord[]) =>
  records.flatMap(({ token, progress }) =>
    token === undefined
      ? []
      : progress
          .map((one) => paramsOf(one)['progressToken'])
          .filter((one) => one === undefined || !records.some((call) => call.token === one)),
  )
const carries: Expectation<readonly ProgressRecord[]> = {
  name: 'has the token',
  expected: 'the progressToken of a call',
  test: (records) => foreignTokens(records).length === 0,
  received: (records) => `progressToken: ${shown(foreignTokens(records))}`,
}

const exchangeOf = ({ exchange }: ProgressRecord) => exchange

const valuesOf = ({ own }: ProgressRecord) => own.map((one) => paramsOf(one)['progress'])
const notGrowing = (records: readonly ProgressRecord[]) =>
  records.filter((call) =>
    valuesOf(call).some(
      (value, index, values) =>
        typeof value !== 'number' || (index > 0 && value <= Number(values[index - 1])),
    ),
  )
const grows: Expectation<readonly ProgressRecord[]> = {
  name: 'increases with each notification',
  expected: 'a number in the field progress that is greater than the previous one',
  test: (records) => notGrowing(records).length === 0,
  received: (records) =>
    notGrowing(records)
      .map((call) => `${call.tool}: ${JSON.stringify(valuesOf(call))}`)
      .join('; '),
}

/** Progress with the token of another call, on the stream of the response to this call. */
const foreignOnStream = (records: readonly ProgressRecord[]) =>
  records.flatMap(({ token, exchange, progress }) =>
    progress
      .filter(
        (one) =>
          one.stream === 'post' &&
          one.exchange === exchange.number &&
          paramsOf(one)['progressToken'] !== token,
      )
      .map((one) => ({ token, found: paramsOf(one)['progressToken'] })),
  )
const isOnOwnStream: Expectation<readonly ProgressRecord[]> = {
  name: 'is on the stream of its call',
  expected: 'on the stream of a response, only progress with the token of its request',
  test: (records) => foreignOnStream(records).length === 0,
  received: (records) =>
    foreignOnStream(records)
      .slice(0, 3)
      .map(({ token, found }) => `on the stream of ${token}: ${JSON.stringify(found)}`)
      .join('; '),
}

/**
 * Whether a progress notification was sent after the result. On another stream, a notification that
 * was sent earlier may arrive late, so a delay is allowed there.
 */
const isLate = ({ exchange: { answer } }: ProgressRecord, one: McpReceived): boolean =>
  answer !== undefined &&
  (one.stream === answer.stream ? one.order > answer.order : one.at > answer.at + maxDelay / 2)
const late = (records: readonly ProgressRecord[]) =>
  records.filter((call) => call.own.some((one) => isLate(call, one)))
const ends: Expectation<readonly ProgressRecord[]> = {
  name: 'sends no progress after the result',
  expected: 'no progress after the result',
  test: (records) => late(records).length === 0,
  received: (records) =>
    `progress after the result of ${late(records)
      .map(({ tool }) => tool)
      .join(', ')}`,
}

const unrequested = (records: readonly ProgressRecord[]) =>
  records.filter(
    ({ token, progress }) =>
      token === undefined &&
      progress.some(
        (one) =>
          !records.some(
            (call) => call.token !== undefined && call.token === paramsOf(one)['progressToken'],
          ),
      ),
  )
const sendsNoneUnrequested: Expectation<readonly ProgressRecord[]> = {
  name: 'sends no progress without a token',
  expected: 'no progress for a call without a token',
  test: (records) => unrequested(records).length === 0,
  received: (records) =>
    `progress for ${unrequested(records)
      .map(
        ({ tool, progress }) =>
          `${tool}, with progressToken ${shown(progress.map((one) => paramsOf(one)['progressToken']))}`,
      )
      .join('; ')}`,
}

export const progressChecks = [
  check('TOOL-PROGRESS-01', {
    title: 'sends progress with the token of the call',
    async run(world) {
      expectOnEachTransport(world, await requireProgress(world), exchangeOf, carries)
    },
  }),

  check('TOOL-PROGRESS-02', {
    title: 'increases the progress with each notification',
    async run(world) {
      expectOnEachTransport(world, await requireProgress(world), exchangeOf, grows)
    },
  }),

  check('TOOL-PROGRESS-02', {
    title: 'increases the progress of each of several calls at the same time',
    async run(world) {
      expectOnEachTransport(
        world,
        await collectConcurrentProgress(world),
        exchangeOf,
        labelled('calls at the same time', grows),
      )
    },
  }),

  check('TOOL-HTTP-14', {
    title: 'sends progress on the stream of its call',
    async run(world) {
      const records = (await collectConcurrentProgress(world)).filter(
        ({ exchange: { transport } }) => transport === 'http',
      )
      if (!records.some(({ progress }) => progress.some(({ stream }) => stream === 'post')))
        throw new NotApplicable('the server sends no progress on the streams of responses')
      expectOnEachTransport(world, records, exchangeOf, isOnOwnStream)
    },
  }),

  check('TOOL-PROGRESS-03', {
    title: 'sends no progress after a result, and none without a token',
    async run(world) {
      world.expectValue(
        await requireProgress(world),
        labelled('progress after the result', ends),
        labelled('progress without a token', sendsNoneUnrequested),
      )
    },
  }),

  check('TOOL-PROGRESS-04', {
    title: 'records which calls report progress',
    async run(world) {
      const records = (await collectProgress(world)).filter(
        ({ progress: { length } }) => length > 0,
      )
      for (const { tool, token, progress: received } of records)
        if (typeof token === 'string')
          world.observe(
            `progress notifications of ${tool}: ${received.length}, such as ${JSON.stringify(received.at(-1)!.json['params'])}`,
          )
      if (records.length === 0) world.observe('no call reported progress')
    },
  }),
]
