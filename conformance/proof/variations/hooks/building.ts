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

// Functions that build values of factors which `HooksChoices` cannot express.

export { isObject, type Json }

/** Wraps one operation. */
export function onOperation(operation: HooksOperation, act: HooksMiddleware): HooksDeviation {
  return { around: (call, next) => (call.operation === operation ? act(call, next) : next()) }
}

/** Changes every reply. */
export function changeReplies(change: (reply: Reply) => Reply): HooksDeviation {
  return { around: (_call, next) => next().then(change) }
}

/** A reply with an HTML page. */
export const pageReply = (status: number, words: string): Reply => ({
  status,
  raw: `<html><p>${words}</p></html>`,
  headers: { 'Content-Type': 'text/html' },
})

/** Changes the replies to successful calls. */
export function changeSuccesses(
  operation: HooksOperation,
  change: (reply: Reply, call: HooksCall) => Reply | Promise<Reply>,
): HooksDeviation {
  return onOperation(operation, async (call, next) => {
    const reply = await next()
    return reply.status >= 200 && reply.status < 300 ? change(reply, call) : reply
  })
}

/** Changes the record in the reply to a creation, in every form of the record. */
export function changeRecords(change: (record: Json) => unknown): HooksDeviation {
  return changeSuccesses('createHook', (reply) => {
    const { body } = reply
    if (!isObject(body)) return reply
    return {
      ...reply,
      body: isObject(body['hook']) ? { hook: change(body['hook']) } : change(body),
    }
  })
}

/** Changes the fields of a creation before they are validated. */
export function changeFields(change: (fields: Json) => Json): HooksDeviation {
  return onOperation('createHook', (call, next) => {
    const readFields = call.fields.bind(call)
    let read: Promise<Json> | undefined
    call.fields = () => (read ??= readFields().then(change))
    return next()
  })
}

/** Changes every delivery. */
export function changeDeliveries(
  change: (delivery: OutgoingDelivery) => OutgoingDelivery | undefined | Promise<OutgoingDelivery>,
): HooksDeviation {
  return { beforeDelivery: change }
}

/** Changes every payload in place. */
export function changePayloads(
  change: (payload: Payload, event: EventName) => void,
): HooksDeviation {
  return changeDeliveries((delivery) => {
    change(delivery.body, delivery.event)
    return delivery
  })
}

/** Replaces members at the top level in the payloads of one event. */
export function setMembers(event: EventName, values: (payload: Payload) => Json): HooksDeviation {
  return changePayloads((payload, of) => {
    if (of === event) Object.assign(payload, values(payload))
  })
}

/**
 * Replaces members of object_attributes in the payloads of one event, and their current values in
 * `changes`.
 */
export function setAttributes(
  event: EventName,
  values: (attributes: Json) => Json,
): HooksDeviation {
  return setMembers(event, ({ object_attributes: attributes, changes }) => {
    const set = values(attributes as Json)
    return {
      object_attributes: { ...(attributes as Json), ...set },
      ...(isObject(changes) ? { changes: withCurrent(changes, set) } : {}),
    }
  })
}

/** Returns `changes` with these current values. */
function withCurrent(changes: Json, values: Json): Json {
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [
      name,
      name in values && isObject(change) ? { ...change, current: values[name] } : change,
    ]),
  )
}

/** Returns a copy of a delivery with additional headers. */
export function addHeaders(
  delivery: OutgoingDelivery,
  ...headers: OutgoingDelivery['headers']
): OutgoingDelivery {
  return { ...delivery, headers: [...delivery.headers, ...headers] }
}

/** Returns a function that finds the state of a server. The state is created at the first call. */
export function newState<T>(make: () => T): (call: HooksCall) => T {
  const known = new WeakMap<object, { value: T }>()
  return ({ server: { store } }) => {
    let found = known.get(store)
    if (found === undefined) known.set(store, (found = { value: make() }))
    return found.value
  }
}

/**
 * Visits every object of a payload, outer objects first. Members with a skipped name are ignored.
 */
export function forEachObject(
  value: unknown,
  act: (holder: Json) => void,
  skipped: readonly string[] = [],
): void {
  if (Array.isArray(value)) for (const item of value) forEachObject(item, act, skipped)
  if (!isObject(value)) return
  act(value)
  for (const [name, member] of Object.entries(value))
    if (!skipped.includes(name)) forEachObject(member, act, skipped)
}
