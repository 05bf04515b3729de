import { afterEach, describe, expect, it } from 'vitest'
import {
  startHooks,
  targetOf,
  type HooksOptions,
  type HooksServer,
} from '../../mocks/stateful/hooks.ts'
import { startSuite, type SuiteOptions } from '../suite.ts'
import { suiteDefaults } from '../target-file/index.ts'

// The document does not define how to delete a hook. The suite tries DELETE and reports what is
// left.
let server: HooksServer
afterEach(() => server.close())

async function judgeHooks(options: HooksOptions = {}, more: SuiteOptions = {}) {
  server = await startHooks(options)
  const run = await startSuite(
    {
      ...targetOf(server),
      suite: {
        receiver: { listen: '127.0.0.1:0' },
        ...suiteDefaults,
        patience: 5000,
        watch: 50,
        settle: 0,
      },
    },
    more,
  )
  const verdicts = await run.verdicts
  return { verdicts, ...(await run.finish()) }
}

describe('a run on a hook service', () => {
  it('deletes its hooks if the service supports DELETE', async () => {
    const { left } = await judgeHooks()
    expect(left).toEqual([])
    expect(server.store.list()).toEqual([])
  })

  it('reports hooks that it could not delete', async () => {
    const { left } = await judgeHooks(
      {
        around: async (call, next) =>
          call.operation === 'deleteHook' ? { status: 405, body: { message: 'no' } } : next(),
      },
      { selection: { only: ['HOOK-CREATE-02'] } },
    )
    const count = server.store.list().length
    expect(count).toBeGreaterThan(0)
    expect(left).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${count} hooks? \\(the document describes no way to delete a hook, and DELETE returned 405 .*\\), by id: \\d+`,
        ),
      ),
    ])
  })

  it('reports all hooks if the service has no DELETE and returns 404', async () => {
    const { left } = await judgeHooks(
      {
        around: async (call, next) =>
          call.operation === 'deleteHook' ? { status: 404, body: { message: 'no' } } : next(),
      },
      { selection: { only: ['HOOK-CREATE-02'] } },
    )
    const count = server.store.list().length
    expect(count).toBeGreaterThan(0)
    expect(left).toEqual([
      expect.stringMatching(new RegExp(`^${count} hooks? .* DELETE returned 404 `)),
    ])
  })

  it('reports all hooks in one line, even if each refusal contains the id of its hook', async () => {
    const { left } = await judgeHooks(
      {
        around: async (call, next) =>
          call.operation === 'deleteHook'
            ? { status: 403, body: { message: JSON.stringify(call.params) } }
            : next(),
      },
      { selection: { only: ['HOOK-CREATE'] } },
    )
    const count = server.store.list().length
    expect(count).toBeGreaterThan(5)
    expect(left).toEqual([
      expect.stringMatching(
        new RegExp(`^${count} hooks .* DELETE returned 403\\), by id: \\d+( to |, )[\\d, to]+$`),
      ),
    ])
  })

  it('deletes its hooks if the run is cancelled', async () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 100)
    const { left, verdicts } = await judgeHooks({ delayMs: 20 }, { signal: abort.signal })
    expect(left).toEqual([])
    expect(server.store.list()).toEqual([])
    expect(verdicts.some(({ reason }) => reason === 'the run was cancelled')).toBe(true)
  })

  it('reports a delivery that does not arrive within the configured time', async () => {
    const { verdicts } = await judgeHooks(
      { beforeDelivery: () => undefined },
      { selection: { only: ['HOOK-TEST-02', 'EVT-PUSH-07'] } },
    )
    expect(
      verdicts.map(({ requirement, verdict, blockedBy }) => [requirement, verdict, blockedBy]),
    ).toEqual([
      ['HOOK-TEST-02', 'fail', undefined],
      ['EVT-PUSH-07', 'blocked', 'HOOK-TEST-02'],
    ])
  })
})
