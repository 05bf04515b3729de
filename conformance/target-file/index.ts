/** Reads the target from a file, from options and from the environment. */
import { Keys, type DescribedKey } from './keys.ts'
import { load, type LoadOptions } from './load.ts'
import { findMissingKeys, valueAt } from './needs.ts'
import { schemaOf } from './schema.ts'
import { publicTarget, secretsOf } from './secrets.ts'
import type { PathOf, TargetSection, SectionOf } from './section.ts'
import { suiteSection, type SuitePath, type SuiteSettings } from './suite.ts'

export { absentPath, isWithin } from './absent.ts'
export { listMistakes, TargetError } from './error.ts'
export { locationOf } from './expected-entries.ts'
export { readExpectedFile, writeExpectedFile } from './expected-file.ts'
export { flagOf, sectionOf, shownFlagOf, type DescribedKey } from './keys.ts'
export { nearest } from './nearest.ts'
export { suggestIds } from './suggest-ids.ts'
export { suiteDefaults, type SuitePath, type SuiteSettings } from './suite.ts'

/**
 * A target, by its sections. If it comes from a file or options, it is plain data, and can be sent
 * to a worker. A target that code creates may contain functions in place of some groups of keys.
 */
export type TargetOf<S extends TargetSection> = {
  -readonly [N in S['name']]?: SectionOf<Extract<S, { name: N }>> | undefined
} & { suite: SuiteSettings }

/** Every path of a target file that a check can need. */
export type TargetPathOf<S extends TargetSection> =
  (S extends TargetSection ? PathOf<S> : never) | SuitePath

/** Makes functions that read target files with these sections and the section of the suite. */
export function targetFile<S extends TargetSection>(sections: readonly S[]) {
  const table = new Keys([...(sections as readonly TargetSection[]), suiteSection])
  type Target = TargetOf<S>
  return {
    /** Every key, in the order in which they are documented. */
    keys: table.all,
    /** Every path that a check can need. */
    paths: table.paths,
    /**
     * For each section, the keys that identify its server. A section needs only one of these keys.
     */
    identifyingKeys: sections.map(({ name, identifyingKeys }) =>
      identifyingKeys.map((key) => `${name}.${key}`),
    ),
    /** Describes a target, for the first line of a report. */
    labelsOf: (target: Target): string[] =>
      table.sections.flatMap(({ name, label }) => {
        const value = name === suiteSection.name ? undefined : valueAt(target, name)
        return value === undefined ? [] : [label(value as Record<string, unknown>)]
      }),
    /** The keys to set for a path that a check needs, with their descriptions. */
    describePath: (path: string): DescribedKey[] => table.describe(path),
    /** Describes what to set for paths that a check needs: "images.bulk and images.clock". */
    nameNeeds: (paths: readonly string[]): string => table.nameNeeds(paths),
    /**
     * Loads a target from a file, options and variables. Throws a `TargetError` that lists every
     * mistake with its location.
     */
    loadTarget: async (options: LoadOptions): Promise<Target> =>
      // The cast is safe: `load` validates each value by the declaration from which its type is
      // derived.
      (await load(table, options)) as Target,
    /**
     * Returns the needed paths (`images.batch`, `images.state`, …) for which the target has no
     * value.
     */
    findMissingKeys: (target: Target, needs: readonly string[]): string[] =>
      findMissingKeys(table, target, needs),
    /** The target's secrets, by the variables that replace them in reports. */
    secretsOf: (target: Target): Record<string, string | undefined> => secretsOf(table, target),
    /** The target for reports: secrets are replaced by their variables. */
    publicTarget: (target: Target): Target => publicTarget(table, target) as Target,
    /** The JSON Schema of the target file, with which editors complete and validate it. */
    targetSchema: () => schemaOf(table),
  }
}
