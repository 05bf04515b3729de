import { subjects, type AnySection } from './checks/index.ts'
import { targetFile, type TargetOf, type TargetPathOf } from './target-file/index.ts'

/** What is judged. Plain data, unless code made it: it travels to the worker in which the checks run. */
export type Target = TargetOf<AnySection>

/** Every path of a target file that a check can need. */
export type TargetPath = TargetPathOf<AnySection>

/** The target file of all subjects. */
export const { keys, lacking, loadTarget, publicTarget, saysOf, secretsOf, targetSchema } =
  targetFile<AnySection>(subjects.map(({ section }) => section))
