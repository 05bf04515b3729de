import type { Delivery } from '../../../conformance/wire/index.ts'
import type { DeliveryBody } from '../deliveries/judge.ts'

/** The body of a delivery: JSON, or why it is none. */
export function bodyOf(delivery: Delivery): DeliveryBody {
  const { json, failure, body } = delivery
  if (failure !== undefined) return { broken: failure }
  if (json !== undefined) return { value: json }
  return {
    broken: body.length === 0 ? 'an empty body' : JSON.stringify(body.subarray(0, 120).toString()),
  }
}
