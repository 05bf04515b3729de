import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Exclusion } from '../variation.ts'
import { contents } from './contents.ts'
import { form } from './form.ts'
import { streams } from './streams.ts'
import type { GreetingFactor } from './variation.ts'

/** All freedoms of a greeting service. */
export const factors: readonly GreetingFactor[] = [...contents, ...streams, ...form]

/** Pairs of levels that are not tried together. */
export const exclusions: readonly Exclusion[] = [
  {
    levels: ['who names the service: reflection', 'reflection: none'],
    reason: 'nothing names the service then',
  },
]

/** Open rows that have no levels, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {
  'GRT-LIMIT-01':
    "how many calls the suite makes in a while is no legal server's affair: one that refuses some of them blocks the checks that make them, and fails none",
}
