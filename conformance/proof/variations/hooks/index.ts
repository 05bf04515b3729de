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

/**
 * All freedoms of a hook service, as a server and as a sender. In combinations, a later factor
 * receives the result of an earlier one.
 */
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

/** Pairs of values that are not tried together. */
export const exclusions: readonly Exclusion[] = [
  {
    values: ['when a test call returns: after the receiver', 'timeout of the sender: ten seconds'],
    reason:
      'the suite would wait twice for a receiver that does not respond, and a shorter timeout only saves time',
  },
]
