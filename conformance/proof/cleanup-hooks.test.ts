import { afterEach, describe, expect, it } from 'vitest'
import {
  startHooks,
  targetOf,
  type HooksOptions,
  type HooksServer,
} from '../../mocks/stateful/hooks.ts'
import { startSuite, type SuiteOptions } from '../suite.ts'

// The document has no way to delete a hook. The suite tries all the same, and names what stays.
let server: HooksServer
afterEach(() => server.close())

async function judged(options: HooksOptions = {}, more: SuiteOptions = {}) {
  server = await startHooks(options)
  const run = await startSuite(
    {
      ...targetOf(server),
      suite: { patience: 5000, watch: 50, settle: 0, pace: 0, concurrency: 8, timeout: 10_000 },
    },
    more,
  )
  const verdicts = await run.verdicts
  return { verdicts, ...(await run.finish()) }
}

describe('a guest at a hook service', { timeout: 30_000 }, () => {
  it('takes its hooks away where that can be done', async () => {
    const { left } = await judged()
    expect(left).toEqual([])
    expect(server.store.list()).toEqual([])
  })

  it('names those that stay', async () => {
    const { left } = await judged(
      {
        around: async (call, next) =>
          call.operation === 'deleteHook' ? { status: 405, body: { message: 'no' } } : next(),
      },
      { selection: { only: ['HOOK-CREATE-02'] } },
    )
    expect(left.length).toBe(server.store.list().length)
    expect(left[0]).toMatch(
      /^hook \d+ \(the document has no way to delete it, and DELETE returned 405/,
    )
  })

  it('takes them away also where it is called off', async () => {
    const off = new AbortController()
    setTimeout(() => off.abort(), 100)
    const { left, verdicts } = await judged({ delayMs: 20 }, { signal: off.signal })
    expect(left).toEqual([])
    expect(server.store.list()).toEqual([])
    expect(verdicts.some(({ reason }) => reason === 'the run was cancelled')).toBe(true)
  })

  it('waits no longer than its patience for what does not come, and then says so', async () => {
    const { verdicts } = await judged(
      { beforeDelivery: () => undefined },
      { selection: { only: ['HOOK-TEST-02', 'EVT-PUSH-07'] } },
    )
    expect(
      verdicts.map(({ requirement, verdict, blockedBy }) => [requirement, verdict, blockedBy]),
    ).toEqual([
      ['HOOK-TEST-02', 'fail', undefined],
      ['EVT-PUSH-07', 'blocked', 'HOOK-TEST-02'],
    ])
  }, 20_000)
})
