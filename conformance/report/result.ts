import type { ReasonCode, Totals, Verdict } from '../engine/index.ts'
import type { Repeat } from './explanation.ts'

/** A check that the run is going to judge. */
interface PlannedCheck {
  key: string
  requirement: string
  contract: string
  topic: string
  /** Keys of the target file that the check needs. */
  needs?: readonly string[]
}

/** A check of an earlier run that had no good result. */
export interface EarlierFailure {
  readonly key: string
  readonly verdict: Verdict['verdict']
  readonly sentBy?: readonly string[]
}

/** What is known before the first verdict. */
export interface Head {
  suite: { name: string; version: string }
  /** The target, without secrets. */
  target: unknown
  /** A short description of the target. */
  targetName: string
  startedAt: string
  strict: boolean
  /** The seed of the values that the suite chose at random. */
  seed: number
  planned: readonly PlannedCheck[]
  /** Returns a command line that repeats a check. */
  repeat: Repeat
  /**
   * Returns the keys of the target file that a user has to set for a check that needs `path`, with
   * their descriptions. `path` is a key, or a group of keys such as `images.batch`.
   */
  describePath(path: string): readonly { readonly name: string; readonly description: string }[]
  /**
   * Returns one phrase that names the keys which a user has to set for a check that needs `paths`
   * (keys or groups of keys).
   */
  nameNeeds(paths: readonly string[]): string
  /** Whether the key or group `path` is set in the target file, or has a default. */
  isSet(path: string): boolean
  /** The file that contains the list of known failures: a file of its entries, or the target. */
  expectedList?: { readonly file: string; readonly isInTarget: boolean } | undefined
  /** The options that selected the checks, such as `--only IMG-GET`, without --skip. */
  selected?: readonly string[]
  /** The words that were passed to --skip. */
  skipped?: readonly string[]
  /** Reads the failures in the report that this run overwrites. Called once, at the end. */
  readEarlierFailures?(): readonly EarlierFailure[]
  /** Whether the verdicts of passed checks contain exchanges too. */
  keepsAllExchanges?: boolean
  /**
   * The folder of the report, if the exchanges are written there. Relative if it is below the
   * working directory.
   */
  exchangesFolder?: string | undefined
}

export type ExitStatus = 0 | 1 | 2 | 3 | 130

/** What is known at the end. */
export interface Result extends Head {
  durationMs: number
  totals: Totals
  /** In the order of the plan. */
  verdicts: readonly Verdict[]
  /** What the suite created on the server and could not delete. */
  left: readonly string[]
  /** Lines of YAML that are suggested for the target file, derived from the target's responses. */
  proposals: readonly string[]
  /** The versions of MCP that a tool server and the suite agreed on. */
  protocolVersions?: readonly string[]
  /** The entries of `suite.absent` without any effect. */
  unusedAbsent?: readonly string[]
  /** Errors of the suite outside of all checks. */
  crashes: readonly string[]
  exit: ExitStatus
  /** The key of the check whose failure ended the run, because of --bail. */
  firstFailure?: string | undefined
  /** The failures of earlier runs whose checks did not run again. */
  earlierFailures?: readonly EarlierFailure[]
}

/** Why a check can have no result although nothing about the server or the target file changed. */
const passingReasons: readonly (ReasonCode | undefined)[] = [
  'cancelled',
  'unreachable',
  'rate-limited',
]

/**
 * Returns the failures of earlier runs that this run did not judge again: their checks were not
 * selected, or have no result because the run ended early or could not reach the server.
 */
export function unrepeatedFailures(
  earlierFailures: readonly EarlierFailure[],
  verdicts: readonly Verdict[],
): readonly EarlierFailure[] {
  const judged = new Set(
    verdicts.filter(({ reasonCode }) => !passingReasons.includes(reasonCode)).map(({ key }) => key),
  )
  return earlierFailures.filter(({ key }) => !judged.has(key))
}

/** Turns a run into output. */
export interface Reporter {
  start?(head: Head): void
  /** Called with the number of requests so far, whenever one is sent. */
  exchange?(total: number): void
  /** Called when the user cancels the run. Verdicts can still arrive. */
  cancel?(): void
  /** Called with each verdict as it arrives, in any order. */
  verdict?(verdict: Verdict): void
  /**
   * Returns the paths of the files that this reporter wrote. `files` lists the files that other
   * reporters wrote.
   */
  end?(result: Result, files: readonly string[]): string[] | void
}
