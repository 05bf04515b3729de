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

// What faults of the hook service are built from, beside the kit.

export { isObject }
type Make = HooksFault['make']

export const fault = faultFactory<HooksDeviation>()

export const { onReply, onRequest, replaceRules } = newKit<
  HooksCall,
  Reply,
  HooksRules,
  HooksOperation
>(defaultRules, ({ operation }, where) => operation === where)

/** Changes the fields of a creation before they are judged, or throws a refusal. What is returned replaces them. */
export function onFields(change: (fields: Json, hit: Hit, call: HooksCall) => Json): Make {
  return onRequest((call, next, hit) => {
    const right = call.fields.bind(call)
    let read: Promise<Json> | undefined
    call.fields = () => (read ??= right().then((fields) => change(fields, hit, call)))
    return next()
  }, 'createHook')
}

/** Changes deliveries: what is returned goes out in their place, with undefined nothing does. */
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

/** Answers with this status in place of a success, after everything was done. */
export function fails(
  where: HooksOperation,
  status: number,
  when: (call: HooksCall) => boolean | Promise<boolean> = () => true,
): Make {
  return onReply(
    async ({ status: given }, call) =>
      given >= 300 || !(await when(call))
        ? undefined
        : failure(call.server.choices, status, 'Something went wrong'),
    where,
  )
}

/** The delivery with a header in place of those of that name. */
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
    headers: delivery.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase()),
  }
}

export function headerOf({ headers }: OutgoingDelivery, name: string): string | undefined {
  return headers.find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1]
}
