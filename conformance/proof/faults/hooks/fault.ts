import type { Around, Choices, Delivering, Rules } from '../../../../mocks/stateful/hooks.ts'
import type { Fault as AnyFault, MutantFault as AnyMutantFault } from '../fault.ts'

/** How a faulty hook service differs from the correct one. */
export interface Deviation {
  around?: Around
  delivering?: Delivering
  rules?: Partial<Rules>
  choices?: Partial<Choices>
}

export type Fault = AnyFault<Deviation>
export type MutantFault = AnyMutantFault<Deviation>
