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
 * Everything that the document leaves open to a hook service, as a server and as a sender. If
 * factors are combined, a later one receives the result of an earlier one.
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
    values: [
      'time of the response to a test call: after the receiver has responded',
      'timeout of the sender: ten seconds',
    ],
    reason:
      'a test call would wait ten seconds for a receiver that does not respond; the pair with a shorter timeout tests the same in less time',
  },
]
