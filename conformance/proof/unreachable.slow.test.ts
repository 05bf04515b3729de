import { expect, test } from 'vitest'
import { exitStatus, reasonForNoResult, type Verdict } from '../engine/index.ts'
import type { Target } from '../target.ts'
import { families } from './families.ts'
import { judgeTarget, proofSettings } from './trial.ts'
import type { AnyDeviation } from './variations/variation.ts'

const judge = (target: Omit<Target, 'suite'>, timeout = proofSettings.timeout) =>
  judgeTarget({ ...target, suite: { ...proofSettings, concurrency: 8, pictures: {}, timeout } })

/** Starts a family's server, which calls `instead` for request number `last` and all later ones. */
async function startUntil(
  name: string,
  last: number,
  instead: (close: () => Promise<void>) => Promise<never>,
) {
  const family = families.find((one) => one.name === name)!
  let count = 0
  const deviation: AnyDeviation = {
    around: (_: object, next: () => Promise<unknown>) => {
      count += 1
      return count < last ? next() : instead(close)
    },
  }
  const started = await family.start(deviation, {})
  let closed: Promise<void> | undefined
  const close = () => (closed ??= started.close())
  return { target: started.target, close, requestsAfter: () => count - last }
}

const cases = ['images', 'hooks', 'receiver', 'greeting', 'tools'].flatMap((name) =>
  [1, 9, 40].map((count) => [name, count] as const),
)

test.for(cases)('%s: a target that stops at request %i fails no check', async ([name, last]) => {
  const { target, close } = await startUntil(name, last, async (stop) => {
    await stop()
    throw new Error('stopped')
  })
  const verdicts = await judge(target).finally(close)
  const wrong = verdicts.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
  expect(wrong.map(({ key, reason }) => [key, reason])).toEqual([])
  expect(exitStatus(verdicts)).toBe(3)
  expect(reasonForNoResult(verdicts)).toMatch(/ has refused connections since [\w/]+/)
  if (last === 40) expect(verdicts.some(({ verdict }) => verdict === 'pass')).toBe(true)
})

test.for(['images', 'hooks', 'receiver'])(
  '%s: the suite stops sending to a target that no longer responds',
  async (name) => {
    const { target, close, requestsAfter } = await startUntil(name, 40, () => new Promise(() => {}))
    const verdicts = await judge(target, 20_000).finally(close)
    expect(exitStatus(verdicts)).toBe(3)
    expect(reasonForNoResult(verdicts)).toMatch(
      / has not responded since (GET|POST|PATCH|DELETE) .*: [3-5] consecutive requests timed out, the last one after [\d.]+ s$/,
    )
    // A check fails only if it timed out a second time, when it ran alone, before the suite knew
    // that the target no longer responds.
    const wrong = verdicts.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    const isTimeout = ({ verdict, expectations }: Verdict) =>
      verdict === 'fail' &&
      expectations.some(({ received }) => /timeout|returned nothing/.test(String(received)))
    expect(wrong.filter((one) => !isTimeout(one)).map(({ key }) => key)).toEqual([])
    expect(wrong.length).toBeLessThanOrEqual(2)
    // Eight requests time out at a time, until five have timed out one after the other.
    expect(requestsAfter()).toBeLessThan(100)
  },
)

test('greeting: the suite opens no more streams if the server no longer responds', async () => {
  const { target, close, requestsAfter } = await startUntil(
    'greeting',
    40,
    () => new Promise(() => {}),
  )
  const verdicts = await judge(target, 20_000).finally(close)
  expect(exitStatus(verdicts)).toBe(3)
  expect(reasonForNoResult(verdicts)).toMatch(
    / has not responded since stream \d+: [3-5] consecutive requests timed out, the last one after [\d.]+ s$/,
  )
  expect(verdicts.filter(({ verdict }) => verdict === 'error')).toEqual([])
  expect(requestsAfter()).toBeLessThan(100)
})

test('tools: if no call gets a response, only TOOL-CALL-01 fails', async () => {
  const { target, close, requestsAfter } = await startUntil('tools', 1, () => new Promise(() => {}))
  const verdicts = await judge(target, 20_000).finally(close)
  const failed = verdicts.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
  expect(failed.map(({ requirement }) => requirement)).toEqual(['TOOL-CALL-01'])
  const isTimeout = ({ reason = '' }: Verdict) =>
    /[3-5] consecutive calls timed out over [a-z]+, the last one after /.test(reason)
  expect(verdicts.some((one) => one.blockedBy === 'TOOL-CALL-01' && isTimeout(one))).toBe(true)
  expect(exitStatus(verdicts)).toBe(1)
  expect(requestsAfter()).toBeLessThan(200)
})

test('a target that does not listen has no result', async () => {
  const verdicts = await judge({
    images: { url: 'http://127.0.0.1:9/v4', account: 'a', token: 't', state: true },
  })
  expect(exitStatus(verdicts)).toBe(3)
  expect(reasonForNoResult(verdicts)).toBe(
    'http://127.0.0.1:9 cannot be reached (connection refused): start the server, or correct the URL',
  )
})
