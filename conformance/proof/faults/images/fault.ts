import type {
  ImagesMiddleware,
  ImagesChoices,
  ImagesRules,
} from '../../../../mocks/stateful/images.ts'
import type { Fault, MutantFault } from '../fault.ts'

/** How a faulty image service differs from the correct one. */
export interface ImagesDeviation {
  around?: ImagesMiddleware
  rules?: Partial<ImagesRules>
  choices?: Partial<ImagesChoices>
}

export type ImagesFault = Fault<ImagesDeviation>
export type ImagesMutantFault = MutantFault<ImagesDeviation>
