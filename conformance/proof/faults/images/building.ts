import {
  failure,
  Refusal,
  type Call,
  type Image,
  type Operation,
  type Reply,
  type Rules,
  type UploadForm,
} from '../../../../mocks/stateful/images.ts'
import type { Fault } from './fault.ts'

// What most faults are built from. Each builder deviates at some operations only, after the token was looked at, so that little else breaks.

export type Hit = () => void
type Make = Fault['make']
type Where = Operation | readonly Operation[]
type Json = Record<string, unknown>

export function fault(name: string, says: string, violates: Fault['violates'], make: Make): Fault {
  return { name, says, violates, make }
}

/** Stands around some operations. */
export function around(
  where: Where,
  deviate: (call: Call, next: () => Promise<Reply>, hit: Hit) => Promise<Reply>,
): Make {
  return (hit) => ({
    around: (call, next) => (concerns(where, call) ? deviate(call, next, hit) : next()),
  })
}

/** Replaces demands of the document at some operations. */
export function ruled(
  where: Where,
  change: (rules: Rules, hit: Hit, call: Call) => Partial<Rules>,
): Make {
  return around(where, (call, next, hit) => {
    const { rules } = call.server
    call.server = { ...call.server, rules: { ...rules, ...change(rules, hit, call) } }
    return next()
  })
}

/** Gives another answer than the right one, and tells where the two differ. */
export function bent<Args extends unknown[], Result>(
  hit: Hit,
  right: (...args: Args) => Result,
  wrong: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    const given = wrong(...args)
    if (given !== right(...args)) hit()
    return given
  }
}

/** Changes a form before the operation sees it, or throws a refusal. */
export function reads(
  where: Where,
  change: (form: UploadForm, hit: Hit, call: Call) => unknown,
): Make {
  return around(where, (call, next, hit) => {
    const right = call.form.bind(call)
    let read: Promise<UploadForm> | undefined
    call.form = () =>
      (read ??= right().then(async (form) => {
        await change(form, hit, call)
        return form
      }))
    return next()
  })
}

/** Changes a JSON body before the operation sees it, or throws a refusal. What is returned replaces it. */
export function readsJson(
  where: Where,
  change: (body: Json, hit: Hit, call: Call) => Json | void,
): Make {
  return around(where, (call, next, hit) => {
    const right = call.json.bind(call)
    let read: Promise<unknown> | undefined
    call.json = () =>
      (read ??= right().then((body) => (isObject(body) ? (change(body, hit, call) ?? body) : body)))
    return next()
  })
}

/** Changes what a success answers, or what was remembered for it. What is returned replaces the result. */
export function answers(
  where: Where,
  change: (result: Json, hit: Hit, call: Call) => unknown,
): Make {
  return around(where, async (call, next, hit) => {
    const reply = await next()
    const { body } = reply
    if (reply.status !== 200 || !isObject(body) || !isObject(body['result'])) return reply
    const result = await change(body['result'], hit, call)
    return result === undefined ? reply : { ...reply, body: { ...body, result } }
  })
}

/** Changes a picture in the memory right after an upload or a ticket made it. */
export function remembers(
  where: Where,
  change: (image: Image, hit: Hit, call: Call) => void,
): Make {
  return answers(where, (result, hit, call) => {
    const image = call.server.store.get(String(result['id']))
    if (image !== undefined) change(image, hit, call)
  })
}

/** Fails with this status where it should have succeeded. */
export function fails(where: Where, status: number, message = 'Something went wrong'): Make {
  return around(where, async (call, next, hit) => {
    const reply = await next()
    if (reply.status !== 200) return reply
    hit()
    return failure(call.server.choices, status, message)
  })
}

/** Changes every record of a picture that is answered. */
export function shows(where: Where, change: (image: Json, hit: Hit, call: Call) => void): Make {
  return answers(where, (result, hit, call) => {
    const list = Array.isArray(result['images'])
      ? (result['images'] as Json[])
      : 'uploaded' in result
        ? [result]
        : []
    for (const image of list) change(image, hit, call)
  })
}

/** Refuses as invalid, and tells that it did. */
export function refuse(hit: Hit, message: string, status = 400): never {
  hit()
  throw new Refusal(status, message)
}

/** What stands in for a picture that nobody sent. */
export const placeholder = {
  name: 'file',
  filename: 'placeholder.gif',
  type: 'image/gif',
  bytes: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}

/** Every operation whose answer shows pictures. */
export const showing: readonly Operation[] = [
  'uploadImage',
  'getImage',
  'listImages',
  'batchUploadImage',
  'batchListImages',
  'completeDirectUpload',
]

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function concerns(where: Where, { operation }: Call): boolean {
  return typeof where === 'string' ? where === operation : where.includes(operation)
}
