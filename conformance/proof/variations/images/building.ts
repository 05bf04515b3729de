import {
  recordOf,
  success,
  type ImagesMiddleware,
  type ImagesCall,
  type ImagesContext,
  type Image,
  type ImagesOperation,
  type ImagesReply,
  type Store,
} from '../../../../mocks/stateful/images.ts'
import { isObject, type JsonObject as Json } from '../../../../mocks/stateful/http/body.ts'
import type { ImagesDeviation } from '../../faults/images/fault.ts'

// What the levels that `ImagesChoices` has no word for are built from.

export { isObject, type Json }

/** Stands around some operations and lets all others be. */
export function at(operations: readonly ImagesOperation[], act: ImagesMiddleware): ImagesDeviation {
  return {
    around: (call, next) => (operations.includes(call.operation) ? act(call, next) : next()),
  }
}

/** Changes every answer that is JSON. */
export function answers(
  change: (body: Json, reply: ImagesReply, call: ImagesCall) => Json | undefined,
  operations?: readonly ImagesOperation[],
): ImagesDeviation {
  return {
    around: async (call, next) => {
      const reply = await next()
      if (
        reply.raw !== undefined ||
        !isObject(reply.body) ||
        (operations !== undefined && !operations.includes(call.operation))
      )
        return reply
      const body = change(reply.body, reply, call)
      return body === undefined ? reply : { ...reply, body }
    },
  }
}

/** Changes the result of every success. */
export function results(
  operations: readonly ImagesOperation[],
  change: (result: unknown, call: ImagesCall) => unknown,
): ImagesDeviation {
  return answers(
    (body, { status }, call) =>
      status === 200 && 'result' in body
        ? { ...body, result: change(body['result'], call) }
        : undefined,
    operations,
  )
}

/** Changes every failure. */
export function failures(
  change: (body: Json, reply: ImagesReply, call: ImagesCall) => Json | undefined,
): ImagesDeviation {
  return answers((body, reply, call) =>
    body['success'] === false ? change(body, reply, call) : undefined,
  )
}

/** Changes every record of an image. */
export function images(
  change: (image: Json, call: ImagesCall) => Json,
  operations: readonly ImagesOperation[] = showing,
): ImagesDeviation {
  return results(operations, (result, call) => {
    if (!isObject(result)) return result
    if (Array.isArray(result['images']))
      return { ...result, images: result['images'].map((image: Json) => change(image, call)) }
    return 'uploaded' in result ? change(result, call) : result
  })
}

/** Another header beside or in place of the usual ones, for answers that are JSON. */
export function headers(given: (reply: ImagesReply) => Record<string, string>): ImagesDeviation {
  return {
    around: async (_call, next) => {
      const reply = await next()
      return reply.body instanceof Uint8Array
        ? reply
        : { ...reply, headers: { ...given(reply), ...reply.headers } }
    },
  }
}

/** Lets a call work with a store that differs in some functions. */
export function stored(call: ImagesCall, change: (store: Store) => Partial<Store>): void {
  const { store } = call.server
  const changed = change(store) as Json
  call.server = {
    ...call.server,
    store: new Proxy(store, {
      get: (target, name) => {
        if (typeof name === 'string' && name in changed) return changed[name]
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
      set: (target, name, value) => Reflect.set(target, name, value, target),
    }),
  }
}

/** Something that a server keeps for itself: made at its first call, forgotten with it. */
export function kept<T>(make: (server: ImagesContext) => T): (call: ImagesCall) => T {
  // The clock stays the same object however often a call's server is copied.
  const known = new WeakMap<object, { value: T }>()
  return ({ server }) => {
    let found = known.get(server.clock)
    if (found === undefined) known.set(server.clock, (found = { value: make(server) }))
    return found.value
  }
}

/** The answer of an upload that stored this image. */
export function uploaded(call: ImagesCall, image: Image): ImagesReply {
  return success(call, recordOf(call.server, image, 'result'))
}

export const uploads: readonly ImagesOperation[] = ['uploadImage', 'batchUploadImage']
export const lists: readonly ImagesOperation[] = ['listImages', 'batchListImages']
/** Operations whose answer shows images. */
const showing: readonly ImagesOperation[] = [
  ...uploads,
  ...lists,
  'getImage',
  'completeDirectUpload',
]
