import { expect, test } from 'vitest'
import { actingCheck } from './check.ts'
import { processClock } from './clock.ts'
import type { Context } from './context.ts'
import { newGate } from './gate.ts'
import type { Message } from './ledger.ts'
import { startRun } from './run.ts'

type World = Context<Message>

test('a run ends when every check has cleaned up, but its verdicts do not wait for that', async () => {
  let release = () => {}
  const cleanedUp = new Promise<void>((resolve) => (release = resolve))
  const { verdicts, end } = startRun<World, Message>({
    checks: [
      actingCheck<World>('IMG-ADDRESS-01', {
        title: 'observes',
        run: ({ ledger }) => Promise.resolve(ledger.observe('nothing')),
      }),
    ],
    openWorld: (context) => context,
    cleanUp: () => cleanedUp,
    gate: newGate({ concurrency: 1 }),
    clock: processClock,
    seed: 1,
  })
  let hasEnded = false
  void end.then(() => (hasEnded = true))
  expect(await verdicts).toHaveLength(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(hasEnded).toBe(false)
  release()
  await end
})
