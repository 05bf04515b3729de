import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Check } from './check.ts'
import type { Clock } from './clock.ts'
import type { Gate } from './gate.ts'
import type { Ledger, Message } from './ledger.ts'
import type { Random } from './random.ts'
import type { Stage } from './stages.ts'
import type { Verdict } from './verdict.ts'

/** What the world of one acting check is made of. */
export interface Context<M extends Message> {
  readonly ledger: Ledger<M>
  readonly gate: Gate
  readonly clock: Clock
  /** Depends only on the seed of the run, and on the check or shared value. */
  readonly random: Random
  /** Requests of the check with the lowest number are sent first. */
  readonly priority: number
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal
  /** The requirement of the check; undefined for values that several checks share. */
  readonly requirement: RequirementId | undefined
  /**
   * Whether a requirement that the check depends on is met. Call it only after something failed,
   * because it waits for the verdicts of that requirement's checks. A requirement whose check waits
   * for the caller counts as met: the caller then judges what failed.
   */
  isMet(requirement: RequirementId): Promise<boolean>
  /**
   * Waits until the run reaches a stage, that is, until all other checks have ended or wait as
   * well. Returns false if the run had already reached it. Rejects for a shared value and for a
   * check that holds a lock. A check whose requirement other checks pass to `isMet` must not call
   * it, because those would wait forever.
   */
  waitForStage(stage: Stage): Promise<boolean>
  /**
   * Runs work while no other work with this lock runs. If the check has a lock as well, it must
   * have another name.
   */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>
  /**
   * Returns a value that is made once in a run, or again if an exchange was interrupted. If making
   * it fails, it fails for every check that uses it.
   */
  shared<T>(name: string, make: (context: Context<M>) => Promise<T>): Promise<T>
}

/**
 * Receives a message with the key of the check that caused it, or undefined for a shared value, and
 * by watching check that examined the message, whether it met all expectations.
 */
export type OnMessage<M extends Message> = (
  key: string | undefined,
  message: M,
  examined: ReadonlyMap<string, boolean>,
) => void

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
  /**
   * Returns the text that names what to set in the target file for the needed keys; by default,
   * their paths.
   */
  nameNeeds?: (keys: readonly string[]) => string
  /** Why a check does not apply to this form of target; undefined if it applies. */
  inapplicable?: (check: Check<World, M>) => string | undefined
  openWorld(context: Context<M>): World
  /**
   * Cleans up after a check. Stages do not wait for it, but it can wait for a stage. Verdicts wait
   * for it only to find the cause of a block.
   */
  cleanUp?: (world: World) => Promise<void>
  gate: Gate
  clock: Clock
  /** Values that checks choose at random depend on it. */
  seed: number
  signal?: AbortSignal
  /** Called with each message that was sent or received. */
  onMessage?: OnMessage<M>
}

export interface Run {
  /** The keys of the reported checks, in the order of the plan. */
  readonly keys: readonly string[]
  /** Resolves with the verdict of the check with this key, as soon as it is known. */
  verdict(key: string): Promise<Verdict>
  /** All verdicts, in the order of the plan. */
  readonly verdicts: Promise<Verdict[]>
  /** Resolves when all checks have a verdict and have cleaned up. */
  readonly end: Promise<void>
}
