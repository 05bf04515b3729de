import {
  requireProgress,
  collectProgress,
  paramsOf,
  maxDelay,
  type ProgressRecord,
} from '../support/progress-messages.ts'
import { type Expectation } from '../../../engine/index.ts'
import type { McpReceived } from '../../../wire/index.ts'
import { check } from '../support/define.ts'

const shown = (tokens: readonly unknown[]) =>
  [...new Set(tokens.map((token) => JSON.stringify(token) ?? 'none'))].slice(0, 5).join(', ')

/** Tokens that no call asked with, of what came while one was under way that had a token. */
const foreign = (told: readonly ProgressRecord[]) =>
  told.flatMap(({ token, progress }) =>
    token === undefined
      ? []
      : progress
          .map((one) => paramsOf(one)['progressToken'])
          .filter((one) => !told.some((call) => call.token === one)),
  )
const carries: Expectation<readonly ProgressRecord[]> = {
  name: 'carries the token',
  expected: 'the tokens of the calls',
  test: (told) => foreign(told).length === 0,
  received: (told) => `foreign tokens: ${shown(foreign(told))}`,
}

const valuesOf = ({ own }: ProgressRecord) => own.map((one) => paramsOf(one)['progress'])
const falls = (told: readonly ProgressRecord[]) =>
  told.filter((call) =>
    valuesOf(call).some(
      (value, index, values) =>
        typeof value !== 'number' || (index > 0 && value <= Number(values[index - 1])),
    ),
  )
const grows: Expectation<readonly ProgressRecord[]> = {
  name: 'grows',
  expected: 'numbers, each larger than the one before',
  test: (told) => falls(told).length === 0,
  received: (told) =>
    falls(told)
      .map((call) => `${call.tool}: ${JSON.stringify(valuesOf(call))}`)
      .join('; '),
}

/** Progress of a call that came behind its result. On another stream it may have been sent before. */
const isLate = ({ exchange: { answer } }: ProgressRecord, one: McpReceived): boolean =>
  answer !== undefined &&
  (one.stream === answer.stream ? one.order > answer.order : one.at > answer.at + maxDelay / 2)
const late = (told: readonly ProgressRecord[]) =>
  told.filter((call) => call.own.some((one) => isLate(call, one)))
const ends: Expectation<readonly ProgressRecord[]> = {
  name: 'ends with the result',
  expected: 'no progress behind the result',
  test: (told) => late(told).length === 0,
  received: (told) =>
    `behind the result of ${late(told)
      .map(({ tool }) => tool)
      .join(', ')}`,
}

const unasked = (told: readonly ProgressRecord[]) =>
  told.filter(
    ({ token, progress }) =>
      token === undefined &&
      progress.some(
        (one) =>
          !told.some(
            (call) => call.token !== undefined && call.token === paramsOf(one)['progressToken'],
          ),
      ),
  )
const keepsSilent: Expectation<readonly ProgressRecord[]> = {
  name: 'tells none unasked',
  expected: 'no progress of a call without a token',
  test: (told) => unasked(told).length === 0,
  received: (told) =>
    `of ${unasked(told)
      .map(
        ({ tool, progress }) =>
          `${tool}, with the token ${shown(progress.map((one) => paramsOf(one)['progressToken']))}`,
      )
      .join('; ')}`,
}

export const progress = [
  check('TOOL-PROGRESS-01', {
    title: 'tells progress under the token of the call',
    async run(world) {
      world.expectOf(await requireProgress(world), carries)
    },
  }),

  check('TOOL-PROGRESS-02', {
    title: 'tells progress that grows',
    async run(world) {
      world.expectOf(await requireProgress(world), grows)
    },
  }),

  check('TOOL-PROGRESS-03', {
    title: 'tells no progress behind a result, and none unasked',
    async run(world) {
      world.expectOf(await requireProgress(world), ends, keepsSilent)
    },
  }),

  check('TOOL-PROGRESS-04', {
    title: 'tells progress, or keeps silent on it',
    async run(world) {
      const told = (await collectProgress(world)).filter(({ progress: { length } }) => length > 0)
      for (const { tool, token, progress: heard } of told)
        if (typeof token === 'string')
          world.observe(
            `${tool}: ${heard.length} times, such as ${JSON.stringify(heard.at(-1)!.json['params'])}`,
          )
      if (told.length === 0) world.observe('no call told any progress')
    },
  }),
]
