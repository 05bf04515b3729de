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

// Functions that build values of factors which `ImagesChoices` cannot express.

export { isObject, type Json }

/** Lets `act` handle the calls of some operations. */
export function onOperations(
  operations: readonly ImagesOperation[],
  act: ImagesMiddleware,
): ImagesDeviation {
  return {
    around: (call, next) => (operations.includes(call.operation) ? act(call, next) : next()),
  }
}

/** Changes every JSON reply. */
export function changeReplies(
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
export function changeResults(
  operations: readonly ImagesOperation[],
  change: (result: unknown, call: ImagesCall) => unknown,
): ImagesDeviation {
  return changeReplies(
    (body, { status }, call) =>
      status === 200 && 'result' in body
        ? { ...body, result: change(body['result'], call) }
        : undefined,
    operations,
  )
}

/** Changes every failure. */
export function changeFailures(
  change: (body: Json, reply: ImagesReply, call: ImagesCall) => Json | undefined,
): ImagesDeviation {
  return changeReplies((body, reply, call) =>
    body['success'] === false ? change(body, reply, call) : undefined,
  )
}

/** Changes every image in a reply. */
export function changeImages(
  change: (image: Json, call: ImagesCall) => Json,
  operations: readonly ImagesOperation[] = operationsWithImages,
): ImagesDeviation {
  return changeResults(operations, (result, call) => {
    if (!isObject(result)) return result
    if (Array.isArray(result['images']))
      return { ...result, images: result['images'].map((image: Json) => change(image, call)) }
    return 'uploaded' in result ? change(result, call) : result
  })
}

/** Adds headers to replies that are not images, or replaces the default Content-Type. */
export function addHeaders(
  headersOf: (reply: ImagesReply) => Record<string, string>,
): ImagesDeviation {
  return {
    around: async (_call, next) => {
      const reply = await next()
      return reply.body instanceof Uint8Array
        ? reply
        : { ...reply, headers: { ...headersOf(reply), ...reply.headers } }
    },
  }
}

/** Replaces some functions of the store for a call. */
export function replaceStore(call: ImagesCall, change: (store: Store) => Partial<Store>): void {
  const { store } = call.server
  const changed = change(store) as Json
  call.server = {
    ...call.server,
    store: new Proxy(store, {
      get: (original, name) => {
        if (typeof name === 'string' && name in changed) return changed[name]
        const value: unknown = Reflect.get(original, name, original)
        return typeof value === 'function' ? (value.bind(original) as unknown) : value
      },
      set: (original, name, value) => Reflect.set(original, name, value, original),
    }),
  }
}

/** Returns a function that finds the state of a server. The state is created at the first call. */
export function newState<T>(make: (server: ImagesContext) => T): (call: ImagesCall) => T {
  // The options identify an account of a server, because every copy of its context contains the
  // same object.
  const known = new WeakMap<object, { value: T }>()
  return ({ server: { options }, server }) => {
    let found = known.get(options)
    if (found === undefined) known.set(options, (found = { value: make(server) }))
    return found.value
  }
}

/** Returns the reply to an upload that stored this image. */
export function uploadReply(call: ImagesCall, image: Image): ImagesReply {
  return success(call, recordOf(call.server, image, 'result'))
}

export const uploads: readonly ImagesOperation[] = ['uploadImage', 'batchUploadImage']
export const lists: readonly ImagesOperation[] = ['listImages', 'batchListImages']
/** Operations whose replies contain images. */
const operationsWithImages: readonly ImagesOperation[] = [
  ...uploads,
  ...lists,
  'getImage',
  'completeDirectUpload',
]
