import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Check } from './check.ts'
import type { Clock } from './clock.ts'
import type { Gate } from './gate.ts'
import type { Ledger, Message } from './ledger.ts'
import type { Stage } from './stages.ts'
import type { Verdict } from './verdict.ts'

/** What the world of one acting check is made of. */
export interface Context<M extends Message> {
  readonly ledger: Ledger<M>
  readonly gate: Gate
  readonly clock: Clock
  /** Position in the plan: a check with a lower number sends first. */
  readonly priority: number
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal
  /** The requirement of the check; undefined for values that several checks share. */
  readonly requirement: RequirementId | undefined
  /**
   * Whether a requirement that the check depends on is met. It waits for the verdicts of that
   * requirement's checks: ask only after something failed.
   */
  isMet(requirement: RequirementId): Promise<boolean>
  /**
   * Waits until the run reaches a stage, that is, until all other checks have ended or wait as
   * well. Returns false if the run was there already. Others would wait forever if this were called
   * by a shared value, by a check that holds a lock, or by a check whose requirement others ask
   * about.
   */
  waitForStage(stage: Stage): Promise<boolean>
  /**
   * Returns a value that is made once in a run. If making it fails, it fails for every check that
   * uses it.
   */
  shared<T>(name: string, make: (context: Context<M>) => Promise<T>): Promise<T>
}

export interface RunOptions<World, M extends Message> {
  /**
   * Every check of the contract. Those that are not selected still serve as roots, and cause
   * messages for the watching checks.
   */
  checks: readonly Check<World, M>[]
  /** Which checks to report; by default all. */
  selected?: (check: Check<World, M>) => boolean
  /** Which checks run to cause messages for the watching checks; by default all. */
  mayCauseMessages?: (check: Check<World, M>) => boolean
  /** Keys of the target file that the check needs and that are not set. */
  missing?: (check: Check<World, M>) => string[]
  /** Names what to set in the target file for needed keys; by default the keys. */
  nameNeeds?: (keys: readonly string[]) => string
  /** Why a check does not apply to this form of target; undefined if it applies. */
  inapplicable?: (check: Check<World, M>) => string | undefined
  openWorld(context: Context<M>): World
  /**
   * Cleans up after a check. Neither verdicts nor stages wait for it, but it may wait for a stage.
   */
  cleanUp?: (world: World) => Promise<void>
  gate: Gate
  clock: Clock
  signal?: AbortSignal
  /**
   * Called with each message, the check that caused it, and the watching checks that examined it.
   */
  onMessage?: (key: string, message: M, watches: readonly string[]) => void
}

export interface Run {
  /** The keys of the reported checks, in the order of the plan. */
  readonly keys: readonly string[]
  /** The verdict of one of them, as soon as it is known. */
  verdict(key: string): Promise<Verdict>
  /** All verdicts, in the order of the plan. */
  readonly verdicts: Promise<Verdict[]>
}
