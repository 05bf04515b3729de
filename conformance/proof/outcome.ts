import type { Fault } from './faults/fault.ts'
import type { Verdict } from '../engine/index.ts'

/** What the suite found about one broken server. */
export interface FaultOutcome {
  fault: string
  description: string
  violates: readonly string[]
  /** How often the server deviated. */
  hits: number
  /** Requirements with a check that failed or warned, in the order of the catalogue. */
  failedRequirements: string[]
  /** Keys of the expectations that were not met. */
  failedExpectations: string[]
  /** Keys of the doors at which a violated requirement was not met. */
  failedDoors: string[]
  /** Number of blocked checks. */
  blocked: number
  /** Errors of the suite. */
  errors: string[]
}

/** Identifies an expectation by its check and its name. */
export const expectationKey = (check: string, name: string) => `${check} › ${name}`

/** Derives the outcome from the verdicts on a broken server. */
export function newFaultOutcome(
  { name, description, violates }: Pick<Fault<unknown>, 'name' | 'description' | 'violates'>,
  hits: number,
  verdicts: readonly Verdict[],
  failedDoors: readonly string[] = [],
): FaultOutcome {
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  return {
    fault: name,
    description,
    violates,
    hits,
    failedRequirements: [...new Set(failed.map(({ requirement }) => requirement))],
    failedExpectations: failed.flatMap(({ key, expectations }) =>
      expectations.filter(({ held }) => !held).map(({ name }) => expectationKey(key, name)),
    ),
    failedDoors: failedDoors.filter((door) => violates.some((id) => door.startsWith(`${id} `))),
    blocked: verdicts.filter(({ verdict }) => verdict === 'blocked').length,
    errors: verdicts
      .filter(({ verdict }) => verdict === 'error')
      .map(({ key, reason }) => `${key}: ${reason?.split('\n')[0]}`),
  }
}

export const isKilled = ({ failedRequirements }: FaultOutcome) => failedRequirements.length > 0
/** Whether a check of a violated requirement failed. */
export const isKilledForTheRightReason = ({ failedRequirements, violates }: FaultOutcome) =>
  failedRequirements.some((id) => violates.includes(id))
