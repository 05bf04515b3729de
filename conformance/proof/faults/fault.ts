import type { RequirementId } from '../../../generated/requirements/index.ts'
import type { Hit, Make } from '../../../mocks/kit/kit.ts'

/** A named deviation of a correct server that breaks a stated sentence. `Deviation` is how such a server can differ. */
export interface Fault<Deviation> {
  /** Unique, in words with hyphens: `deleted-image-stays-readable`. */
  readonly name: string
  /** What the faulty server does, in one sentence. */
  readonly says: string
  /** The rows that it breaks: a check of one of them must fail. */
  readonly violates: readonly RequirementId[]
  /** `hit` must be called whenever the server really deviates: a fault that never came into play proves nothing. */
  make(hit: Hit): Deviation
}

/** Makes faults of one family, whose servers deviate so. */
export const faultOf =
  <Deviation>() =>
  (
    name: string,
    says: string,
    violates: readonly RequirementId[],
    make: Make<Deviation>,
  ): Fault<Deviation> => ({ name, says, violates, make })

/** A fault that is derived from a contract: it changes every message of one kind. */
export interface MutantFault<Deviation> extends Fault<Deviation> {
  /** The kind of message: an operation and its outcome, an event. */
  readonly kind: string
}
