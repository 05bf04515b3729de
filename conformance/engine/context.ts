import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Check } from './check.ts'
import type { Clock } from './clock.ts'
import type { Gate } from './gate.ts'
import type { Ledger, Message } from './ledger.ts'
import type { Random } from './random.ts'
import type { Stage } from './stages.ts'
import type { Verdict } from './verdict.ts'

/** The parts of the engine from which a world (the operations of an acting check) is made. */
export interface Context<M extends Message> {
  readonly ledger: Ledger<M>
  readonly gate: Gate
  readonly clock: Clock
  /** Depends only on the seed of the run and the name of the check or shared value. */
  readonly random: Random
  /** The priority of the check's requests. Requests with a lower number are sent first. */
  readonly priority: number
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal
  /** The requirement of the check; undefined for values that several checks share. */
  readonly requirement: RequirementId | undefined
  /**
   * Returns whether a requirement that the check depends on is met. Waits for the checks of that
   * requirement, so call this only after a failure. If one of those checks waits for the caller,
   * returns true, and the caller must judge the failure itself.
   */
  isMet(requirement: RequirementId): Promise<boolean>
  /**
   * Waits until the run reaches a stage: until all other checks have ended or wait as well. Returns
   * false if the run had already reached the stage. Rejects if a shared value or a check with a
   * lock calls it. Do not call it in a check whose requirement other checks pass to `isMet`: those
   * checks would wait forever.
   */
  waitForStage(stage: Stage): Promise<boolean>
  /**
   * Runs work while no other work with this lock runs. If the check itself is declared with a lock,
   * the two locks must have different names.
   */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>
  /**
   * Returns the value with this name. It is made by the first call and shared by all checks of the
   * run. It is made again only if one of the exchanges that made it was interrupted. If making the
   * value fails, the call rejects in every check that uses the value.
   */
  shared<T>(name: string, make: (context: Context<M>) => Promise<T>): Promise<T>
}

/**
 * Receives a message. `key` is the key of the check that caused the message; if a shared value
 * caused it, that of the first check, in the order of `RunOptions.checks`, that used the value.
 * `examined` has an entry for each watching check that examined the message: the key of that check,
 * and whether the message met all its expectations.
 */
export type OnMessage<M extends Message> = (
  key: string,
  message: M,
  examined: ReadonlyMap<string, boolean>,
) => void

export interface RunOptions<World, M extends Message> {
  /**
   * Every check of the contract. A check that is not selected still runs if a selected check
   * depends on its requirement, or if it causes messages for a selected watching check.
   */
  checks: readonly Check<World, M>[]
  /** Which checks to report; by default all. */
  selected?: (check: Check<World, M>) => boolean
  /** Which checks run to cause messages for the watching checks; by default all. */
  mayCauseMessages?: (check: Check<World, M>) => boolean
  /** Keys of the target file that the check needs and that are not set. */
  missing?: (check: Check<World, M>) => string[]
  /**
   * Describes these keys of the target file, for people who must set them; by default, lists them.
   */
  nameNeeds?: (keys: readonly string[]) => string
  /** Why a check does not apply to this form of target; undefined if it applies. */
  inapplicable?: (check: Check<World, M>) => string | undefined
  openWorld(context: Context<M>): World
  /**
   * Cleans up after a check. A stage opens without waiting for cleanups, but a cleanup can wait for
   * a stage. Only the search for the first cause of a block waits for all cleanups.
   */
  cleanUp?: (world: World) => Promise<void>
  gate: Gate
  clock: Clock
  /** The random values that checks choose depend on this seed. */
  seed: number
  signal?: AbortSignal
  /** Called with each message that was sent or received. */
  onMessage?: OnMessage<M>
  /**
   * Called once for each selected watching check that fails, as soon as it has examined a message
   * that shows this. Its verdict follows at the end of the run, and can contain more messages.
   */
  onFailing?: (verdict: Verdict) => void
  /** Whether the verdicts of passed checks also contain exchanges; by default they do not. */
  keepsAllExchanges?: boolean
}

export interface Run {
  /** The keys of the reported checks, in the order of `RunOptions.checks`. */
  readonly keys: readonly string[]
  /** Resolves with the verdict of the check with this key, as soon as it is known. */
  verdict(key: string): Promise<Verdict>
  /** All verdicts, in the order of `keys`. */
  readonly verdicts: Promise<Verdict[]>
  /** Resolves when all checks have a verdict and have cleaned up. */
  readonly end: Promise<void>
}
