import { isUndecided, type ExpectedFailure, type Outcome, type Verdict } from './verdict.ts'

/**
 * Whether a word is the id of a requirement, or the first parts of this id: `IMG-UPLOAD` for
 * `IMG-UPLOAD-04`.
 */
export const coversId = (word: string, id: string): boolean =>
  id === word || id.startsWith(`${word}-`)

/** The outcomes of a requirement that is not met. */
const unmet: readonly Outcome[] = ['fail', 'warn', 'known']

/** Applies the user's list of expected failures to verdicts. */
export class ExpectedFailures {
  readonly entries: readonly ExpectedFailure[]
  private readonly today: string
  private readonly isWhole: (entry: ExpectedFailure) => boolean

  /**
   * `today` is a day such as `2026-12-31`. `isWhole` returns whether the run has all checks of an
   * entry. If it does not, passing checks do not prove that the entry is stale.
   */
  constructor(
    entries: readonly ExpectedFailure[],
    {
      today,
      isWhole = () => true,
    }: { today: string; isWhole?: (entry: ExpectedFailure) => boolean },
  ) {
    this.entries = entries
    this.today = today
    this.isWhole = isWhole
  }

  /** The entry for a requirement: if there are several, the one with the longest id. */
  find(requirement: string): ExpectedFailure | undefined {
    return this.entries
      .filter(({ id }) => coversId(id, requirement))
      .toSorted((one, other) => other.id.length - one.id.length)[0]
  }

  isExpired({ until }: ExpectedFailure): boolean {
    return until !== undefined && until < this.today
  }

  /**
   * Marks a failure or a warning as `known` if it is expected. After the last day of its entry,
   * adds the entry but keeps the outcome.
   */
  mark(verdict: Verdict): Verdict {
    const entry = this.find(verdict.requirement)
    if (entry === undefined || !['fail', 'warn'].includes(verdict.verdict)) return verdict
    return {
      ...verdict,
      ...(this.isExpired(entry) ? {} : { verdict: 'known' as const }),
      expectedFailure: entry,
    }
  }

  /**
   * Marks all verdicts of a run:
   *
   * - a failure or warning as `mark` does;
   * - a passed check as `stale` if all checks of its entry pass;
   * - a blocked check as undecided if only a known failure blocks it. If the run does not report
   *   the check that blocks, the entry alone shows that its failure is known.
   */
  markAll(verdicts: readonly Verdict[]): Verdict[] {
    const marked = verdicts.map((verdict) => this.mark(verdict))
    const outdated = new Set(this.entries.filter((entry) => this.isOutdated(entry, marked)))
    const failed = requirementsWith('fail', marked)
    return marked.map((verdict) => {
      const { verdict: outcome, requirement, blockedBy, reasonCode } = verdict
      const entry = this.find(requirement)
      if (outcome === 'pass' && entry !== undefined && outdated.has(entry))
        return { ...verdict, verdict: 'stale', expectedFailure: entry }
      if (
        outcome === 'blocked' &&
        reasonCode !== 'root-held-alone' &&
        blockedBy !== undefined &&
        this.isKnown(blockedBy) &&
        !failed.has(blockedBy)
      )
        return { ...verdict, reasonCode: 'root-known' }
      return verdict
    })
  }

  /**
   * Returns the entries that may be out of date: in a run that has all their checks, some passed
   * and none failed, but others have no result, for example because a key is not set.
   */
  findDoubtful(verdicts: readonly Verdict[]): ExpectedFailure[] {
    return this.entries.filter((entry) => {
      const own = verdicts.filter(({ requirement }) => this.find(requirement) === entry)
      const has = (...outcomes: Outcome[]) => own.some(({ verdict }) => outcomes.includes(verdict))
      return (
        this.isWhole(entry) &&
        has('pass') &&
        !has(...unmet, 'error') &&
        !this.isOutdated(entry, own)
      )
    })
  }

  /** Whether a failure of this requirement is expected today. */
  private isKnown(requirement: string): boolean {
    const entry = this.find(requirement)
    return entry !== undefined && !this.isExpired(entry)
  }

  /** Whether a check of the entry passed, and no check of the entry failed or lacks a result. */
  private isOutdated(entry: ExpectedFailure, verdicts: readonly Verdict[]): boolean {
    const own = verdicts.filter(({ requirement }) => this.find(requirement) === entry)
    const isOpen = (verdict: Verdict) =>
      isUndecided(verdict) || ['blocked', 'error', ...unmet].includes(verdict.verdict)
    return this.isWhole(entry) && own.some(({ verdict }) => verdict === 'pass') && !own.some(isOpen)
  }
}

const requirementsWith = (outcome: Outcome, verdicts: readonly Verdict[]): Set<string> =>
  new Set(
    verdicts
      .filter(({ verdict }) => verdict === outcome)
      .map(({ requirement }) => requirement as string),
  )
