import type { Exclusion } from '../variation.ts'
import { responses } from './responses.ts'
import { form } from './form.ts'
import { payloads } from './payloads.ts'
import { traffic } from './traffic.ts'
import type { ReceiverFactor } from './variation.ts'

/**
 * Everything that the document leaves open to a receiver. If several factors change the same reply,
 * a later one receives the result of an earlier one.
 */
export const factors: readonly ReceiverFactor[] = [...payloads, ...responses, ...traffic, ...form]

/** Pairs of values that are not tried together. */
export const exclusions: readonly Exclusion[] = [
  {
    values: ['deliveries with a wrong token: dropped', 'refusal of a wrong token: no response'],
    reason: 'a delivery that is dropped is not refused',
  },
]
