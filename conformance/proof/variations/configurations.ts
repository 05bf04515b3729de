import type { RequirementId } from '../../../generated/requirements/index.ts'
import { pairwise } from './pairwise.ts'
import { together } from './together.ts'
import {
  combinable,
  deviates,
  nameOf,
  type AnyDeviation,
  type Exclusion,
  type Factor,
} from './variation.ts'

/** One legal server: the reference with what the documents leave open chosen differently. */
export interface Configuration<D extends AnyDeviation> {
  readonly choices?: D['choices']
  readonly deviation?: D
  /** Rows of level `should` that it leaves unkept. */
  readonly warns?: readonly RequirementId[]
}

/** What a configuration chooses: a level of one factor, or a level of each factor that is combined. */
export type LevelChoice =
  { readonly factor: number; readonly level: number } | { readonly row: readonly number[] }

/**
 * The configurations of a family, by name: every level alone, but for the reference's own; then the
 * levels in pairwise combination. Choices are data: the proof computes them once and hands them to
 * its workers, since the combinations take longer than a trial.
 */
export function configurationsOf<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  exclusions: readonly Exclusion[],
): ReadonlyMap<string, LevelChoice> {
  const alone = factors.flatMap((one, factor) =>
    one.levels.flatMap((level, at): [string, LevelChoice][] =>
      deviates(level) ? [[nameOf(one, level), { factor, level: at }]] : [],
    ),
  )
  const combined = pairwise(combinable(factors), exclusions).map(
    (row, at): [string, LevelChoice] => [`pairwise ${at + 1}`, { row }],
  )
  return new Map([...alone, ...combined])
}

/** The server with these choices. */
export function configurationOf<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  choice: LevelChoice,
): Configuration<D> {
  if ('row' in choice) {
    const combined = combinable(factors)
    return together(choice.row.map((level, factor) => combined[factor]!.levels[level]!))
  }
  return together([factors[choice.factor]!.levels[choice.level]!])
}
