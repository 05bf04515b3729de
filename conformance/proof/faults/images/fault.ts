import type {
  ImagesMiddleware,
  ImagesChoices,
  ImagesRules,
} from '../../../../mocks/stateful/images.ts'
import type { Fault, MutantFault } from '../fault.ts'

/** How an image service differs from the reference, as a fault or as a variation. */
export interface ImagesDeviation {
  around?: ImagesMiddleware
  rules?: Partial<ImagesRules>
  choices?: Partial<ImagesChoices>
}

export type ImagesFault = Fault<ImagesDeviation>
export type ImagesMutantFault = MutantFault<ImagesDeviation>
