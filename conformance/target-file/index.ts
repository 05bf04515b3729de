/** The target: what is judged, read from a file, from flags and from the environment. */
import { Keys } from './keys.ts'
import { load, type LoadOptions } from './load.ts'
import { lacking, valueAt } from './needs.ts'
import { schemaOf } from './schema.ts'
import { publicTarget, secretsOf } from './secrets.ts'
import type { PathOf, TargetSection, SectionOf } from './section.ts'
import { suiteSection, type SuitePath, type SuiteSettings } from './suite.ts'

export { TargetError } from './error.ts'
export { flagOf } from './keys.ts'
export { nearest } from './nearest.ts'
export type { SuitePath, SuiteSettings } from './suite.ts'

/** What is judged, by the sections that there are. Mostly plain data: it travels to the worker in which the checks run. */
export type TargetOf<S extends TargetSection> = {
  -readonly [N in S['name']]?: SectionOf<Extract<S, { name: N }>> | undefined
} & { suite: SuiteSettings }

/** Every path of a target file that a check can need. */
export type TargetPathOf<S extends TargetSection> =
  (S extends TargetSection ? PathOf<S> : never) | SuitePath

/** Reads target files with these sections, and that of the suite. */
export function targetFile<S extends TargetSection>(sections: readonly S[]) {
  const table = new Keys([...(sections as readonly TargetSection[]), suiteSection])
  type Target = TargetOf<S>
  return {
    /** Every key, in the order in which they are explained to people. */
    keys: table.all,
    /** Every path that a check can need. */
    paths: table.paths,
    /** The keys that name what is judged, by section: one of these is enough. */
    places: sections.map(({ name, places }) => places.map((key) => `${name}.${key}`)),
    /** What a target names, for the first line of a report. */
    labelsOf: (target: Target): string[] =>
      table.sections.flatMap(({ name, label }) => {
        const value = name === suiteSection.name ? undefined : valueAt(target, name)
        return value === undefined ? [] : [label(value as Record<string, unknown>)]
      }),
    /** What giving a path of the target file means, for people. */
    saysOf: (path: string): string | undefined => table.saysOf(path),
    /** Puts a target together from a file, flags and variables. Throws a `TargetError` that names every mistake with its place. */
    loadTarget: async (options: LoadOptions): Promise<Target> =>
      // Kinds have been checked: what is read and its type derive from the same declarations.
      (await load(table, options)) as Target,
    /** Which of the needed paths (`images.batch`, `images.state`, …) the target does not give. */
    lacking: (target: Target, needs: readonly string[]): string[] => lacking(table, target, needs),
    /** The target's secrets, each under the variable that stands for it in reports. */
    secretsOf: (target: Target): Record<string, string | undefined> => secretsOf(table, target),
    /** The target as a report may show it: secrets are written as the variables that hold them. */
    publicTarget: (target: Target): Target => publicTarget(table, target) as Target,
    /** The target file's JSON Schema. Editors complete and check the file with it. */
    targetSchema: () => schemaOf(table),
  }
}
