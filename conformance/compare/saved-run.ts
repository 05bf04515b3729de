import { requirements } from '../../generated/requirements/index.ts'
import { isUndecided, type Outcome, type Verdict } from '../engine/index.ts'
import type { ExitStatus } from '../report/result.ts'

/** The parts of a report.json that a comparison needs. */
export interface SavedRun {
  /** The name of the run in output: the name that the user passed, or the path of its file. */
  name: string
  suite: { name: string; version: string }
  startedAt: string
  strict: boolean
  exit: ExitStatus
  /** The options that selected the checks, without --skip. */
  selected?: readonly string[]
  /** The words that were passed to --skip. */
  skipped?: readonly string[]
  verdicts: readonly Verdict[]
  /** Why there is no report. The other fields are then empty, and `exit` is 3. */
  problem?: string
}

/** Whether a run has no result for the whole target, because it was cancelled or had an error. */
export const hasNoResult = ({ exit }: Pick<SavedRun, 'exit'>): boolean => exit === 3 || exit === 130

/** The options that selected the checks of a run, as on the command line. Empty for all checks. */
export const selectionOf = ({
  selected = [],
  skipped = [],
}: Pick<SavedRun, 'selected' | 'skipped'>): string =>
  [...selected, ...skipped.toSorted().map((word) => `--skip ${word}`)].join(' ')

/**
 * Whether two runs may have selected different checks. What `--failed` selects depends on an
 * earlier report.
 */
export function haveDifferentSelections(one: SavedRun, other: SavedRun): boolean {
  const selection = selectionOf(one)
  return selection !== selectionOf(other) || selection.includes('--failed')
}

/** The contracts of a run, in the order of its verdicts. */
export const contractsOf = ({ verdicts }: Pick<SavedRun, 'verdicts'>): string[] => [
  ...new Set(verdicts.map(({ contract }) => contract)),
]

/**
 * What a verdict means for the target. Checks that a failure blocks are `failing`, because
 * `touchstone test` exits with 1 for them. Checks without a result are `undecided`.
 */
export type State =
  'failing' | 'warning' | 'met' | 'known' | 'stale' | 'undecided' | 'not applicable' | 'error'

const states: Readonly<Record<Outcome, State>> = {
  fail: 'failing',
  warn: 'warning',
  pass: 'met',
  observed: 'met',
  known: 'known',
  stale: 'stale',
  blocked: 'undecided',
  'not covered': 'undecided',
  'not applicable': 'not applicable',
  error: 'error',
}

export const stateOf = (verdict: Verdict): State =>
  verdict.verdict === 'blocked' && verdict.level === 'must' && !isUndecided(verdict)
    ? 'failing'
    : states[verdict.verdict]

const positions = new Map(Object.keys(requirements).map((id, position) => [id, position]))

/** The position of a requirement in the catalogue. Requirements of other versions come last. */
export const positionOf = (requirement: string): number =>
  positions.get(requirement) ?? positions.size

/** The statement of a requirement. Undefined if this version does not have the requirement. */
export const statementOf = (requirement: string): string | undefined =>
  (requirements as Partial<Record<string, { statement: string }>>)[requirement]?.statement
