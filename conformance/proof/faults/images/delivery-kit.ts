import { isDeepStrictEqual } from 'node:util'
import type {
  Image,
  ImagesCall,
  ImagesOperation,
  ImagesReply,
  ImagesRules,
} from '../../../../mocks/stateful/images.ts'
import { replaceRulesOf, type Hit } from '../../../../mocks/kit/kit.ts'
import type { ImagesFault } from './fault.ts'
import { onRequest, resultOf } from './building.ts'

// Building blocks for faults in the delivery of images.

type Make = ImagesFault['make']
type Next = () => Promise<ImagesReply>

/** The ways to upload an image. */
export const uploadWays = [
  'file',
  'file-with-id',
  'url',
  'ticket',
  'batch',
  'batch-with-url',
] as const
export type UploadWay = (typeof uploadWays)[number]

/** The way in which a call uploads an image; undefined for a call that uploads none. */
export async function uploadWayOf(call: ImagesCall): Promise<UploadWay | undefined> {
  if (call.operation === 'createDirectUpload') return 'ticket'
  if (call.operation !== 'uploadImage' && call.operation !== 'batchUploadImage') return undefined
  const form = await call.form().catch(() => undefined)
  const isByUrl = form?.fields['url'] !== undefined
  if (call.operation === 'batchUploadImage') return isByUrl ? 'batch-with-url' : 'batch'
  if (isByUrl) return 'url'
  return form?.fields['id'] === undefined ? 'file' : 'file-with-id'
}

/** Lets `act` handle requests for images that were uploaded in the way `uploadWay`. */
export function onDeliveryFrom(
  uploadWay: UploadWay,
  act: (call: ImagesCall, next: Next, hit: Hit, image: Image) => Promise<ImagesReply>,
): Make {
  return (hit) => {
    const ids = new Set<string>()
    return {
      around: async (call, next) => {
        if (call.operation === 'deliverImage') {
          const image = call.server.store.get(call.params['image_id'] ?? '')
          return image !== undefined && ids.has(image.id) ? act(call, next, hit, image) : next()
        }
        const isSelected = (await uploadWayOf(call)) === uploadWay
        const reply = await next()
        if (isSelected && reply.status === 200) ids.add(String(resultOf(reply)['id']))
        return reply
      },
    }
  }
}

/** Changes the responses of delivery URLs, but only those whose body is an image. */
export const onDelivery = (
  change: (bytes: Uint8Array, call: ImagesCall) => ImagesReply | Uint8Array | undefined,
): Make =>
  onRequest(async (call, next, hit) => {
    const reply = await next()
    if (reply.status !== 200 || !(reply.body instanceof Uint8Array)) return reply
    const changed = change(reply.body, call)
    if (changed === undefined) return reply
    hit()
    return changed instanceof Uint8Array ? { ...reply, body: changed } : changed
  }, 'deliverImage')

/** Delivers private images without a signature if `isOpened` returns true. */
export const openPrivate = (isOpened: (call: ImagesCall, image: Image) => boolean): Make =>
  onRequest((call, next, hit) => {
    const image = call.server.store.get(call.params['image_id'] ?? '')
    if (image?.requireSignedURLs === true && isOpened(call, image)) openOnce(call, hit)
    return next()
  }, 'deliverImage')

/** Makes every image public for this call. */
export function openOnce(call: ImagesCall, hit: Hit): void {
  const { isPrivate } = call.server.rules
  const open: ImagesRules['isPrivate'] = (image, variant) => {
    if (isPrivate(image, variant)) hit()
    return false
  }
  replaceRulesOf(call, { isPrivate: open })
}

/** Delivers the bytes that were delivered first to a call with the same key. */
export const deliverFirst =
  (keyOf: (call: ImagesCall) => string): Make =>
  (hit) => {
    const first = new Map<string, Uint8Array>()
    return onDelivery((bytes, call) => {
      const key = keyOf(call)
      const known = first.get(key)
      first.set(key, known ?? bytes)
      return known === undefined || Buffer.from(known).equals(bytes) ? undefined : known
    })(hit)
  }

/** Returns the first reply to each URL of an operation from a cache, which only uploads empty. */
export const keepUntilUpload =
  (operation: ImagesOperation): Make =>
  (hit) => {
    const kept = new Map<string, ImagesReply>()
    return {
      around: async (call, next) => {
        if (uploadsImage.includes(call.operation)) kept.clear()
        if (call.operation !== operation) return next()
        const key = `${call.path}?${call.query.toString()}`
        const reply = await next()
        const known = kept.get(key)
        if (reply.status !== 200) return reply
        kept.set(key, known ?? reply)
        if (known === undefined) return reply
        if (!isDeepStrictEqual(known.body, reply.body)) hit()
        return known
      },
    }
  }

const uploadsImage: readonly ImagesOperation[] = [
  'uploadImage',
  'completeDirectUpload',
  'batchUploadImage',
]
