import type { Fault, MutantFault } from './faults/fault.ts'
import type { AnyDeviation, Exclusion, Factor } from './variations/variation.ts'
import type { Contract, RequirementId } from '../../generated/requirements/index.ts'
import type { Message } from '../engine/index.ts'
import type { SuiteSettings } from '../target-file/index.ts'
import type { Target } from '../target.ts'
import { commonNullTargets, type NullTarget } from './null-targets/common.ts'

/** A started server. */
export interface Started {
  target: Omit<Target, 'suite'>
  /** Settings of the suite that this server needs. They are added to the settings of the proof. */
  suite?: Partial<SuiteSettings>
  close(): Promise<void>
}

/** Servers of one subject with known results: the reference, and deviations from it. */
export interface Family<D extends AnyDeviation = AnyDeviation> {
  readonly name: string
  /**
   * Set if another family of the same subject tests the checks of the other contracts. Then only
   * the checks of this contract judge the faults and variations of the family. Its reference must
   * still pass all checks.
   */
  readonly contract?: Contract
  /**
   * The choices of each reference server, if the family has several. Together, the references are
   * judged by every expectation.
   */
  readonly references?: readonly NonNullable<D['choices']>[]
  readonly faults: readonly Fault<D>[]
  readonly mutants: readonly MutantFault<D>[]
  /** The choices that the contract leaves to servers. */
  readonly factors: readonly Factor<D>[]
  readonly exclusions: readonly Exclusion[]
  /**
   * The door at which a message shows whether a requirement is met: the operation, event or
   * transport of the message. Undefined if it has no door. The catalogue must list each door at
   * which a watching check examines a requirement, and a fault must violate the requirement there.
   */
  doorOf?(message: Message, requirement: RequirementId): string | undefined
  /**
   * Null targets for the protocol of this family, in addition to the null targets of all families.
   */
  readonly nullTargets?: readonly NullTarget[]
  start(deviation: D, choices: NonNullable<D['choices']>): Promise<Started>
  /** A target with every key set, for a null target at this origin. */
  completeTarget(origin: string): Omit<Target, 'suite'>
}

/**
 * Defines a family, and erases the type of its deviations. This is safe, because a family passes
 * its deviations only to its own servers.
 */
export function defineFamily<D extends AnyDeviation>(family: Family<D>): Family {
  return family as unknown as Family
}

/** Returns all null targets of a family. */
export const nullTargetsOf = ({
  nullTargets = [],
}: Pick<Family, 'nullTargets'>): readonly NullTarget[] => [...commonNullTargets, ...nullTargets]
