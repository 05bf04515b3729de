import type { BlindOutcome } from './jobs.ts'

/** What the suite found about a blind implementation. */
export interface BlindRecord {
  /** The figures of the first meeting. They never change. */
  readonly first: BlindFigures
  /** The violations that the suite finds, each with a few requirements whose checks found it. */
  readonly caught: Readonly<Record<string, readonly string[]>>
  /** The choices that the suite fails or warns about, each with a few requirements. */
  readonly failed: Readonly<Record<string, readonly string[]>>
}

export interface BlindFigures {
  readonly choices: number
  /** Choices that a check failed, warned about, or could not judge. */
  readonly failed: number
  readonly violations: number
  readonly caught: number
}

/** So many requirements are recorded for a switch. */
const mostRequirements = 3

/** The content of blind/record.json: one record for each blind implementation. */
export type BlindRecords = Readonly<Record<string, BlindRecord>>

/** The records after a run of the whole proof. An implementation that is new is met first now. */
export function updateRecords(
  records: BlindRecords,
  outcomes: readonly BlindOutcome[],
): BlindRecords {
  const names = [...new Set(outcomes.map(({ family }) => family))]
  return Object.fromEntries(
    names.map((name) => {
      const own = outcomes.filter(({ family }) => family === name)
      const found = (kind: BlindOutcome['switchKind']) =>
        Object.fromEntries(
          own
            .filter(
              ({ switchKind, requirements }) => switchKind === kind && requirements.length > 0,
            )
            .map((outcome) => [outcome.name, outcome.requirements.slice(0, mostRequirements)]),
        )
      const [caught, failed] = [found('violation'), found('choice')]
      const first = records[name]?.first ?? blindFigures(own)
      return [name, { first, caught, failed }]
    }),
  )
}

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

/** Whether an outcome is worse than the record: a choice fails, or a violation is not found. */
export function isWorse(
  records: BlindRecords,
  { family, name, ...outcome }: BlindOutcome,
): boolean {
  const { caught = {}, failed = {} } = records[family] ?? {}
  return outcome.switchKind === 'choice'
    ? outcome.requirements.length > 0 && !(name in failed)
    : outcome.requirements.length === 0 && name in caught
}

/** One line for each outcome that is worse than the record. */
export const listWorse = (records: BlindRecords, outcomes: readonly BlindOutcome[]): string[] =>
  outcomes
    .filter((outcome) => isWorse(records, outcome))
    .map(({ family, name, switchKind, details }) =>
      switchKind === 'choice'
        ? `blind ${family}: a choice fails: ${name}: ${details.join('; ')}`
        : `blind ${family}: a violation is no longer found: ${name}`,
    )
