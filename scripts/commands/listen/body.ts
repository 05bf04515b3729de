import type { Delivery } from '../../../conformance/wire/index.ts'
import type { DeliveryBody } from '../deliveries/judge.ts'

/** Returns the body of a delivery as parsed JSON, or why it is not JSON. */
export function bodyOf(delivery: Delivery): DeliveryBody {
  const { json, failure, body } = delivery
  if (failure !== undefined) return { broken: failure }
  if (json !== undefined) return { value: json }
  return {
    broken: body.length === 0 ? 'an empty body' : JSON.stringify(body.subarray(0, 120).toString()),
  }
}
