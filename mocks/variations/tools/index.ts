import type { RequirementId } from '../../../generated/requirements/index.ts'
import type { Exclusion } from '../variation.ts'
import { input } from './input.ts'
import { results } from './results.ts'
import type { Factor } from './variation.ts'

/** All freedoms of a tool server. */
export const factors: readonly Factor[] = [...input, ...results]

/** Pairs of levels that are not tried together. */
export const exclusions: readonly Exclusion[] = []

/** Open rows that have no levels, each with the reason. */
export const withoutLevels: Readonly<Partial<Record<RequirementId, string>>> = {}
