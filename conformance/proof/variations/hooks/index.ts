import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Exclusion } from '../variation.ts'
import { contents } from './contents.ts'
import { creation } from './creation.ts'
import { failures } from './failures.ts'
import { form } from './form.ts'
import { lenient } from './lenient.ts'
import { lenientDeliveries } from './lenient-deliveries.ts'
import { payloads } from './payloads.ts'
import { records } from './records.ts'
import { refusals } from './refusals.ts'
import { sending } from './sending.ts'
import { tests } from './tests.ts'
import type { HooksFactor } from './variation.ts'

/** All freedoms of a hook service, as a server and as a sender. In combinations, what comes later changes what earlier levels left. */
export const factors: readonly HooksFactor[] = [
  ...creation,
  ...records,
  ...tests,
  ...refusals,
  ...lenient,
  ...payloads,
  ...contents,
  ...lenientDeliveries,
  ...sending,
  ...failures,
  ...form,
]

/** Pairs of levels that are not tried together. */
export const exclusions: readonly Exclusion[] = [
  {
    levels: [
      'when a test call is answered: after the receiver',
      'the patience of the sender: ten seconds',
    ],
    reason:
      'a receiver that keeps silent is waited for twice then, and nothing but time is lost with less patience',
  },
]

/** Open rows that have no levels, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {
  'HOOK-AUTH-07': 'the suite has one token, and judges no right that it might lack',
  'HOOK-VERSION-02': 'an API does not change while a run lasts',
}
