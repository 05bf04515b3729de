import type { AnyDeviation } from './variations/variation.ts'
import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { Verdict } from '../engine/index.ts'
import { startSuite, type SuiteOptions } from '../suite.ts'
import type { SuiteSettings } from '../target-file/index.ts'
import type { Target } from '../target.ts'
import { newTrialClock } from './clock.ts'
import type { Family } from './family.ts'

/** The settings of the suite in the proof. Times are milliseconds of the proof's clock. */
export const proofSettings: SuiteSettings = {
  settle: 0,
  pace: 0,
  patience: 20_000,
  watch: 1000,
  concurrency: 16,
  timeout: 60_000,
}

export interface Trial extends Pick<SuiteOptions, 'selected' | 'mayCauseMessages' | 'onMessage'> {
  deviation?: AnyDeviation
  choices?: object
}

/**
 * Limits a run to the checks of the family's contract, if the family names one. A fault is then
 * judged by the checks of the topics that it violates.
 */
export function narrowToContract(
  { contract }: Pick<Family, 'contract'>,
  violates?: readonly RequirementId[],
): Pick<SuiteOptions, 'selected' | 'mayCauseMessages'> {
  if (contract === undefined) return {}
  const topics =
    violates === undefined
      ? undefined
      : new Set<string>(violates.map((id) => requirements[id].topic))
  const isSelected = (id: RequirementId) =>
    requirements[id].contract === contract && topics?.has(requirements[id].topic) !== false
  return {
    selected: ({ requirement }) => isSelected(requirement),
    mayCauseMessages: (key) => isSelected(key.slice(0, key.indexOf(' ')) as RequirementId),
  }
}

/** Starts a deviating server of a family, judges it and stops it. */
export async function judgeServer(
  family: Family,
  { deviation = {}, choices = {}, ...options }: Trial,
): Promise<Verdict[]> {
  const { target, suite, close } = await family.start(deviation, choices)
  try {
    return await judgeTarget({ ...target, suite: { ...proofSettings, ...suite } }, options)
  } finally {
    await close()
  }
}

/** Judges a target that is not used after the trial, so that nothing needs cleanup. */
export async function judgeTarget(target: Target, options: SuiteOptions = {}): Promise<Verdict[]> {
  const run = await startSuite(target, { clock: newTrialClock(), throwaway: true, ...options })
  const verdicts = await run.verdicts
  await run.finish()
  return verdicts
}
