import type { EventName } from '../../../../mocks/deliveries/events.ts'
import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import {
  defaultRules,
  failure,
  type HooksCall,
  type HooksOperation,
  type OutgoingDelivery,
  type Reply,
  type HooksRules,
} from '../../../../mocks/stateful/hooks.ts'
import { isObject, type JsonObject as Json } from '../../../../mocks/stateful/http/body.ts'
import { newKit, type Hit } from '../../../../mocks/kit/kit.ts'
import { faultFactory } from '../fault.ts'
import type { HooksDeviation, HooksFault } from './fault.ts'

// Building blocks for faults of the hook service, in addition to those of `newKit`.

export { isObject }
type Make = HooksFault['make']

export const fault = faultFactory<HooksDeviation>()

export const { onReply, onRequest, replaceRules } = newKit<
  HooksCall,
  Reply,
  HooksRules,
  HooksOperation
>(defaultRules, ({ operation }, where) => operation === where)

/**
 * Replaces the fields of a creation before they are validated. `change` returns the new fields, or
 * throws a refusal.
 */
export function onFields(change: (fields: Json, hit: Hit, call: HooksCall) => Json): Make {
  return onRequest((call, next, hit) => {
    const readFields = call.fields.bind(call)
    let read: Promise<Json> | undefined
    call.fields = () => (read ??= readFields().then((fields) => change(fields, hit, call)))
    return next()
  }, 'createHook')
}

/**
 * Replaces deliveries with those that `change` returns. If `change` returns undefined, nothing is
 * sent.
 */
export function onMessage(
  change: (delivery: OutgoingDelivery) => OutgoingDelivery | undefined,
  where: (delivery: OutgoingDelivery) => boolean = () => true,
): Make {
  return (hit) => ({
    beforeDelivery: (delivery) => {
      if (!where(delivery)) return delivery
      hit()
      return change(delivery)
    },
  })
}

/** Changes payloads of some events in place. `change` returns false if it changed nothing. */
export const changePayload = (
  events: readonly EventName[],
  name: string,
  description: string,
  violates: HooksFault['violates'],
  change: (payload: Payload) => unknown,
): HooksFault =>
  fault(name, description, violates, (hit) => ({
    beforeDelivery: (delivery) => {
      if (events.includes(delivery.event) && change(delivery.body) !== false) hit()
      return delivery
    },
  }))

/** Sends one sample payload of an event, which `change` changes in place. */
export const changeExample = (
  event: EventName,
  example: string,
  name: string,
  description: string,
  violates: HooksFault['violates'],
  change: (payload: Payload) => void,
): HooksFault =>
  fault(name, description, violates, (hit) => ({
    choices: { examples: { [event]: example } },
    beforeDelivery: (delivery) => {
      if (delivery.event === event) {
        change(delivery.body)
        hit()
      }
      return delivery
    },
  }))

/** Makes a fault: carries out an operation, but returns this status instead of a success. */
export function failWith(
  where: HooksOperation,
  status: number,
  when: (call: HooksCall) => boolean | Promise<boolean> = () => true,
): Make {
  return onReply(
    async ({ status: reply }, call) =>
      reply >= 300 || !(await when(call))
        ? undefined
        : failure(call.server.choices, status, 'Something went wrong'),
    where,
  )
}

/** Returns a copy of the delivery with this header instead of others with the same name. */
export function withHeader(
  delivery: OutgoingDelivery,
  name: string,
  value: string,
): OutgoingDelivery {
  const { headers } = withoutHeader(delivery, name)
  return { ...delivery, headers: [...headers, [name, value]] }
}

export function withoutHeader(delivery: OutgoingDelivery, name: string): OutgoingDelivery {
  return {
    ...delivery,
    headers: delivery.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase()),
  }
}

export function headerOf({ headers }: OutgoingDelivery, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}
