import { findFamily } from '../families.ts'
import { judgeServer } from '../trial.ts'
import { RandomChanges } from './changes.ts'
import { deviations, type FamilyName } from './deviations.ts'

/** A run against a server that sends random values. */
export interface RandomRun {
  /** How many messages the server changed. */
  readonly changed: number
  /** The checks that blame the suite: the key of each, with the reason. */
  readonly errors: readonly string[]
}

/** Judges a server of a family whose messages are changed. Equal seeds make equal changes. */
export async function judgeRandomServer(name: FamilyName, seed: number): Promise<RandomRun> {
  const changes = new RandomChanges(seed)
  const deviation = deviations[name](changes)
  const verdicts = await judgeServer(findFamily(name), { deviation, seed })
  return {
    changed: changes.count,
    errors: verdicts
      .filter(({ verdict }) => verdict === 'error')
      .map(({ key, reason = '' }) => `${key}: ${reason}`),
  }
}
