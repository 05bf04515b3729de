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
  /** Unique, in words. */
  readonly name: string
  readonly choices?: D['choices']
  readonly deviation?: D
  /** Rows of level `should` that it leaves unkept. */
  readonly warns?: readonly RequirementId[]
}

/** Every level alone, but for the reference's own; then the levels in pairwise combination. */
export function configurationsOf<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  exclusions: readonly Exclusion[],
): readonly Configuration<D>[] {
  const combined = combinable(factors)
  return [
    ...factors.flatMap((factor) =>
      factor.levels
        .filter(deviates)
        .map((level) => ({ name: nameOf(factor, level), ...together([level]) })),
    ),
    ...pairwise(combined, exclusions).map((row, at) => ({
      name: `pairwise ${at + 1}`,
      ...together(row.map((level, factor) => combined[factor]!.levels[level]!)),
    })),
  ]
}
