import {
  recordOf,
  success,
  type ImagesCall,
  type Image,
  type ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import {
  fault,
  onRequest,
  onSuccess,
  redirect,
  refuse,
  resultOf,
  withResult,
  type Json,
} from './building.ts'

const list = ['listImages'] as const

const number = (call: ImagesCall, name: string, standard: number) =>
  Number(call.query.get(name) ?? standard)
const listed = (call: ImagesCall) => call.server.store.listed
const page = (call: ImagesCall, images: Image[]) =>
  success(call, { images: images.map((image) => recordOf(call.server, image, 'result')) })
const imagesOf = (reply: ImagesReply) => (resultOf(reply)['images'] ?? []) as Json[]

/** A page out of the usual order or place, where the usual one would have come. */
const paging = (
  name: string,
  description: string,
  violates: ImagesFault['violates'],
  images: (call: ImagesCall, page: number, size: number) => Image[] | undefined,
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onSuccess((_reply, call) => {
      const other = images(call, number(call, 'page', 1), number(call, 'per_page', 100))
      return other === undefined ? undefined : page(call, other)
    }, 'listImages'),
  )

/** A page or per_page that is no positive integer, and the server takes its standard in its place. */
const lenient = (name: 'page' | 'per_page', wrong: string): ImagesFault =>
  fault(
    `listing-takes-${name}-${wrong.replace('.', '-').replace('-1', 'minus-1')}`,
    `Takes ${name}=${wrong} as if it were not there.`,
    ['IMG-LIST-06'],
    onRequest((call, next, hit) => {
      if (call.query.get(name) === wrong) {
        hit()
        call.query = new URLSearchParams(call.query)
        call.query.delete(name)
      }
      return next()
    }, list),
  )

/** A page size that the server does not know, once it would show only a part of the images. */
const unknownSize = (size: number): ImagesFault =>
  fault(
    `listing-refuses-pages-of-${size}`,
    `Refuses a page size of ${size} where there are more images than that.`,
    ['IMG-LIST-05'],
    onSuccess(
      (_reply, call) =>
        number(call, 'per_page', 100) !== size || listed(call).length <= size
          ? undefined
          : refuse('There is no such page size'),
      'listImages',
    ),
  )

export const listing: readonly ImagesFault[] = [
  fault(
    'listing-needs-a-query',
    'Refuses to list where neither page nor per_page is given.',
    ['IMG-LIST-01'],
    onSuccess(
      (_reply, { query }) =>
        query.size > 0 ? undefined : refuse('page and per_page have to be given'),
      'listImages',
    ),
  ),
  fault(
    'listing-redirects-to-its-first-page',
    'Sends a client that names no page to the address of the first one.',
    ['IMG-LIST-01'],
    onSuccess(
      (_reply, { path, query }) => (query.size > 0 ? undefined : redirect(302, `${path}?page=1`)),
      'listImages',
    ),
  ),

  fault(
    'lone-image-is-listed-without-an-array',
    'A page of one image shows that image in place of an array.',
    ['IMG-LIST-02'],
    onSuccess((reply, { query }) => {
      const images = imagesOf(reply)
      return images.length === 1 && query.get('per_page') === '1'
        ? withResult(reply, { images: images[0] })
        : undefined
    }, 'listImages'),
  ),
  fault(
    'empty-page-has-no-array',
    'A page past the end has null in place of an empty array.',
    ['IMG-LIST-02'],
    onSuccess(
      (reply, call) =>
        number(call, 'page', 1) > 1 && imagesOf(reply).length === 0
          ? withResult(reply, { images: null })
          : undefined,
      'listImages',
    ),
  ),

  fault(
    'uploaded-image-is-never-listed',
    'Lists what came by tickets, and nothing that was uploaded.',
    ['IMG-LIST-03'],
    onSuccess((reply, { server }) => {
      const image = server.store.get(String(resultOf(reply)['id']))
      if (image === undefined) return undefined
      server.store.unlist(image)
      // Another object: it counts as a deviation, though the answer reads the same.
      return { ...reply }
    }, 'uploadImage'),
  ),
  fault(
    'listing-changes-the-case-of-ids',
    'The listing shows ids in capital letters.',
    ['IMG-LIST-03'],
    onSuccess((reply) => {
      const images = imagesOf(reply)
      return images.length === 0
        ? undefined
        : withResult(reply, {
            ...resultOf(reply),
            images: images.map((image) => ({ ...image, id: String(image['id']).toUpperCase() })),
          })
    }, 'listImages'),
  ),

  fault(
    'listing-shows-private-images-as-public',
    'The listing shows every image with requireSignedURLs false.',
    ['IMG-LIST-03'],
    onSuccess((reply) => {
      const images = imagesOf(reply)
      if (images.every((image) => image['requireSignedURLs'] === false)) return undefined
      return withResult(reply, {
        ...resultOf(reply),
        images: images.map((image) => ({ ...image, requireSignedURLs: false })),
      })
    }, 'listImages'),
  ),
  fault(
    'completed-upload-is-never-listed',
    'Lists what was uploaded, and nothing that came by a ticket.',
    ['IMG-LIST-03'],
    onSuccess((reply, { params, server }) => {
      const image = server.store.get(server.store.tickets.get(params['token'] ?? '')?.id ?? '')
      if (image === undefined) return undefined
      server.store.unlist(image)
      // Another object: it counts as a deviation, though the answer reads the same.
      return { ...reply }
    }, 'completeDirectUpload'),
  ),

  paging(
    'pages-overlap',
    'Each page from the second on begins one image too early.',
    ['IMG-LIST-04'],
    (call, at, size) =>
      at > 1 && (at - 1) * size <= listed(call).length
        ? call.server.store.page((at - 1) * size - 1, size)
        : undefined,
  ),
  paging(
    'pages-change-their-order',
    'The first page has the oldest images first, all others the newest.',
    ['IMG-LIST-04'],
    (call, at, size) =>
      at > 1 && (at - 1) * size < listed(call).length
        ? call.server.store.page((at - 1) * size, size, 'newest')
        : undefined,
  ),
  paging(
    'page-is-ignored',
    'Shows the first page, whichever one is asked for.',
    ['IMG-LIST-04', 'IMG-LIST-07'],
    (call, at, size) =>
      at > 1 && listed(call).length > 0 ? call.server.store.page(0, size) : undefined,
  ),
  paging(
    'pages-are-counted-from-zero',
    'Page 1 is the second one.',
    ['IMG-LIST-04', 'IMG-LIMIT-05'],
    (call, at, size) =>
      listed(call).length > 0 && call.query.has('page')
        ? call.server.store.page(at * size, size)
        : undefined,
  ),

  paging(
    'small-pages-have-ten',
    'A per_page below ten gives ten images all the same.',
    ['IMG-LIST-05'],
    (call, at, size) =>
      size < 10 && at === 1 && listed(call).length > size
        ? call.server.store.page(0, 10)
        : undefined,
  ),
  paging(
    'small-pages-have-one-more',
    'A page of less than ten has one image more than per_page says.',
    ['IMG-LIST-05'],
    (call, at, size) =>
      size < 10 && listed(call).length > at * size
        ? call.server.store.page((at - 1) * size, size + 1)
        : undefined,
  ),
  unknownSize(1),
  unknownSize(2),

  lenient('page', '0'),
  lenient('page', 'one'),
  lenient('page', '1.5'),
  lenient('per_page', '0'),
  lenient('per_page', '-1'),
  lenient('per_page', 'ten'),

  paging(
    'past-the-end-is-the-last-page',
    'A page past the end shows the last images again.',
    ['IMG-LIST-07'],
    (call, at, size) => {
      const total = listed(call).length
      const last = Math.max(1, Math.ceil(total / size))
      return at > last && total > 0 ? call.server.store.page((last - 1) * size, size) : undefined
    },
  ),
  paging(
    'past-the-end-starts-over',
    'A page past the end shows the first images again.',
    ['IMG-LIST-07'],
    (call, at, size) =>
      listed(call).length > 0 && (at - 1) * size >= listed(call).length
        ? call.server.store.page(0, size)
        : undefined,
  ),
]
