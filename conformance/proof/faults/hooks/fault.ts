import type {
  HooksMiddleware,
  HooksChoices,
  BeforeDelivery,
  HooksRules,
} from '../../../../mocks/stateful/hooks.ts'
import type { Fault, MutantFault } from '../fault.ts'

/** How a hook service differs from the stateful mock: a fault, or a variation that conforms. */
export interface HooksDeviation {
  around?: HooksMiddleware
  beforeDelivery?: BeforeDelivery
  rules?: Partial<HooksRules>
  choices?: Partial<HooksChoices>
  /** The path of the base URL. */
  basePath?: string
}

export type HooksFault = Fault<HooksDeviation>
export type HooksMutantFault = MutantFault<HooksDeviation>
