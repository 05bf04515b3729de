import type { Need } from '../generated/requirements/index.ts'
import { subjects, type AnySection } from './checks/index.ts'
import { targetFile, type TargetOf, type TargetPathOf } from './target-file/index.ts'

/**
 * A target. Plain data unless code made it, because it is sent to the worker that runs the checks.
 */
export type Target = TargetOf<AnySection>

type Declared = TargetPathOf<AnySection>

/**
 * Every path of a target file that a check can need. Does not compile if the catalogue needs one
 * that no section declares.
 */
export type TargetPath<Catalogued extends Declared = Need> = Declared | Catalogued

/** The target file of all subjects. */
export const {
  keys,
  labelsOf,
  lacking,
  loadTarget,
  paths,
  identifyingKeys,
  publicTarget,
  describePath,
  nameNeeds,
  secretsOf,
  targetSchema,
} = targetFile<AnySection>(subjects.map(({ section }) => section))
