import type { Around, Choices, Rules } from '../../../../mocks/stateful/receiver.ts'
import type { Fault as AnyFault } from '../fault.ts'

/** How a faulty receiver differs from the correct one. */
export interface Deviation {
  around?: Around
  rules?: Partial<Rules>
  choices?: Partial<Choices>
}

export type Fault = AnyFault<Deviation>
