import {
  defaultRules,
  failure,
  type Call,
  type Operation,
  type Outgoing,
  type Reply,
  type Rules,
} from '../../../../mocks/stateful/hooks.ts'
import type { Fault } from './fault.ts'

// What most faults are built from.

export type Hit = () => void
type Make = Fault['make']
type Json = Record<string, unknown>

export function fault(name: string, says: string, violates: Fault['violates'], make: Make): Fault {
  return { name, says, violates, make }
}

/** Stands around one operation. */
export function around(
  where: Operation,
  deviate: (call: Call, next: () => Promise<Reply>, hit: Hit) => Promise<Reply>,
): Make {
  return (hit) => ({
    around: (call, next) => (call.operation === where ? deviate(call, next, hit) : next()),
  })
}

/** Replaces demands of the document. */
export function ruled(change: (hit: Hit) => Partial<Rules>): Make {
  return (hit) => ({ rules: change(hit) })
}

/** A rule that gives another answer than the right one, and tells where the two differ. */
export function bent<Name extends keyof Rules>(
  hit: Hit,
  name: Name,
  wrong: Rules[Name] & ((...args: never[]) => unknown),
): Rules[Name] {
  const right = defaultRules[name] as (...args: unknown[]) => unknown
  const other = wrong as unknown as (...args: unknown[]) => unknown
  return ((...args: unknown[]) => {
    const given = other(...args)
    if (given !== right(...args)) hit()
    return given
  }) as Rules[Name]
}

/** Changes the fields of a creation before they are judged, or throws a refusal. What is returned replaces them. */
export function reads(change: (fields: Json, hit: Hit, call: Call) => Json): Make {
  return around('createHook', (call, next, hit) => {
    const right = call.fields.bind(call)
    let read: Promise<Json> | undefined
    call.fields = () => (read ??= right().then((fields) => change(fields, hit, call)))
    return next()
  })
}

/** Changes every delivery that it concerns: what is returned goes out in its place, with undefined nothing does. */
export function sends(
  change: (delivery: Outgoing) => Outgoing | undefined,
  concerns: (delivery: Outgoing) => boolean = () => true,
): Make {
  return (hit) => ({
    delivering: (delivery) => {
      if (!concerns(delivery)) return delivery
      hit()
      return change(delivery)
    },
  })
}

/** Answers with this status in place of a success, after everything was done. */
export function answers(
  where: Operation,
  status: number,
  when: (call: Call) => boolean | Promise<boolean> = () => true,
): Make {
  return around(where, async (call, next, hit) => {
    const reply = await next()
    if (reply.status >= 300 || !(await when(call))) return reply
    hit()
    return failure(call.server.choices, status, 'Something went wrong')
  })
}

/** The delivery with a header in place of those of that name. */
export function withHeader(delivery: Outgoing, name: string, value: string): Outgoing {
  const { headers } = withoutHeader(delivery, name)
  return { ...delivery, headers: [...headers, [name, value]] }
}

export function withoutHeader(delivery: Outgoing, name: string): Outgoing {
  return {
    ...delivery,
    headers: delivery.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase()),
  }
}

export function headerOf({ headers }: Outgoing, name: string): string | undefined {
  return headers.find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1]
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
