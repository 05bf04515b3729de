import type {
  ReceiverMiddleware,
  ReceiverChoices,
  ReceiverRules,
} from '../../../../mocks/stateful/receiver.ts'
import type { Fault } from '../fault.ts'

/** How a broken receiver differs from the reference. */
export interface ReceiverDeviation {
  around?: ReceiverMiddleware
  rules?: Partial<ReceiverRules>
  choices?: Partial<ReceiverChoices>
}

export type ReceiverFault = Fault<ReceiverDeviation>
