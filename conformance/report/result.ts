import type { Totals, Verdict } from '../engine/index.ts'

/** A check that the run is going to judge. */
interface Plan {
  key: string
  requirement: string
  contract: string
  topic: string
}

/** What is known before the first verdict. */
export interface Head {
  suite: { name: string; version: string }
  /** What is judged, without secrets. */
  target: unknown
  /** What is judged, in a few words. */
  targetName: string
  startedAt: string
  strict: boolean
  planned: readonly Plan[]
  /** A command line that judges one requirement again. */
  repeat(requirement: string): string
  /** What giving a path of the target file means, for people. */
  says(path: string): string | undefined
}

export type ExitStatus = 0 | 1 | 2 | 3 | 130

/** What is known at the end. */
export interface Result extends Head {
  durationMs: number
  totals: Totals
  /** In the plan's order. */
  verdicts: readonly Verdict[]
  /** What the suite made and could not delete. */
  left: readonly string[]
  /** What went wrong with the suite outside of every check. */
  crashes: readonly string[]
  exit: ExitStatus
}

/** Something that turns a run into output. */
export interface Reporter {
  start?(head: Head): void
  /** Called as verdicts come, in no particular order. */
  verdict?(verdict: Verdict): void
  /** Returns the files that it wrote. */
  end?(result: Result, files: readonly string[]): string[] | void
}
