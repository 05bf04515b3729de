import type { RequirementId } from '../../../generated/requirements/index.ts'
import type { Hit, DeviationFactory } from '../../../mocks/kit/kit.ts'

/** A deviation that breaks requirements. `Deviation` is how a server of the family can differ. */
export interface Fault<Deviation> {
  /** Unique, words with hyphens: `deleted-image-stays-readable`. */
  readonly name: string
  /** What the broken server does, in one sentence: "Returns 200 to a request without a token." */
  readonly description: string
  /** The requirements that it breaks. A check of one of them must fail. */
  readonly violates: readonly RequirementId[]
  /**
   * Makes the deviation, which calls `hit` whenever the server deviates. A fault without hits
   * proves nothing.
   */
  make(hit: Hit): Deviation
}

/** Returns the function that makes faults with this kind of deviation. */
export const faultFactory =
  <Deviation>() =>
  (
    name: string,
    description: string,
    violates: readonly RequirementId[],
    make: DeviationFactory<Deviation>,
  ): Fault<Deviation> => ({ name, description, violates, make })

/** A fault that is generated from a contract. It changes every message of one kind. */
export interface MutantFault<Deviation> extends Fault<Deviation> {
  /** The kind of message: an operation with its outcome, or an event. */
  readonly messageKind: string
}
