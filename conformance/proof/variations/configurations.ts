import type { RequirementId } from '../../../generated/requirements/index.ts'
import { pairwiseCombinations } from './pairwise.ts'
import { combineLevels } from './combine-levels.ts'
import {
  combinableFactors,
  isDeviating,
  levelName,
  type AnyDeviation,
  type Exclusion,
  type Factor,
} from './variation.ts'

/** One conforming server: the reference with other levels of some factors. */
export interface Configuration<D extends AnyDeviation> {
  readonly choices?: D['choices']
  readonly deviation?: D
  /** Requirements of level `should` that it does not meet. */
  readonly unmet?: readonly RequirementId[]
}

/**
 * The indexes that define a configuration: one level of one factor, or a level of each combinable
 * factor.
 */
export type LevelChoice =
  { readonly factor: number; readonly level: number } | { readonly levels: readonly number[] }

/**
 * Lists the configurations of a family by name: every level alone except those of the reference,
 * then pairwise combinations. Configurations are data: the proof computes them once and sends them
 * to its workers, because to find the combinations takes longer than a trial.
 */
export function listConfigurations<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  exclusions: readonly Exclusion[],
): ReadonlyMap<string, LevelChoice> {
  const single = factors.flatMap((one, factor) =>
    one.levels.flatMap((level, index): [string, LevelChoice][] =>
      isDeviating(level) ? [[levelName(one, level), { factor, level: index }]] : [],
    ),
  )
  const combined = pairwiseCombinations(combinableFactors(factors), exclusions).map(
    (levels, index): [string, LevelChoice] => [`pairwise ${index + 1}`, { levels }],
  )
  return new Map([...single, ...combined])
}

/**
 * Lists the configurations of the quick proof: combinations that together contain every level, and
 * the levels that are not combined. Of the other configurations, one of `parts` parts is added.
 */
export function listQuickConfigurations<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  exclusions: readonly Exclusion[],
  { part, parts }: { part: number; parts: number },
): ReadonlyMap<string, LevelChoice> {
  const all = [...listConfigurations(factors, exclusions)]
  const combinable = combinableFactors(factors)
  const covered = new Set<string>()
  const needed = new Set<string>()
  for (const [name, choice] of all) {
    if (!('levels' in choice)) continue
    const levels = choice.levels.map((level, index) => {
      const factor = combinable[index]!
      return levelName(factor, factor.levels[level]!)
    })
    if (levels.some((level) => !covered.has(level))) needed.add(name)
    for (const level of levels) covered.add(level)
  }
  return new Map(
    all.filter(
      ([name, choice], index) =>
        ('levels' in choice ? needed.has(name) : !covered.has(name)) || index % parts === part,
    ),
  )
}

/** Builds the configuration of a choice. */
export function buildConfiguration<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  choice: LevelChoice,
): Configuration<D> {
  if ('levels' in choice) {
    const combined = combinableFactors(factors)
    return combineLevels(choice.levels.map((level, factor) => combined[factor]!.levels[level]!))
  }
  return combineLevels([factors[choice.factor]!.levels[choice.level]!])
}
