import type { Need } from '../generated/requirements/index.ts'
import { subjects, type AnySection } from './checks/index.ts'
import { targetFile, type TargetOf, type TargetPathOf } from './target-file/index.ts'

/**
 * A target. If it comes from a file or options, it is plain data, and can be sent to a worker. If
 * code creates it, it may contain functions in place of some groups of keys.
 */
export type Target = TargetOf<AnySection>

type Declared = TargetPathOf<AnySection>

/**
 * Every path of a target file that a check can need. Does not compile if a requirement needs a path
 * that no section declares.
 */
export type TargetPath<Catalogued extends Declared = Need> = Declared | Catalogued

/** The functions and data for target files with the sections of all subjects. */
export const {
  keys,
  labelsOf,
  findMissingKeys,
  loadTarget,
  paths,
  identifyingKeys,
  publicTarget,
  describePath,
  nameNeeds,
  secretsOf,
  targetSchema,
} = targetFile<AnySection>(subjects.map(({ section }) => section))
