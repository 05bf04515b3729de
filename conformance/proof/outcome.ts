import type { Fault } from './faults/fault.ts'
import type { Verdict } from '../engine/index.ts'

/** What the suite said of one faulty server. */
export interface FaultOutcome {
  fault: string
  says: string
  violates: readonly string[]
  /** How often the server really deviated. */
  hits: number
  /** Rows of which a check failed or warned, in the catalogue's order. */
  found: string[]
  /** Expectations that broke, as key of the check and name. */
  broken: string[]
  blocked: number
  errors: string[]
}

export const expectationKey = (check: string, name: string) => `${check} › ${name}`

/** Reads the verdicts on a faulty server. */
export function outcomeOf(
  { name, says, violates }: Pick<Fault<unknown>, 'name' | 'says' | 'violates'>,
  hits: number,
  verdicts: readonly Verdict[],
): FaultOutcome {
  const found = verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  return {
    fault: name,
    says,
    violates,
    hits,
    found: [...new Set(found.map(({ requirement }) => requirement))],
    broken: found.flatMap(({ key, expectations }) =>
      expectations.filter(({ held }) => !held).map((finding) => expectationKey(key, finding.name)),
    ),
    blocked: verdicts.filter(({ verdict }) => verdict === 'blocked').length,
    errors: verdicts
      .filter(({ verdict }) => verdict === 'error')
      .map(({ key, reason }) => `${key}: ${reason?.split('\n')[0]}`),
  }
}

export const isKilled = ({ found }: FaultOutcome) => found.length > 0
export const isKilledForTheRightReason = ({ found, violates }: FaultOutcome) =>
  found.some((row) => violates.includes(row))
