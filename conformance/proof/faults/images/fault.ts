import type { Around, Choices, Rules } from '../../../../mocks/stateful/images.ts'
import type { Fault as AnyFault, MutantFault as AnyMutantFault } from '../fault.ts'

/** How a faulty image service differs from the correct one. */
export interface Deviation {
  around?: Around
  rules?: Partial<Rules>
  choices?: Partial<Choices>
}

export type Fault = AnyFault<Deviation>
export type MutantFault = AnyMutantFault<Deviation>
