import {
  defaultRules,
  failure,
  Refusal,
  type ImagesCall,
  type Image,
  type ImagesOperation,
  type ImagesReply,
  type ImagesRules,
  type UploadForm,
} from '../../../../mocks/stateful/images.ts'
import { isObject, type JsonObject as Json } from '../../../../mocks/stateful/http/body.ts'
import { newKit, type Hit } from '../../../../mocks/kit/kit.ts'
import { faultFactory } from '../fault.ts'
import type { ImagesDeviation, ImagesFault } from './fault.ts'

// Building blocks for faults of the image service, in addition to mocks/kit. `where` selects
// operations. A fault runs before the authentication. A change of a body takes effect only after
// the authentication, when the handler of the operation reads the body.

export { isObject, type Json }
type Make = ImagesFault['make']
type Where = ImagesOperation | readonly ImagesOperation[]

export const fault = faultFactory<ImagesDeviation>()

export const { onReply, onRequest, replaceRules } = newKit<
  ImagesCall,
  ImagesReply,
  ImagesRules,
  Where
>(defaultRules, ({ operation }, where) =>
  typeof where === 'string' ? where === operation : where.includes(operation),
)

/** Changes the replies to successful requests. */
export const onSuccess: typeof onReply = (change, where) =>
  onReply((reply, call) => (reply.status === 200 ? change(reply, call) : undefined), where)

/** Changes a form before its handler reads it. */
export function changeForm(
  call: ImagesCall,
  change: (form: UploadForm) => UploadForm | Promise<UploadForm>,
): void {
  const read = call.form.bind(call)
  let once: Promise<UploadForm> | undefined
  call.form = () => (once ??= read().then(change))
}

/**
 * Changes a JSON body before its handler reads it. `unreadable` replaces a body that is not JSON.
 */
export function changeJson(
  call: ImagesCall,
  change: (body: Json) => Json | Promise<Json>,
  unreadable?: () => Json,
): void {
  const read = call.json.bind(call)
  let once: Promise<unknown> | undefined
  call.json = () =>
    (once ??= (unreadable === undefined ? read() : read().catch(unreadable)).then((body) =>
      isObject(body) ? change(body) : body,
    ))
}

/** A fault whose `change` changes a form in place, or throws a refusal. */
export function onForm(
  change: (form: UploadForm, hit: Hit, call: ImagesCall) => unknown,
  where: Where,
): Make {
  return onRequest((call, next, hit) => {
    changeForm(call, async (form) => {
      await change(form, hit, call)
      return form
    })
    return next()
  }, where)
}

/**
 * A fault whose `change` changes a JSON body in place, returns another body, or throws a refusal.
 */
export function onJson(
  change: (body: Json, hit: Hit, call: ImagesCall) => Json | void,
  where: Where,
): Make {
  return onRequest((call, next, hit) => {
    changeJson(call, (body) => change(body, hit, call) ?? body)
    return next()
  }, where)
}

/**
 * A fault whose `change` changes the result of a success in place, returns another result, or
 * changes the stored object.
 */
export function onResult(
  change: (result: Json, hit: Hit, call: ImagesCall) => unknown,
  where: Where,
): Make {
  return onRequest(async (call, next, hit) => {
    const reply = await next()
    const { body } = reply
    if (reply.status !== 200 || !isObject(body) || !isObject(body['result'])) return reply
    const result = await change(body['result'], hit, call)
    return result === undefined ? reply : withResult(reply, result)
  }, where)
}

/** Changes an image in the store directly after an upload or a ticket created it. */
export function onStored(
  change: (image: Image, hit: Hit, call: ImagesCall) => void,
  where: Where,
): Make {
  return onResult((result, hit, call) => {
    const image = call.server.store.get(String(result['id']))
    if (image !== undefined) change(image, hit, call)
  }, where)
}

/** Changes every image in a reply. */
export function onRecords(
  change: (image: Json, hit: Hit, call: ImagesCall) => void,
  where: Where,
): Make {
  return onResult((result, hit, call) => {
    const list = Array.isArray(result['images'])
      ? (result['images'] as Json[])
      : 'uploaded' in result
        ? [result]
        : []
    for (const image of list) change(image, hit, call)
  }, where)
}

/** Fails with this status instead of a success. */
export function failWith(where: Where, status: number, message = 'Something went wrong'): Make {
  return onSuccess((_reply, call) => failure(call.server.choices, status, message), where)
}

/** Refuses a request as invalid, from within its handler. */
export function refuse(message: string, hit?: Hit, status = 400): never {
  hit?.()
  throw new Refusal(status, message)
}

/** Returns the reply of a server that did what was requested but reports a failure. */
export const reportFailure = (reply: ImagesReply): ImagesReply => ({
  status: 200,
  body: { success: false, result: resultOf(reply), errors: [], messages: [] },
})

/** Returns the result of a reply; an empty object if it is null. */
export function resultOf(reply: ImagesReply): Json {
  return ((reply.body as { result?: Json | null } | null)?.result ?? {}) as Json
}

/** Returns a copy of the reply with another result. */
export function withResult(reply: ImagesReply, result: unknown): ImagesReply {
  return { ...reply, body: { ...(reply.body as Json), result } }
}

/** Returns a copy of the object without one member. */
export function without(object: Json, name: string): Json {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

/** Returns a redirect. */
export function redirect(status: number, location: string): ImagesReply {
  return {
    status,
    headers: { Location: location },
    body: { success: true, result: {}, errors: [], messages: [] },
  }
}

/** The file that a fault stores if an upload has no usable file. */
export const placeholder = {
  name: 'file',
  filename: 'placeholder.gif',
  type: 'image/gif',
  bytes: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}

/** Operations whose replies contain images. */
export const operationsWithImages: readonly ImagesOperation[] = [
  'uploadImage',
  'getImage',
  'listImages',
  'batchUploadImage',
  'batchListImages',
  'completeDirectUpload',
]
