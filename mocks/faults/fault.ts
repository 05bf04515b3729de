import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Around, Choices, Rules } from '../stateful/images.ts'

/** How a faulty server differs from the correct one. */
export interface Deviation {
  around?: Around
  rules?: Partial<Rules>
  choices?: Partial<Choices>
}

/** A named deviation of the stateful image server that breaks a stated sentence. */
export interface Fault {
  /** Unique, in words with hyphens: `deleted-image-stays-readable`. */
  readonly name: string
  /** What the faulty server does, in one sentence. */
  readonly says: string
  /** The rows that it breaks: a check of one of them must fail. */
  readonly violates: readonly RequirementId[]
  /** `hit` must be called whenever the server really deviates: a fault that never came into play proves nothing. */
  make(hit: () => void): Deviation
}
