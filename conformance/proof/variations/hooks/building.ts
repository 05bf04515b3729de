import type { EventName } from '../../../../mocks/deliveries/events.ts'
import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import type {
  HooksMiddleware,
  HooksCall,
  HooksOperation,
  OutgoingDelivery,
  Reply,
} from '../../../../mocks/stateful/hooks.ts'
import { isObject, type JsonObject as Json } from '../../../../mocks/stateful/http/body.ts'
import type { HooksDeviation } from '../../faults/hooks/fault.ts'

// What the levels that `HooksChoices` has no word for are built from.

export { isObject, type Json }

/** Stands around one operation and lets all others be. */
export function at(operation: HooksOperation, act: HooksMiddleware): HooksDeviation {
  return { around: (call, next) => (call.operation === operation ? act(call, next) : next()) }
}

/** Changes every answer. */
export function replies(change: (reply: Reply) => Reply): HooksDeviation {
  return { around: (_call, next) => next().then(change) }
}

/** A page in place of JSON. */
export const page = (status: number, words: string): Reply => ({
  status,
  raw: `<html><p>${words}</p></html>`,
  headers: { 'Content-Type': 'text/html' },
})

/** Changes what a successful call answers. */
export function successes(
  operation: HooksOperation,
  change: (reply: Reply, call: HooksCall) => Reply | Promise<Reply>,
): HooksDeviation {
  return at(operation, async (call, next) => {
    const reply = await next()
    return reply.status >= 200 && reply.status < 300 ? change(reply, call) : reply
  })
}

/** Changes the record that answers a creation, wherever it stands. */
export function records(change: (record: Json) => unknown): HooksDeviation {
  return successes('createHook', (reply) => {
    const { body } = reply
    if (!isObject(body)) return reply
    return {
      ...reply,
      body: isObject(body['hook']) ? { hook: change(body['hook']) } : change(body),
    }
  })
}

/** Changes the fields of a creation before they are judged. */
export function reads(change: (fields: Json) => Json): HooksDeviation {
  return at('createHook', (call, next) => {
    const right = call.fields.bind(call)
    let read: Promise<Json> | undefined
    call.fields = () => (read ??= right().then(change))
    return next()
  })
}

/** Changes every delivery. */
export function deliveries(
  change: (delivery: OutgoingDelivery) => OutgoingDelivery | undefined | Promise<OutgoingDelivery>,
): HooksDeviation {
  return { beforeDelivery: change }
}

/** Changes every payload in place. */
export function payloads(change: (payload: Payload, event: EventName) => void): HooksDeviation {
  return deliveries((delivery) => {
    change(delivery.body, delivery.event)
    return delivery
  })
}

/** Puts other values where some stand in the payloads of one event. */
export function sets(event: EventName, values: (payload: Payload) => Json): HooksDeviation {
  return payloads((payload, of) => {
    if (of === event) Object.assign(payload, values(payload))
  })
}

/** The same in their object_attributes. */
export function setsAttributes(
  event: EventName,
  values: (attributes: Json) => Json,
): HooksDeviation {
  return sets(event, ({ object_attributes: attributes }) => ({
    object_attributes: { ...(attributes as Json), ...values(attributes as Json) },
  }))
}

/** Puts a header beside those that there are. */
export function withHeaders(
  delivery: OutgoingDelivery,
  ...headers: OutgoingDelivery['headers']
): OutgoingDelivery {
  return { ...delivery, headers: [...delivery.headers, ...headers] }
}

/** Something that a server keeps for itself: made at its first call, forgotten with it. */
export function kept<T>(make: () => T): (call: HooksCall) => T {
  const known = new WeakMap<object, { value: T }>()
  return ({ server: { store } }) => {
    let found = known.get(store)
    if (found === undefined) known.set(store, (found = { value: make() }))
    return found.value
  }
}

/** Visits every object of a payload, those that hold others first; what stands below a skipped name is passed over. */
export function everyObject(
  value: unknown,
  act: (holder: Json) => void,
  skipped: readonly string[] = [],
): void {
  if (Array.isArray(value)) for (const item of value) everyObject(item, act, skipped)
  if (!isObject(value)) return
  act(value)
  for (const [name, member] of Object.entries(value))
    if (!skipped.includes(name)) everyObject(member, act, skipped)
}
