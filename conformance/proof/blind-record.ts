import type { BlindOutcome } from './jobs.ts'

/**
 * What the suite found about a blind implementation: a server by an author who read only the
 * document and did not know the suite. The implementation has switches. Each switch turns on one
 * choice that the author considers allowed, or one violation.
 */
export interface BlindRecord {
  /** The figures of the first run against the implementation. They never change. */
  readonly first: BlindFigures
  /**
   * The violations that the suite finds. Each key is the name of a switch, and its value lists a
   * few requirements whose checks found the violation.
   */
  readonly caught: Readonly<Record<string, readonly string[]>>
  /**
   * The choices that a check failed, warned about, or could not judge. Each key is the name of a
   * switch, and its value lists a few requirements of these checks.
   */
  readonly failed: Readonly<Record<string, readonly string[]>>
}

export interface BlindFigures {
  readonly choices: number
  /** Choices that a check failed, warned about, or could not judge. */
  readonly failed: number
  readonly violations: number
  readonly caught: number
}

/** The maximum number of requirements that are recorded for a switch. */
const maxRequirements = 3

/** The content of blind/record.json: one record for each blind implementation. */
export type BlindRecords = Readonly<Record<string, BlindRecord>>

/**
 * The records after a run. The first figures of a new implementation are those of this run. An
 * implementation or a switch that was not judged keeps its record.
 */
export function updateRecords(
  records: BlindRecords,
  outcomes: readonly BlindOutcome[],
): BlindRecords {
  const names = [...new Set(outcomes.map(({ implementation }) => implementation))]
  return {
    ...records,
    ...Object.fromEntries(
      names.map((name) => {
        const own = outcomes.filter(({ implementation }) => implementation === name)
        const { first = blindFigures(own), caught = {}, failed = {} } = records[name] ?? {}
        const judged = new Set(own.map((outcome) => outcome.name))
        const kept = (known: BlindRecord['caught']) =>
          Object.entries(known).filter(([switchName]) => !judged.has(switchName))
        return [
          name,
          {
            first,
            caught: Object.fromEntries([...kept(caught), ...foundOf(own, 'violation')]),
            failed: Object.fromEntries([...kept(failed), ...foundOf(own, 'choice')]),
          },
        ]
      }),
    ),
  }
}

/**
 * The switches of one kind that the suite noticed, each with a few requirements whose checks
 * noticed it.
 */
const foundOf = (
  outcomes: readonly BlindOutcome[],
  kind: BlindOutcome['switchKind'],
): [string, readonly string[]][] =>
  outcomes
    .filter(({ switchKind, requirements }) => switchKind === kind && requirements.length > 0)
    .map(({ name, requirements }) => [name, requirements.slice(0, maxRequirements)])

/** Counts the outcomes of one implementation. */
export function blindFigures(outcomes: readonly BlindOutcome[]): BlindFigures {
  const ofKind = (kind: BlindOutcome['switchKind']) =>
    outcomes.filter(({ switchKind }) => switchKind === kind)
  const found = (list: readonly BlindOutcome[]) =>
    list.filter(({ requirements }) => requirements.length > 0).length
  const [choices, violations] = [ofKind('choice'), ofKind('violation')]
  return {
    choices: choices.length,
    failed: found(choices),
    violations: violations.length,
    caught: found(violations),
  }
}

/**
 * Whether an outcome is worse than the record: a choice fails that does not fail in the record, or
 * a violation of the record is no longer found. An implementation without a record is never worse.
 */
export function isWorse(
  records: BlindRecords,
  { implementation, name, ...outcome }: BlindOutcome,
): boolean {
  const record = records[implementation]
  if (record === undefined) return false
  const { caught, failed } = record
  return outcome.switchKind === 'choice'
    ? outcome.requirements.length > 0 && !(name in failed)
    : outcome.requirements.length === 0 && name in caught
}

/** One line for each outcome that is worse than the record. */
export const listWorse = (records: BlindRecords, outcomes: readonly BlindOutcome[]): string[] =>
  outcomes
    .filter((outcome) => isWorse(records, outcome))
    .map(({ implementation, name, switchKind, details }) =>
      switchKind === 'choice'
        ? `blind ${implementation}: a choice fails: ${name}: ${details.join('; ')}`
        : `blind ${implementation}: a violation is no longer found: ${name}`,
    )

/** Describes what the suite found about a switch, on one line. */
export function describeOutcome({
  implementation,
  name,
  switchKind,
  requirements,
  details,
}: BlindOutcome): string {
  const found = details.length > 0 ? details.join('; ') : requirements.join(' ')
  return `blind ${implementation}: ${switchKind} ${name}: ${found || 'nothing found'}`
}

/**
 * One line for each implementation: how many of its violations were found, and how many of its
 * choices failed.
 */
export function summarizeBlind(outcomes: readonly BlindOutcome[]): string[] {
  return [...new Set(outcomes.map(({ implementation }) => implementation))].map((name) => {
    const own = outcomes.filter(({ implementation }) => implementation === name)
    const { choices, failed, violations, caught } = blindFigures(own)
    return `blind ${name}: ${caught} of ${violations} violations found, ${failed} of ${choices} choices failed`
  })
}
