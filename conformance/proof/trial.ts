import { createHash } from 'node:crypto'
import type { AnyDeviation } from './variations/variation.ts'
import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { Verdict } from '../engine/index.ts'
import { startSuite, type SuiteOptions } from '../suite.ts'
import { suiteDefaults, type SuiteSettings } from '../target-file/index.ts'
import type { Target } from '../target.ts'
import { newTrialClock } from './clock.ts'
import type { Family } from './family.ts'

/**
 * The settings of the suite in the proof. Times are in milliseconds of the clock of
 * `newTrialClock`, which runs faster than real time.
 */
export const proofSettings: SuiteSettings = {
  // With this key, the target file declares that the servers of the proof can reach the suite.
  receiver: { listen: '127.0.0.1:0' },
  ...suiteDefaults,
  settle: 0,
  patience: 20_000,
  watch: 1000,
  concurrency: 16,
  timeout: 60_000,
}

/** The seed of the trial of a server. It differs for each name, but is the same in every proof. */
export const seedOf = (name: string): number =>
  1 + (createHash('sha256').update(name).digest().readUInt32BE() >>> 1)

/** One run of the suite against one server of a family. */
export interface Trial extends Pick<SuiteOptions, 'selected' | 'mayCauseMessages' | 'onMessage'> {
  /** How the server differs from the reference. By default, it does not differ. */
  deviation?: AnyDeviation
  /** The seed of the values that the suite chooses at random. */
  seed: number
  /** Choices of the server. Those of the deviation take precedence. */
  choices?: object
  /** How many milliseconds the suite waits for a delivery; by default, as in `proofSettings`. */
  patience?: number
}

/**
 * Limits a run to the checks of the family's contract, if the family names one. For a fault of such
 * a family, only the topics of the violated requirements are checked.
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
    requirements[id].contract === contract &&
    (topics === undefined || topics.has(requirements[id].topic))
  return {
    selected: ({ requirement }) => isSelected(requirement),
    mayCauseMessages: (key) => isSelected(requirementOfKey(key)),
  }
}

/** A key is the id of the requirement, a space, and the title of the check. */
export const requirementOfKey = (key: string) => key.slice(0, key.indexOf(' ')) as RequirementId

/** Starts a server of a family, runs the suite against it, and stops it. */
export async function judgeServer(
  family: Family,
  { deviation = {}, choices = {}, seed, patience = proofSettings.patience, ...options }: Trial,
): Promise<Verdict[]> {
  const { target, suite, close } = await family.start(deviation, choices)
  try {
    return await judgeTarget(
      { ...target, suite: { ...proofSettings, patience, ...suite, seed } },
      options,
    )
  } finally {
    await close()
  }
}

/** Runs the suite against a target that is discarded afterwards, so nothing is cleaned up. */
export async function judgeTarget(target: Target, options: SuiteOptions = {}): Promise<Verdict[]> {
  const run = await startSuite(target, { clock: newTrialClock(), throwaway: true, ...options })
  const verdicts = await run.verdicts
  await run.finish()
  return verdicts
}
