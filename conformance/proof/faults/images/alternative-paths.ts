import type {
  ImagesCall,
  ImagesMiddleware,
  ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'

/** Makes a fault that ignores one field of uploads by URL. */
const dropField =
  (field: string) =>
  (hit: () => void): { around: ImagesMiddleware } => ({
    around: (call, next) => {
      const form = call.form.bind(call)
      call.form = async () => {
        const read = await form()
        if (
          call.operation !== 'uploadImage' ||
          read.fields['url'] === undefined ||
          read.fields[field] === undefined
        )
          return read
        hit()
        const { [field]: _, ...fields } = read.fields
        return { ...read, fields }
      }
      return next()
    },
  })

/**
 * Returns a reply that delivers a private image although the URL is not signed. Returns undefined
 * if the call does not request a private image.
 */
function deliverUnsigned({ operation, params, server }: ImagesCall): ImagesReply | undefined {
  const image =
    operation === 'deliverImage' ? server.store.get(params['image_id'] ?? '') : undefined
  if (image?.requireSignedURLs !== true || image.bytes === undefined) return undefined
  return { status: 200, headers: { 'Content-Type': image.type }, body: image.bytes }
}

const hasTicket = ({ params, server }: ImagesCall): boolean =>
  [...server.store.tickets.values()].some(({ id }) => id === params['image_id'])

/** Faults that affect only one of the ways to upload, read or list images. */
export const alternativePaths: readonly ImagesFault[] = [
  {
    name: 'upload-by-url-forgets-its-id',
    description: 'Ignores the id of an upload by URL.',
    violates: ['IMG-UPLOAD-05'],
    make: dropField('id'),
  },
  {
    name: 'upload-by-url-forgets-requireSignedURLs',
    description: 'Ignores requireSignedURLs of an upload by URL.',
    violates: ['IMG-UPLOAD-06'],
    make: dropField('requireSignedURLs'),
  },
  {
    name: 'upload-by-url-forgets-its-metadata',
    description: 'Ignores the metadata of an upload by URL.',
    violates: ['IMG-IMAGE-13'],
    make: dropField('metadata'),
  },
  {
    name: 'images-of-tickets-are-never-delivered',
    description: 'Returns 404 for the delivery of an image that was uploaded with a ticket.',
    violates: ['IMG-SERVICE-01'],
    make: (hit) => ({
      around: async (call, next) => {
        const reply = await next()
        if (call.operation !== 'deliverImage' || !hasTicket(call) || reply.status !== 200)
          return reply
        hit()
        return {
          status: 404,
          body: { success: false, errors: [{ code: 10004, message: 'There is no such image' }] },
        }
      },
    }),
  },
  {
    name: 'private-images-are-one-redirect-away',
    description: 'Redirects the delivery of a private image to a URL that needs no signature.',
    violates: ['IMG-IMAGE-08'],
    make: (hit) => ({
      around: async (call, next) => {
        const unsigned = deliverUnsigned(call)
        if (unsigned === undefined) return next()
        if (!call.query.has('edge'))
          return { status: 302, headers: { Location: `${call.path}?edge=1` }, body: null }
        hit()
        return unsigned
      },
    }),
  },
  {
    name: 'images-of-tickets-are-always-delivered',
    description: 'Delivers a private image at an unsigned URL if it was uploaded with a ticket.',
    violates: ['IMG-IMAGE-08'],
    make: (hit) => ({
      around: async (call, next) => {
        const unsigned = hasTicket(call) ? deliverUnsigned(call) : undefined
        if (unsigned === undefined) return next()
        hit()
        return unsigned
      },
    }),
  },
  {
    name: 'listing-shows-all-images-as-public',
    description: 'Lists every image with requireSignedURLs: false.',
    violates: ['IMG-LIST-03'],
    make: (hit) => ({
      around: async (call, next) => {
        const reply = await next()
        const images = (
          reply.body as { result?: { images?: { requireSignedURLs?: unknown }[] } } | undefined
        )?.result?.images
        if (call.operation !== 'listImages' || images === undefined) return reply
        for (const image of images) {
          if (image.requireSignedURLs === true) hit()
          image.requireSignedURLs = false
        }
        return reply
      },
    }),
  },
  {
    name: 'completed-uploads-stay-unlisted',
    description: 'Does not list images that were uploaded with a ticket.',
    violates: ['IMG-LIST-03'],
    make: (hit) => ({
      around: async (call, next) => {
        const reply = await next()
        const body = reply.body as { result?: { images?: { id: string }[] } } | undefined
        if (call.operation !== 'listImages' || body?.result?.images === undefined) return reply
        const idsWithTicket = new Set([...call.server.store.tickets.values()].map(({ id }) => id))
        const images = body.result.images.filter(({ id }) => !idsWithTicket.has(id))
        if (images.length < body.result.images.length) hit()
        return { ...reply, body: { ...body, result: { ...body.result, images } } }
      },
    }),
  },
  {
    name: 'variants-reach-only-later-images',
    description:
      'Shows delivery URLs only for the variants that existed when the image was stored.',
    violates: ['IMG-IMAGE-10'],
    make: (hit) => {
      const createdAt = new Map<string, number>()
      return {
        around: async (call, next) => {
          const reply = await next()
          const { result } = (reply.body ?? {}) as { result?: { id?: string; variants?: string[] } }
          if (call.operation === 'createVariant' && reply.status === 200)
            createdAt.set(((await call.json()) as { id: string }).id, Date.now())
          if (call.operation !== 'getImage' || result?.variants === undefined) return reply
          const stored = call.server.store.get(result.id ?? '')?.uploaded ?? 0
          const variants = result.variants.filter(
            (url) => (createdAt.get(url.split('/').at(-1) ?? '') ?? 0) <= stored,
          )
          if (variants.length < result.variants.length) hit()
          return { ...reply, body: { ...(reply.body as object), result: { ...result, variants } } }
        },
      }
    },
  },
  {
    name: 'expiry-with-an-offset-is-refused',
    description: 'Refuses an expiry with an offset from UTC.',
    violates: ['IMG-TICKET-08'],
    make: (hit) => ({
      around: (call, next) => {
        const json = call.json.bind(call)
        call.json = async () => {
          const body = await json()
          if (
            call.operation !== 'createDirectUpload' ||
            !/[+-]\d\d:\d\d$/.test(String((body as { expiry?: unknown } | undefined)?.expiry))
          )
            return body
          hit()
          return { ...(body as object), expiry: 'refused' }
        }
        return next()
      },
    }),
  },
]
