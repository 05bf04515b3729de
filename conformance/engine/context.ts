import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Check } from './check.ts'
import type { Clock } from './clock.ts'
import type { Gate } from './gate.ts'
import type { Ledger, Message } from './ledger.ts'
import type { Stage } from './stages.ts'
import type { Verdict } from './verdict.ts'

/** What a contract's world is opened with, once for each check that plays. */
export interface Context<M extends Message> {
  readonly ledger: Ledger<M>
  readonly gate: Gate
  readonly clock: Clock
  /** Place in the plan: earlier checks send first. */
  readonly priority: number
  /** Aborts when the run is called off. */
  readonly signal: AbortSignal
  /** The row of the check that plays; undefined for what is made for several. */
  readonly requirement: RequirementId | undefined
  /** Whether the checks of a row hold. To be asked after something failed, of a row that the check builds on: it waits for their verdicts. */
  holds(requirement: RequirementId): Promise<boolean>
  /**
   * Waits until the run has come to a stage: until all others have ended or wait too. False where it was there already. Not for whoever holds up others:
   * what is made for several, a check that has a word, one of whose row others ask whether it `holds`.
   */
  turn(stage: Stage): Promise<boolean>
  /** Makes something once for the whole run. A failure to make it is everybody's. */
  shared<T>(name: string, make: (context: Context<M>) => Promise<T>): Promise<T>
}

export interface RunOptions<World, M extends Message> {
  /** Every check of the contract: those that are not selected still serve as roots and feed the watching ones. */
  checks: readonly Check<World, M>[]
  /** Which of them to report; all by default. */
  selected?: (check: Check<World, M>) => boolean
  /** Which checks play so that the watching ones have something to watch; all by default. */
  feeding?: (check: Check<World, M>) => boolean
  /** Paths of the target file that the check needs and the target does not give. */
  missing?: (check: Check<World, M>) => string[]
  /** Why a check has nothing to do with the form that the target has; undefined where it has. */
  excluded?: (check: Check<World, M>) => string | undefined
  open(context: Context<M>): World
  /** Tidies up after a check that has played. Neither verdicts nor stages wait for it, but it may wait for a stage. */
  leave?: (world: World) => Promise<void>
  gate: Gate
  clock: Clock
  signal?: AbortSignal
  /** Called with each message, the check that caused it, and the watching checks that examined it. */
  heard?: (key: string, message: M, watches: readonly string[]) => void
}

export interface Run {
  /** The keys of the checks that are reported, in the plan's order. */
  readonly keys: readonly string[]
  /** The verdict on one of them, as soon as it is known. */
  verdict(key: string): Promise<Verdict>
  /** All of them, in the plan's order. */
  readonly verdicts: Promise<Verdict[]>
}
