import { isUtf8 } from 'node:buffer'
import type { Event } from '../../../generated/events/contract.ts'
import { judgeConforming, type JudgedDelivery } from '../deliveries/judge.ts'

/**
 * The verdict of bytes that are a payload without a fault; undefined where they have to be looked at more closely. Reading UTF-8 as text takes as long as
 * parsing it, so each byte is taken for a letter here. What keeps a contract in this way keeps it as text too, since no schema counts letters; what does
 * not is read once more.
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
