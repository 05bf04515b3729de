import {
  failure,
  recordOf,
  success,
  type Image,
  type ImagesCall,
  type Variant,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest } from './building.ts'

// Servers whose state changes with time or because an image is read, and servers that accept an
// upload URL again.

const minute = 60_000
const now = ({ server }: ImagesCall) => server.clock.now()
const imageId = ({ params }: ImagesCall) => params['image_id'] ?? ''
const variantId = ({ params }: ImagesCall) => params['variant_id'] ?? ''

export const later: readonly ImagesFault[] = [
  fault(
    'deleted-images-come-back',
    'Returns a deleted image again after a quarter of an hour.',
    ['IMG-DELETE-02'],
    (hit) => {
      const deleted = new Map<string, { image: Image; at: number }>()
      return onRequest(
        async (call, next) => {
          const image = call.server.store.get(imageId(call))
          const reply = await next()
          if (call.operation === 'deleteImage' && image !== undefined && reply.status === 200)
            deleted.set(image.id, { image, at: now(call) })
          const old = deleted.get(imageId(call))
          if (
            call.operation !== 'getImage' ||
            old === undefined ||
            now(call) < old.at + 15 * minute
          )
            return reply
          hit()
          return success(call, recordOf(call.server, old.image, 'details'))
        },
        ['deleteImage', 'getImage'],
      )(hit)
    },
  ),
  fault(
    'deleted-variants-come-back',
    'Returns a deleted variant again after a quarter of an hour.',
    ['IMG-VARIANTS-07'],
    (hit) => {
      const deleted = new Map<string, { variant: Variant; at: number }>()
      return onRequest(
        async (call, next) => {
          const variant = call.server.store.variants.get(variantId(call))
          const reply = await next()
          if (call.operation === 'deleteVariant' && variant !== undefined)
            deleted.set(variant.id, { variant, at: now(call) })
          const old = deleted.get(variantId(call))
          if (
            call.operation !== 'getVariant' ||
            old === undefined ||
            now(call) < old.at + 15 * minute
          )
            return reply
          hit()
          return success(call, { variant: old.variant })
        },
        ['deleteVariant', 'getVariant'],
      )(hit)
    },
  ),
  fault(
    'variants-last-an-hour',
    'Returns 404 for a variant an hour after its creation.',
    ['IMG-VARIANT-01'],
    (hit) => {
      const createdAt = new Map<string, number>()
      return onRequest(
        async (call, next) => {
          const at = createdAt.get(variantId(call))
          if (call.operation === 'getVariant' && at !== undefined && now(call) > at + 60 * minute) {
            hit()
            return failure(call.server.choices, 404, 'There is no such variant')
          }
          if (call.operation === 'createVariant')
            createdAt.set(String(((await call.json()) as { id?: unknown }).id), now(call))
          return next()
        },
        ['createVariant', 'getVariant'],
      )(hit)
    },
  ),
  fault(
    'completed-uploads-become-drafts-again',
    'Shows a direct upload as a draft an hour after its completion.',
    ['IMG-STATE-02'],
    onRequest((call, next, hit) => {
      const image = call.server.store.get(imageId(call))
      const hasTicket = [...call.server.store.tickets.values()].some(({ id }) => id === image?.id)
      if (image === undefined || !hasTicket || now(call) < image.uploaded + 60 * minute)
        return next()
      hit()
      image.draft = true
      return next()
    }, 'getImage'),
  ),
  ...[false, true].map((isRefused) =>
    fault(
      isRefused ? 'old-upload-url-is-refused-and-used' : 'used-upload-url-works-again',
      isRefused
        ? 'Refuses a second upload to an upload URL after ten minutes, but stores it.'
        : 'Accepts a second upload to an upload URL after ten minutes.',
      ['IMG-COMPLETE-03'],
      onRequest(async (call, next, hit) => {
        const { store, choices } = call.server
        const ticket = store.tickets.get(call.params['token'] ?? '')
        const image = store.get(ticket?.id ?? '')
        if (ticket?.state !== 'spent' || image === undefined) return next()
        if (now(call) < image.uploaded + 10 * minute) return next()
        hit()
        ticket.state = 'open'
        const reply = await next()
        return isRefused ? failure(choices, 400, 'The URL was used') : reply
      }, 'completeDirectUpload'),
    ),
  ),
  ...[false, true].map((isRefused) =>
    fault(
      isRefused
        ? 'upload-url-of-a-deleted-image-is-refused-and-used'
        : 'upload-url-works-again-after-a-deletion',
      isRefused
        ? 'Refuses a second upload to an upload URL after its image was deleted, but stores it.'
        : 'Accepts a second upload to an upload URL after its image was deleted.',
      ['IMG-COMPLETE-03'],
      onRequest(async (call, next, hit) => {
        const { store, choices, clock } = call.server
        const ticket = store.tickets.get(call.params['token'] ?? '')
        if (ticket?.state !== 'spent' || store.get(ticket.id) !== undefined) return next()
        const [file] = (await call.form()).files
        if (file === undefined) return next()
        hit()
        store.add({
          ...{ id: ticket.id, ...file, uploaded: clock.now() },
          ...{ requireSignedURLs: false, metadata: undefined, draft: false },
        })
        return isRefused ? failure(choices, 400, 'The URL was used') : success(call, {})
      }, 'completeDirectUpload'),
    ),
  ),
  fault(
    'draft-ends-when-it-is-read-again',
    'Turns a draft into a stored image when it is read a second time.',
    ['IMG-STATE-01'],
    (hit) => {
      const reads = new Map<string, number>()
      return onRequest((call, next) => {
        const image = call.server.store.get(imageId(call))
        if (image === undefined) return next()
        reads.set(image.id, (reads.get(image.id) ?? 0) + 1)
        if (image.draft && reads.get(image.id) === 2) {
          hit()
          image.draft = false
        }
        return next()
      }, 'getImage')(hit)
    },
  ),
]
