import { isUtf8 } from 'node:buffer'
import type { Event } from '../../../generated/events/contract.ts'
import { judgeConforming, type JudgedDelivery } from '../deliveries/judge.ts'

/**
 * Returns the verdict of a conforming payload, or undefined if the bytes must be examined further.
 * Decoding UTF-8 takes as long as parsing, so this decodes Latin-1. The verdict is the same,
 * because no schema counts characters. If the result is undefined, the caller decodes the bytes
 * again, as UTF-8.
 */
export function judgeQuickly(
  bytes: Buffer,
  from: number,
  to: number,
  event: Event | undefined,
): JudgedDelivery | undefined {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('latin1', from, to))
  } catch {
    return undefined
  }
  const judged = judgeConforming(value, event)
  return judged !== undefined && isUtf8(bytes.subarray(from, to)) ? judged : undefined
}
