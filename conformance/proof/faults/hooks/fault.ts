import type {
  HooksMiddleware,
  HooksChoices,
  BeforeDelivery,
  HooksRules,
} from '../../../../mocks/stateful/hooks.ts'
import type { Fault, MutantFault } from '../fault.ts'

/** How a hook service differs from the reference: broken, or a variation. */
export interface HooksDeviation {
  around?: HooksMiddleware
  beforeDelivery?: BeforeDelivery
  rules?: Partial<HooksRules>
  choices?: Partial<HooksChoices>
}

export type HooksFault = Fault<HooksDeviation>
export type HooksMutantFault = MutantFault<HooksDeviation>
