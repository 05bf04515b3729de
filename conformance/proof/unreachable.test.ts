import { expect, test } from 'vitest'
import { exitStatus, reasonForNoResult } from '../engine/index.ts'
import type { Target } from '../target.ts'
import { families } from './families.ts'
import { judgeTarget, proofSettings } from './trial.ts'
import type { AnyDeviation } from './variations/variation.ts'

const judge = (target: Omit<Target, 'suite'>) =>
  judgeTarget({ ...target, suite: { ...proofSettings, concurrency: 8, pictures: {} } })

const cases = ['images', 'hooks', 'receiver'].flatMap((name) =>
  [1, 9, 40].map((count) => [name, count] as const),
)

test.for(cases)('%s: a target that stops at request %i fails no check', async ([name, last]) => {
  const family = families.find((one) => one.name === name)!
  let count = 0
  const deviation: AnyDeviation = {
    around: async (_: object, next: () => Promise<unknown>) => {
      count += 1
      if (count < last) return next()
      await stop()
      throw new Error('stopped')
    },
  }
  const { target, close } = await family.start(deviation, {})
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= close())
  const verdicts = await judge(target).finally(stop)
  const wrong = verdicts.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
  expect(wrong.map(({ key, reason }) => [key, reason])).toEqual([])
  expect(exitStatus(verdicts)).toBe(3)
  expect(reasonForNoResult(verdicts)).toMatch(/ refuses connections since (GET|POST|PATCH|DELETE) /)
  if (last === 40) expect(verdicts.some(({ verdict }) => verdict === 'pass')).toBe(true)
})

test('a target that does not listen has no result', async () => {
  const verdicts = await judge({
    images: { url: 'http://127.0.0.1:9/v4', account: 'a', token: 't', state: true },
  })
  expect(exitStatus(verdicts)).toBe(3)
  expect(reasonForNoResult(verdicts)).toBe(
    'http://127.0.0.1:9 refuses connections: start the server, or correct the URL',
  )
})
