import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Deviation } from '../faults/fault.ts'
import type { Choices } from '../stateful/images.ts'
import { exclusions, factors, withoutLevels } from './images/index.ts'
import { pairwise, together } from './pairwise.ts'
import { combinable, deviates, nameOf } from './variation.ts'

/** One legal server: the reference with what the documents leave open chosen differently. */
export interface Configuration {
  /** Unique, in words. */
  readonly name: string
  readonly choices?: Partial<Choices>
  readonly deviation?: Deviation
  /** Rows of level `should` that it leaves unkept. */
  readonly warns?: readonly RequirementId[]
}

const combined = combinable(factors)

/** Every level alone, but for the reference's own; then the levels in pairwise combination. */
export const configurations: readonly Configuration[] = [
  ...factors.flatMap((factor) => factor.levels.filter(deviates).map((level) => ({ name: nameOf(factor, level), ...together([level]) }))),
  ...pairwise(combined, exclusions).map((row, at) => ({ name: `pairwise ${at + 1}`, ...together(row.map((level, factor) => combined[factor]!.levels[level]!)) })),
]

/** The open rows that have no variation, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = withoutLevels
