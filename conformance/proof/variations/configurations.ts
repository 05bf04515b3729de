import type { RequirementId } from '../../../generated/requirements/index.ts'
import { pairwiseCombinations } from './pairwise.ts'
import { combineValues } from './combine-values.ts'
import {
  combinableFactors,
  isDeviating,
  factorValueName,
  type AnyDeviation,
  type Exclusion,
  type Factor,
} from './variation.ts'

/** One conforming server: the reference with other values of some factors. */
export interface Configuration<D extends AnyDeviation> {
  readonly choices?: D['choices']
  readonly deviation?: D
  /** Requirements of level `should` that the server does not meet. */
  readonly unmet?: readonly RequirementId[]
}

/**
 * The indexes that define a configuration: one value of one factor, or a value of each combinable
 * factor.
 */
export type ValueChoice =
  { readonly factor: number; readonly value: number } | { readonly values: readonly number[] }

/**
 * Lists the configurations of a family by name. Each of the first configurations has one value that
 * differs from the reference. The others are pairwise combinations. Finding these takes longer than
 * a trial, so the proof computes all configurations once and sends them to its workers. They are
 * therefore plain data.
 */
export function listConfigurations<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  exclusions: readonly Exclusion[],
): ReadonlyMap<string, ValueChoice> {
  const single = factors.flatMap((one, factor) =>
    one.values.flatMap((value, index): [string, ValueChoice][] =>
      isDeviating(value) ? [[factorValueName(one, value), { factor, value: index }]] : [],
    ),
  )
  const combined = pairwiseCombinations(combinableFactors(factors), exclusions).map(
    (values, index): [string, ValueChoice] => [`pairwise ${index + 1}`, { values }],
  )
  return new Map([...single, ...combined])
}

/**
 * The quick proof tries a quarter of the values that cannot be combined, another quarter each day.
 * Each of them needs a whole run.
 */
const uncombinedParts = 4

/**
 * Lists fewer configurations: combinations that together contain every combinable value, and the
 * configurations with one other value. With `quick`, only a quarter of the latter, and in addition
 * one of `parts` parts of the remaining configurations.
 */
export function listFewConfigurations<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  exclusions: readonly Exclusion[],
  quick?: { part: number; parts: number },
): ReadonlyMap<string, ValueChoice> {
  const all = [...listConfigurations(factors, exclusions)]
  const combinable = combinableFactors(factors)
  const covered = new Set<string>()
  const needed = new Set<string>()
  for (const [name, choice] of all) {
    if (!('values' in choice)) continue
    const values = choice.values.map((value, index) => {
      const factor = combinable[index]!
      return factorValueName(factor, factor.values[value]!)
    })
    if (values.some((value) => !covered.has(value))) needed.add(name)
    for (const value of values) covered.add(value)
  }
  const isNeeded = (name: string, choice: ValueChoice, index: number) =>
    'values' in choice
      ? needed.has(name)
      : !covered.has(name) &&
        (quick === undefined || index % uncombinedParts === quick.part % uncombinedParts)
  return new Map(
    all.filter(
      ([name, choice], index) =>
        isNeeded(name, choice, index) ||
        (quick !== undefined && index % quick.parts === quick.part),
    ),
  )
}

/** Builds the configuration that the indexes in `choice` define. */
export function buildConfiguration<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
  choice: ValueChoice,
): Configuration<D> {
  if ('values' in choice) {
    const combined = combinableFactors(factors)
    return combineValues(choice.values.map((value, factor) => combined[factor]!.values[value]!))
  }
  return combineValues([factors[choice.factor]!.values[choice.value]!])
}
