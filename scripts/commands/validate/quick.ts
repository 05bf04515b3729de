import { isUtf8 } from 'node:buffer'
import type { Event } from '../../../generated/events/contract.ts'
import { judgeConforming, type JudgedDelivery } from '../deliveries/judge.ts'

/**
 * Returns the verdict of a conforming payload; undefined if the bytes must be examined further.
 * Decoding UTF-8 costs as much as parsing, so the bytes are decoded as Latin-1. The verdict is the
 * same, because no schema counts characters. The caller decodes the bytes again, as UTF-8, if the
 * result is undefined.
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
