import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  Refusal,
  type Around,
  type Call,
  type Choices,
  type Operation,
  type Reply,
  type Rules,
  type UploadForm,
} from '../../../../mocks/stateful/images.ts'
import type { Fault } from './fault.ts'

export type Json = Record<string, unknown>

/** A fault that stands around some operations and lets all others be. */
export function standing(
  name: string,
  says: string,
  violates: readonly RequirementId[],
  operations: readonly Operation[],
  make: (hit: () => void) => Around,
): Fault {
  return {
    name,
    says,
    violates,
    make: (hit) => {
      const act = make(hit)
      return {
        around: (call, next) => (operations.includes(call.operation) ? act(call, next) : next()),
      }
    },
  }
}

/** Other rules and choices for this one call. */
export function ruled(call: Call, rules: Partial<Rules>, choices: Partial<Choices> = {}): void {
  call.server = {
    ...call.server,
    rules: { ...call.server.rules, ...rules },
    choices: { ...call.server.choices, ...choices },
  }
}

/** The JSON body as somebody makes it over, before its handler reads it. `unreadable` stands for a body that is not JSON. */
export function rewritten(call: Call, change: (body: Json) => Json, unreadable?: () => Json): void {
  const read = call.json.bind(call)
  call.json = async () => {
    const body = await read().catch((error: unknown) => {
      if (unreadable === undefined) throw error
      return unreadable()
    })
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? change(body as Json)
      : body
  }
}

/** The form as somebody makes it over, before its handler reads it. */
export function reshaped(call: Call, change: (form: UploadForm) => UploadForm): void {
  const read = call.form.bind(call)
  call.form = async () => change(await read())
}

/** The same object without one member. */
export function without(object: Json, name: string): Json {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

/** Refuses a request as invalid, from within its handler. */
export function refuse(message: string): never {
  throw new Refusal(400, message)
}

/** Does something and tells of it also where it ends in a refusal; undefined, where nothing deviates, is not told. */
export function told<T>(hit: () => void, act: () => T | undefined): T | undefined {
  try {
    const done = act()
    if (done !== undefined) hit()
    return done
  } catch (refusal) {
    hit()
    throw refusal
  }
}

/** Another answer where an operation has worked; undefined leaves the answer as it is. */
export const answering = (
  name: string,
  says: string,
  violates: readonly RequirementId[],
  operation: Operation,
  answer: (call: Call, reply: Reply) => Reply | undefined,
): Fault =>
  standing(name, says, violates, [operation], (hit) => async (call, next) => {
    const reply = await next()
    return (reply.status === 200 ? told(hit, () => answer(call, reply)) : undefined) ?? reply
  })

/** The answer of somebody who did what was asked and says that it failed. */
export const saysFalse = (_call: Call, reply: Reply): Reply => ({
  status: 200,
  body: { success: false, result: resultOf(reply), errors: [], messages: [] },
})

/** The result of an answer, where it is an object. */
export function resultOf(reply: Reply): Json {
  return ((reply.body as { result?: Json | null } | null)?.result ?? {}) as Json
}

/** The same answer with another result. */
export function showing(reply: Reply, result: unknown): Reply {
  return { ...reply, body: { ...(reply.body as Json), result } }
}

/** An answer that sends the client elsewhere. */
export function redirect(status: number, location: string): Reply {
  return {
    status,
    headers: { Location: location },
    body: { success: true, result: {}, errors: [], messages: [] },
  }
}
