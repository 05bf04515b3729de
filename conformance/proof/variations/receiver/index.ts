import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Exclusion } from '../variation.ts'
import { answers } from './answers.ts'
import { form } from './form.ts'
import { payloads } from './payloads.ts'
import { traffic } from './traffic.ts'
import type { ReceiverFactor } from './variation.ts'

/** All freedoms of a receiver of deliveries. Where several change one answer, a later one changes what an earlier one has made of it. */
export const factors: readonly ReceiverFactor[] = [...payloads, ...answers, ...traffic, ...form]

/** Pairs of levels that are not tried together. */
export const exclusions: readonly Exclusion[] = [
  {
    levels: ['deliveries with a wrong token: dropped', 'refusal of a wrong token: none'],
    reason: 'what is dropped is not refused',
  },
]

/** Open rows that have no levels, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {}
