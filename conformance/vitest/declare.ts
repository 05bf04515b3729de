import { BroadcastChannel } from 'node:worker_threads'
import { afterAll, inject, test, type TestContext } from 'vitest'
import type { Verdict } from '../engine/index.ts'
import type { startSuite } from '../suite.ts'
import './provided.ts'

/** Starts a run and makes a test of each of its checks; the tests only await what the engine finds. At the end it cleans up, called off or not. */
export async function declareChecks(start: typeof startSuite): Promise<void> {
  const { target, selection, throwaway, channel } = inject('touchstone')
  const off = new AbortController()
  const line = new BroadcastChannel(channel)
  line.onmessage = () => off.abort()
  line.unref()

  const run = await start(target, { selection, signal: off.signal, throwaway })
  for (const { key, requirement } of run.planned) {
    test.concurrent(key, { meta: { requirement } }, async (context) => {
      const verdict = await run.verdict(key)
      context.task.meta.verdict = verdict
      settle(context, verdict)
    })
  }
  // vitest wants the pattern, though nothing is taken from it.

  afterAll(async ({}, file) => {
    file.meta.left = (await run.finish()).left
    line.close()
  })
}

/** Ends a test as its verdict wants it: vitest knows passed, failed and skipped. */
function settle({ skip }: TestContext, { verdict, reason = '', expectations }: Verdict): void {
  switch (verdict) {
    case 'fail':
    case 'error': {
      const broken = expectations.find(({ held }) => !held)
      const message =
        broken === undefined ? reason : `expected ${broken.expected}, received ${broken.received}`
      // The report tells where it went wrong in the exchange; a stack would tell where it went wrong in here.
      throw Object.assign(new Error(message), { stack: '' })
    }
    case 'blocked':
    case 'not covered':
    case 'not applicable':
      return skip(`${verdict}: ${reason}`)
    case 'pass':
    case 'warn':
    case 'observed':
      return
  }
}
