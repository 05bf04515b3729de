import type { Check } from './check.ts'
import { processClock } from './clock.ts'
import type { Context } from './context.ts'
import { newGate } from './gate.ts'
import type { Message } from './ledger.ts'
import { startRun } from './run.ts'
import type { Outcome } from './verdict.ts'

/**
 * Runs checks that use the engine's `Context` itself as their world, and returns their outcomes by
 * title.
 */
export async function outcomesOf<M extends Message>(
  checks: readonly Check<Context<M>, M>[],
): Promise<Record<string, Outcome>> {
  const { verdicts } = startRun<Context<M>, M>({
    checks,
    openWorld: (context) => context,
    gate: newGate({ concurrency: 4 }),
    clock: processClock,
    seed: 1,
  })
  return Object.fromEntries((await verdicts).map(({ title, verdict }) => [title, verdict]))
}
