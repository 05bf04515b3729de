import type { RequirementId } from '../../generated/requirements/index.ts'

/** What a check can come to. README.md › Judge your server says what each one means. */
export const outcomes = [
  'fail',
  'error',
  'warn',
  'pass',
  'observed',
  'blocked',
  'not covered',
  'not applicable',
] as const
export type Outcome = (typeof outcomes)[number]

/** One thing that was expected of one message, and what was found. Texts are for people, one line each. */
export interface Finding {
  name: string
  held: boolean
  expected: string
  received: string
  /** Number of the exchange that was examined, as in `ExchangeRecord.number`. */
  exchange?: number
}

/**
 * A request and what came back, as plain data without secrets. Bodies are text, cut at a bound, `null` where there was none. A response that came over no HTTP
 * has the status 0: lines of a subprocess.
 */
export interface ExchangeRecord {
  number: number
  operation: string
  request: { method: string; url: string; headers: Record<string, string>; body: string | null }
  response?: { status: number; headers: [string, string][]; body: string }
  /** Why there is no response, or why it broke off. */
  failure?: string
  /** A command line that repeats the request; secrets are variables of the environment. */
  curl: string
  /** The file that `curl` reads the body from, where the line has no room for it. */
  bodyFile?: string
  milliseconds: number
}

/**
 * Why a check was not judged, for code; `reason` says it to people.
 *
 * Blocked: `root-failed` another requirement did not hold; `root-held-alone` it held when it was tried again; `step-failed` the check met the failure itself;
 * `rate-limited` the target answered 429 again and again.
 *
 * Not covered: `key-missing` the target file lacks a key; `key-helps` the check found that a key would help; `no-message` nothing to examine came;
 * `no-occasion` the condition could not be brought about; `called-off` the run ended early.
 *
 * Not applicable: `other-form` the target declares another form; `feature-absent` an optional feature that it was seen not to have.
 */
export const reasonCodes = [
  'root-failed',
  'root-held-alone',
  'step-failed',
  'rate-limited',
  'key-missing',
  'key-helps',
  'no-message',
  'no-occasion',
  'called-off',
  'other-form',
  'feature-absent',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** The judgement of one check on one target. */
export interface Verdict {
  key: string
  requirement: RequirementId
  title: string
  contract: string
  topic: string
  role: string
  level: string
  verdict: Outcome
  /** The requirement whose check failed first, for `blocked`. */
  blockedBy?: RequirementId
  /** Paths of the target file that would unlock the check, for `not covered`. */
  needs?: string[]
  /** One line of explanation for every verdict but `pass` and `fail`. */
  reason?: string
  /** The same as a code, for `blocked`, `not covered` and `not applicable`. */
  reasonCode?: ReasonCode
  /** What the target does where the document is silent. */
  observations?: string[]
  /** The only factor in which a refused request differs from one that succeeds, as a phrase. */
  differs?: string
  expectations: Finding[]
  exchanges: ExchangeRecord[]
  durationMs: number
}

export type Totals = Record<Outcome, number>

/** Counts verdicts by outcome; every outcome has an entry. */
export function totalsOf(verdicts: Iterable<Pick<Verdict, 'verdict'>>): Totals {
  const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Totals
  for (const { verdict } of verdicts) totals[verdict] += 1
  return totals
}

/**
 * Exit status of a run: 0 conformant, 1 a violation or a `must` that a failure hides, 2 with `strict` where a `must` was not covered,
 * 3 an error of the suite. 3 goes before 1, 1 before 2.
 */
export function exitStatus(verdicts: readonly Verdict[], { strict = false } = {}): 0 | 1 | 2 | 3 {
  if (verdicts.length === 0 || verdicts.some(({ verdict }) => verdict === 'error')) return 3
  if (
    verdicts.some(
      ({ verdict, level }) => verdict === 'fail' || (verdict === 'blocked' && level === 'must'),
    )
  )
    return 1
  if (
    strict &&
    verdicts.some(({ verdict, level }) => verdict === 'not covered' && level === 'must')
  )
    return 2
  return 0
}
