import type {
  ImagesMiddleware,
  ImagesOptions,
  ImagesChoices,
  ImagesRules,
} from '../../../../mocks/stateful/images.ts'
import type { Fault, MutantFault } from '../fault.ts'

/**
 * How a broken or conforming image service differs from the stateful mock: by a fault, which
 * violates a requirement, or by a variation, which does not.
 */
export interface ImagesDeviation {
  around?: ImagesMiddleware
  onUploadUrlRead?: NonNullable<ImagesOptions['onUploadUrlRead']>
  rules?: Partial<ImagesRules>
  choices?: Partial<ImagesChoices>
  /** The path of the API below the origin of its host. The target file names it. */
  basePath?: string
}

export type ImagesFault = Fault<ImagesDeviation>
export type ImagesMutantFault = MutantFault<ImagesDeviation>
