import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Exclusion } from '../variation.ts'
import { contents } from './contents.ts'
import { form } from './form.ts'
import { streams } from './streams.ts'
import type { GreetingFactor } from './variation.ts'

/** All factors of the greeting service. */
export const factors: readonly GreetingFactor[] = [...contents, ...streams, ...form]

/** Pairs of values that are not combined. */
export const exclusions: readonly Exclusion[] = [
  {
    values: ['source of the service name: reflection', 'reflection: none'],
    reason: 'then nothing names the service',
  },
]

/** Open requirements without values, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {
  'GRT-LIMIT-01': 'a server that refuses some calls of the suite fails no check, but blocks some',
}
