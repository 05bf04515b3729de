import type { Fault, MutantFault } from './faults/fault.ts'
import type { AnyDeviation, Exclusion, Factor } from './variations/variation.ts'
import type { Contract, RequirementId } from '../../generated/requirements/index.ts'
import type { SuiteSettings } from '../target-file/index.ts'
import type { Target } from '../target.ts'
import { nullTargets, type NullTarget } from './null-targets/common.ts'

/** What a server is started as: the reference, but for its deviation. */
interface Started {
  target: Omit<Target, 'suite'>
  /** What such a server needs the suite to be, beside the proof's own settings. */
  suite?: Partial<SuiteSettings>
  close(): Promise<void>
}

/** The servers of one subject of which the truth is known: the reference and what deviates from it. */
export interface Family<D extends AnyDeviation = AnyDeviation> {
  readonly name: string
  /**
   * The contract whose checks judge its servers, where these are those of another family but for that contract: the rest of the checks is proven there. The
   * reference meets them all.
   */
  readonly contract?: Contract
  /** What its references choose, where there is more than one: each is correct, and together they meet every expectation. */
  readonly references?: readonly NonNullable<D['choices']>[]
  readonly faults: readonly Fault<D>[]
  readonly mutants: readonly MutantFault<D>[]
  /** What its conforming servers may choose. */
  readonly factors: readonly Factor<D>[]
  readonly exclusions: readonly Exclusion[]
  /** Open rows without a variation, each with the reason. */
  readonly withoutVariations: Readonly<Partial<Record<RequirementId, string>>>
  /** Null targets of its protocol, beside those that every family has. */
  readonly nulls?: readonly NullTarget[]
  start(deviation: D, choices: NonNullable<D['choices']>): Promise<Started>
  /** The target that gives everything, at an address where nothing of it is true. */
  nullTarget(origin: string): Omit<Target, 'suite'>
}

interface Parts<D extends AnyDeviation> extends Omit<Family<D>, 'withoutVariations'> {
  readonly withoutLevels: Readonly<Partial<Record<RequirementId, string>>>
}

/** Puts a family together, and forgets how its servers deviate: each family hands its deviations to its own servers only. */
export function family<D extends AnyDeviation>({ withoutLevels, ...parts }: Parts<D>): Family {
  return { ...parts, withoutVariations: withoutLevels } as unknown as Family
}

/** All null targets of a family. */
export const nullsOf = ({ nulls = [] }: Pick<Family, 'nulls'>): readonly NullTarget[] => [
  ...nullTargets,
  ...nulls,
]
