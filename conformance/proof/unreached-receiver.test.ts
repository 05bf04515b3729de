import { afterEach, describe, expect, test } from 'vitest'
import {
  failure,
  startHooks,
  targetOf,
  type HooksOptions,
  type HooksServer,
} from '../../mocks/stateful/hooks.ts'
import type { Verdict } from '../engine/index.ts'
import type { SuiteSettings } from '../target-file/index.ts'
import { judgeTarget, proofSettings } from './trial.ts'

let server: HooksServer
afterEach(() => server.close())

const refusePrivateAddresses: HooksOptions = {
  around: async (call, next) => {
    if (call.operation !== 'createHook') return next()
    const { url } = (await call.fields()) as { url?: string }
    return url?.includes('127.0.0.1') === true
      ? failure(call.server.choices, 422, 'The URL is blocked: private addresses are not allowed')
      : next()
  },
}
const deliverNothing: HooksOptions = { beforeDelivery: () => undefined }
const failTestCalls: HooksOptions = {
  ...deliverNothing,
  around: async (call, next) =>
    call.operation === 'testHook'
      ? failure(call.server.choices, 422, 'The delivery failed: connection refused')
      : next(),
}

/**
 * The verdicts on a service. Without `receiver`, the target file does not declare that the service
 * can reach the suite.
 */
async function judge(options: HooksOptions, receiver?: SuiteSettings['receiver']) {
  server = await startHooks(options)
  const { receiver: _, ...settings } = proofSettings
  return judgeTarget({
    ...targetOf(server),
    suite: { ...settings, patience: 5000, ...(receiver === undefined ? {} : { receiver }) },
  })
}

const keysOf = (verdicts: readonly Verdict[], outcome: Verdict['verdict']) =>
  verdicts.filter(({ verdict }) => verdict === outcome).map(({ key }) => key)

describe.each([
  ['refuses private addresses', refusePrivateAddresses, 'HOOK-CREATE-01'],
  ['cannot deliver', deliverNothing, 'HOOK-TEST-02'],
  ['returns the failure of a delivery', failTestCalls, 'HOOK-TEST-01'],
] as const)('a service that %s', (_, options, root) => {
  test('fails no check if the target file does not declare that the service can reach the suite', async () => {
    const verdicts = await judge(options)
    expect([...keysOf(verdicts, 'fail'), ...keysOf(verdicts, 'blocked')]).toEqual([])
    expect(verdicts.find(({ requirement }) => requirement === root)).toMatchObject({
      verdict: 'not covered',
      needs: ['suite.receiver.publicUrl'],
    })
  })

  test('fails one check if the target file declares that the service can reach the suite', async () => {
    const verdicts = await judge(options, { listen: '127.0.0.1:0' })
    expect(keysOf(verdicts, 'fail')).toEqual([expect.stringContaining(root)])
  })
})
