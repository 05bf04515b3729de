import type { AnyDeviation } from './variations/variation.ts'
import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { Verdict } from '../engine/index.ts'
import { startSuite, type SuiteOptions } from '../suite.ts'
import type { SuiteSettings } from '../target-file/index.ts'
import type { Target } from '../target.ts'
import { trialClock } from './clock.ts'
import type { Family } from './family.ts'

/** The suite in the proof. Times are those of the proof's own clock. */
export const settings: SuiteSettings = {
  settle: 0,
  pace: 0,
  patience: 20_000,
  watch: 1000,
  concurrency: 16,
  timeout: 60_000,
}

export interface Trial extends Pick<SuiteOptions, 'selected' | 'feeding' | 'heard'> {
  deviation?: AnyDeviation
  choices?: object
}

/**
 * Narrows a run to the checks that a family is about; where these are of one contract among others, a faulty server is judged by those of the topics that its
 * fault violates.
 */
export function narrowed(
  { contract }: Pick<Family, 'contract'>,
  violates?: readonly RequirementId[],
): Pick<SuiteOptions, 'selected' | 'feeding'> {
  if (contract === undefined) return {}
  const topics =
    violates === undefined
      ? undefined
      : new Set<string>(violates.map((row) => requirements[row].topic))
  const own = (row: RequirementId) =>
    requirements[row].contract === contract && topics?.has(requirements[row].topic) !== false
  return {
    selected: ({ requirement }) => own(requirement),
    feeding: (key) => own(key.slice(0, key.indexOf(' ')) as RequirementId),
  }
}

/** Judges one deviating server, started and stopped for it. */
export async function tryServer(
  family: Family,
  { deviation = {}, choices = {}, ...options }: Trial,
): Promise<Verdict[]> {
  const { target, suite, close } = await family.start(deviation, choices)
  try {
    return await judged({ ...target, suite: { ...settings, ...suite } }, options)
  } finally {
    await close()
  }
}

/** The verdicts on a target that ends with the trial. */
export async function judged(target: Target, options: SuiteOptions = {}): Promise<Verdict[]> {
  const run = await startSuite(target, { clock: trialClock(), throwaway: true, ...options })
  const verdicts = await run.verdicts
  await run.finish()
  return verdicts
}
