import type {
  ReceiverMiddleware,
  ReceiverChoices,
  ReceiverRules,
} from '../../../../mocks/stateful/receiver.ts'
import type { Fault } from '../fault.ts'

/** How a receiver differs from the stateful mock: a fault, or a variation that conforms. */
export interface ReceiverDeviation {
  around?: ReceiverMiddleware
  rules?: Partial<ReceiverRules>
  choices?: Partial<ReceiverChoices>
}

export type ReceiverFault = Fault<ReceiverDeviation>
