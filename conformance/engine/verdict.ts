import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Timing } from './timing.ts'

/** The possible outcomes of a check. README.md describes them. */
export const outcomes = [
  'fail',
  'error',
  'stale',
  'warn',
  'known',
  'pass',
  'observed',
  'blocked',
  'not covered',
  'not applicable',
] as const
export type Outcome = (typeof outcomes)[number]

/** The result of one expectation. All strings are one line each, for people. */
export interface Finding {
  name: string
  held: boolean
  expected: string
  received: string
  /** Number of the exchange that was examined, as in `ExchangeRecord.number`. */
  exchange?: number
  /** The transport of that exchange, if a target can have several. */
  transport?: string
}

/**
 * A request and its response as plain data, without secrets. Bodies are truncated strings, or
 * `null` if there was no body. A response over stdio, without HTTP, has the status 0.
 */
export interface ExchangeRecord {
  number: number
  operation: string
  request: { method: string; url: string; headers: Record<string, string>; body: string | null }
  response?: { status: number; headers: [string, string][]; body: string }
  /** Why there is no response, or why it is incomplete. */
  failure?: string
  /** A command line that repeats the request. Secrets are environment variables. */
  curl: string
  /** The file from which `curl` reads the body, if the command line cannot contain it. */
  bodyFile?: string
  /**
   * Whether `curl` alone can get the same response after the run: it needs no earlier request, and
   * no resource, session or server that ends with the run.
   */
  isSelfContained?: boolean
  milliseconds: number
}

/**
 * Codes for programs: why a check has no result. `Verdict.reason` says the same for people.
 *
 * Blocked:
 * - `root-failed`: another requirement is not met.
 * - `root-held-alone`: a step failed although the check of the requirement for this step passed.
 * - `root-known`: another requirement is not met, and the user expects that.
 * - `step-failed`: a step of the check itself failed.
 *
 * Not covered:
 * - `key-missing`: a key of the target file is not set.
 * - `key-helps`: the check found that a key would help.
 * - `rate-limited`: the target still returned 429 after long pauses.
 * - `unreachable`: the target refuses connections, or no longer responds.
 * - `no-message`: there was no message to examine.
 * - `no-occasion`: the check could not create the situation that it tests.
 * - `convention-failed`: the check is of the profile `mcp`, and depends on a requirement of the
 *   profile `conventions` that is not met.
 * - `cancelled`: the run was cancelled.
 *
 * Not applicable:
 * - `other-form`: the target has another form, such as another authentication pattern.
 * - `feature-absent`: the target does not have the optional feature.
 * - `declared-absent`: the target file declares that the target does not have the feature.
 */
export const reasonCodes = [
  'root-failed',
  'root-held-alone',
  'root-known',
  'step-failed',
  'key-missing',
  'key-helps',
  'rate-limited',
  'unreachable',
  'no-message',
  'no-occasion',
  'convention-failed',
  'cancelled',
  'other-form',
  'feature-absent',
  'declared-absent',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** A failure that the user knows of. */
export interface ExpectedFailure {
  /** A requirement (`IMG-UPLOAD-04`), or the first parts of the ids of several (`IMG-UPLOAD`). */
  readonly id: string
  /** Why the server fails, for people. */
  readonly reason: string
  /** The last day on which the failure is expected: `2026-12-31`; undefined if there is none. */
  readonly until?: string
}

/** The result of one check. */
export interface Verdict {
  key: string
  requirement: RequirementId
  title: string
  contract: string
  topic: string
  role: string
  level: string
  verdict: Outcome
  /** For `blocked`: the requirement whose check failed first. */
  blockedBy?: RequirementId
  /** For `not covered`: keys of the target file that the check needs. */
  needs?: string[]
  /**
   * An explanation, for `blocked`, `not covered`, `not applicable` and `error`. One line, except
   * for an error of the suite, which has its stack.
   */
  reason?: string
  /** The reason as a code, for `blocked`, `not covered` and `not applicable`. */
  reasonCode?: ReasonCode
  /** The user's entry: for `known`, for `stale`, and for a failure after the last day. */
  expectedFailure?: ExpectedFailure
  /** What the target does, for an open requirement. */
  observations?: string[]
  /**
   * The only difference between a refused request and one that succeeds, as a phrase: "only in the
   * value of the field `url`".
   */
  differs?: string
  expectations: Finding[]
  exchanges: ExchangeRecord[]
  /** For a watching check that is not met: keys of the checks that caused `exchanges`. */
  sentBy?: string[]
  /** How long the check ran, without the time in which it waited for a stage. */
  durationMs: number
  /** Undefined for watching checks and for checks that did not run. */
  timing?: Timing
}

export type Totals = Record<Outcome, number>

/** Counts verdicts by outcome. Every outcome has an entry. */
export function totalsOf(verdicts: Iterable<Pick<Verdict, 'verdict'>>): Totals {
  const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Totals
  for (const { verdict } of verdicts) totals[verdict] += 1
  return totals
}

/** Whether a check has no result, and the reason is not an unexpected failure of the target. */
export const isUndecided = ({
  verdict,
  reasonCode,
}: Pick<Verdict, 'verdict' | 'reasonCode'>): boolean =>
  verdict === 'not covered' ||
  (verdict === 'blocked' && (reasonCode === 'root-held-alone' || reasonCode === 'root-known'))

const reasonsInTarget: readonly (ReasonCode | undefined)[] = [
  'key-missing',
  'key-helps',
  'no-message',
  'no-occasion',
  // For example a hook whose URL has https, if the server refuses only such hooks.
  'root-held-alone',
]

/** Whether a check has no result, and the reason is the target itself, not the run. */
export const isUndecidedByTarget = (verdict: Pick<Verdict, 'verdict' | 'reasonCode'>): boolean =>
  isUndecided(verdict) && reasonsInTarget.includes(verdict.reasonCode)

/** The outcomes of checks that examined the target. */
const examinedOutcomes: readonly Outcome[] = ['pass', 'fail', 'warn', 'observed', 'known', 'stale']

/**
 * Why the target cannot be judged: it refuses connections, or it limits the rate of requests so
 * much that nothing was examined, or no check could run. Undefined if the target can be judged.
 */
export function reasonForNoResult(verdicts: readonly Verdict[]): string | undefined {
  const isExamined = verdicts.some(({ verdict }) => examinedOutcomes.includes(verdict))
  return (
    verdicts.find(
      ({ reasonCode }) =>
        reasonCode === 'unreachable' || (reasonCode === 'rate-limited' && !isExamined),
    )?.reason ?? (isExamined ? undefined : reasonForNoCheck(verdicts))
  )
}

/**
 * Why no check could run: the most frequent reason. Undefined if checks could run, or if a `must`
 * is blocked, because then the run names the requirement that is not met, or if a known failure
 * blocks checks.
 */
function reasonForNoCheck(verdicts: readonly Verdict[]): string | undefined {
  if (verdicts.some(({ verdict }) => verdict === 'error')) return undefined
  const blocked = verdicts.filter(({ verdict }) => verdict === 'blocked')
  if (blocked.length > 0)
    return blocked.some(({ level, reasonCode }) => level === 'must' || reasonCode === 'root-known')
      ? undefined
      : 'no check could run, because a basic operation does not work'
  const open = verdicts.filter(({ verdict }) => verdict === 'not covered')
  if (open.length === 0) return undefined
  const counts = new Map<string, number>()
  for (const { reason, reasonCode } of open)
    if (reasonCode !== 'key-missing' && reason !== undefined)
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return `nothing could be checked: ${most?.[0] ?? 'the target has too few keys'}`
}

/**
 * Exit status of a run. 3 has precedence over 1, and 1 over 2.
 *
 * - 0: conformant;
 * - 1: a `must` failed, or could not be checked because of a failure, or an expected failure is
 *   stale;
 * - 2, only if `strict`: a `must` was not covered, or was blocked although the check of the
 *   requirement that blocks it passed; but not if only a known failure blocks it;
 * - 3: an error of the suite, no verdict at all, a target that cannot be judged, or no check that
 *   could run.
 */
export function exitStatus(verdicts: readonly Verdict[], { strict = false } = {}): 0 | 1 | 2 | 3 {
  if (verdicts.length === 0 || verdicts.some(({ verdict }) => verdict === 'error')) return 3
  if (reasonForNoResult(verdicts) !== undefined) return 3
  if (
    verdicts.some(
      (verdict) =>
        verdict.verdict === 'fail' ||
        verdict.verdict === 'stale' ||
        (verdict.verdict === 'blocked' && verdict.level === 'must' && !isUndecided(verdict)),
    )
  )
    return 1
  if (strict && verdicts.some((verdict) => verdict.level === 'must' && isUncovered(verdict)))
    return 2
  return 0
}

/** Whether a check has no result, for another reason than a known failure. */
const isUncovered = (verdict: Verdict): boolean =>
  isUndecided(verdict) && verdict.reasonCode !== 'root-known'
