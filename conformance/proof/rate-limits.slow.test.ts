import { expect, test } from 'vitest'
import type { AnyDeviation } from './variations/variation.ts'
import { newTrialClock } from './clock.ts'
import { families } from './families.ts'
import { proofSettings, judgeTarget } from './trial.ts'

/** Each response of the image API is an envelope. The other contracts do not define this body. */
const body = {
  success: false,
  result: null,
  errors: [{ code: 429, message: 'Too many requests' }],
  messages: [],
}

/**
 * Accepts the first `accepted` calls, and refuses all later calls with a Retry-After that is longer
 * than any run waits. If `only` is given, only the calls of this operation are counted and refused.
 */
function refuseAfter(accepted: number, only?: string) {
  const calls = { count: 0 }
  const deviation: AnyDeviation = {
    around: async (call: { operation?: string }, next: () => Promise<unknown>) => {
      if (only !== undefined && call.operation !== only) return next()
      calls.count += 1
      if (calls.count <= accepted) return next()
      // A body that is not read would break the connection.
      if ('bytes' in call) await (call.bytes as () => Promise<unknown>)().catch(() => undefined)
      return { status: 429, headers: { 'Retry-After': '3600' }, body }
    },
  }
  return { deviation, calls }
}

const operations = {
  images: [
    'uploadImage',
    'createDirectUpload',
    'completeDirectUpload',
    'getImage',
    'listImages',
    'deleteImage',
    'createVariant',
    'getVariant',
    'updateVariant',
    'deleteVariant',
    'batchUploadImage',
  ],
  hooks: ['createHook', 'testHook'],
  receiver: [],
}

const cases = Object.entries(operations).flatMap(([name, own]) => [
  ...[0, 1, 5, 23, 95].map((accepted) => [name, 'calls', accepted, undefined] as const),
  ...own.map((operation) => [name, `${operation} calls`, 3, operation] as const),
])

test.for(cases)(
  '%s: no check fails if the target refuses all %s after the first %i',
  async ([name, , accepted, operation]) => {
    const family = families.find((one) => one.name === name)!
    const { deviation, calls } = refuseAfter(accepted, operation)
    const { target, suite, close } = await family.start(deviation, {})
    const unhandled: unknown[] = []
    const keep = (error: unknown) => void unhandled.push(error)
    process.prependListener('unhandledRejection', keep)
    try {
      const verdicts = await judgeTarget(
        { ...target, suite: { ...proofSettings, ...suite } },
        { clock: newTrialClock() },
      )
      const wrong = verdicts.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
      expect(wrong.map(({ key, reason }) => [key, reason])).toEqual([])
      const limited = verdicts.some(({ reasonCode }) => reasonCode === 'rate-limited')
      expect(limited).toBe(calls.count > accepted)
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', keep)
      await close()
    }
  },
)
