import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  recordOf,
  success,
  type ImagesCall,
  type Image,
  type ImagesOperation,
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

const numberIn = (call: ImagesCall, name: string, defaultValue: number) =>
  Number(call.query.get(name) ?? defaultValue)
const listedImages = (call: ImagesCall) => call.server.store.listed
const listReply = (call: ImagesCall, images: Image[]) =>
  success(call, { images: images.map((image) => recordOf(call.server, image, 'result')) })
const imagesOf = (reply: ImagesReply) => (resultOf(reply)['images'] ?? []) as Json[]

/** Replaces the images of a page, unless `images` returns undefined. */
const changePage = (
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
      const other = images(call, numberIn(call, 'page', 1), numberIn(call, 'per_page', 100))
      return other === undefined ? undefined : listReply(call, other)
    }, 'listImages'),
  )

/** Returns a success without images for a page or per_page that is not a positive integer. */
const returnNothing = (name: 'page' | 'per_page', wrong: string): ImagesFault =>
  fault(
    `listing-has-no-images-for-${name}-${wrong.replace('.', '-').replace('-1', 'minus-1')}`,
    `Returns a success without images for ${name}=${wrong}.`,
    ['IMG-LIST-06'],
    onRequest(async (call, next, hit) => {
      if (call.query.get(name) !== wrong) return next()
      hit()
      return success(call, {})
    }, list),
  )

/** Refuses a page size if the page would contain only some of the images. */
const refusePageSize = (size: number): ImagesFault =>
  fault(
    `listing-refuses-pages-of-${size}`,
    `Refuses per_page=${size} if there are more images.`,
    ['IMG-LIST-05'],
    onSuccess(
      (_reply, call) =>
        numberIn(call, 'per_page', 100) !== size || listedImages(call).length <= size
          ? undefined
          : refuse('There is no such page size'),
      'listImages',
    ),
  )

/** Skips one image after each page of some sizes. */
const skipAfterPages = (
  name: string,
  description: string,
  [operation, violated]: readonly [ImagesOperation, RequirementId],
  isSkipped: (size: number) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    [violated],
    onSuccess((_reply, call) => {
      const [at, size] = [numberIn(call, 'page', 1), numberIn(call, 'per_page', 100)]
      const start = (at - 1) * (size + 1)
      return isSkipped(size) && at > 1 && start < listedImages(call).length
        ? listReply(call, call.server.store.page(start, size))
        : undefined
    }, operation),
  )

export const listing: readonly ImagesFault[] = [
  fault(
    'listing-needs-a-query',
    'Refuses a list request with neither page nor per_page.',
    ['IMG-LIST-01'],
    onSuccess(
      (_reply, { query }) =>
        query.size > 0 ? undefined : refuse('page and per_page are required'),
      'listImages',
    ),
  ),
  fault(
    'listing-redirects-to-its-first-page',
    'Redirects a list without page to the URL of the first page.',
    ['IMG-LIST-01'],
    onSuccess(
      (_reply, { path, query }) => (query.size > 0 ? undefined : redirect(302, `${path}?page=1`)),
      'listImages',
    ),
  ),

  fault(
    'lone-image-is-listed-without-an-array',
    'Returns a page of one image as an object instead of an array.',
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
    'Returns null instead of an empty array for a page past the end.',
    ['IMG-LIST-02'],
    onSuccess(
      (reply, call) =>
        numberIn(call, 'page', 1) > 1 && imagesOf(reply).length === 0
          ? withResult(reply, { images: null })
          : undefined,
      'listImages',
    ),
  ),

  fault(
    'uploaded-image-is-never-listed',
    'Does not list uploads to the account host, except for direct uploads.',
    ['IMG-LIST-03'],
    onSuccess((reply, { server }) => {
      const image = server.store.get(String(resultOf(reply)['id']))
      if (image === undefined) return undefined
      server.store.unlist(image)
      // Returns a copy, so that a hit is counted although the response is the same.
      return { ...reply }
    }, 'uploadImage'),
  ),
  fault(
    'listing-changes-the-case-of-ids',
    'Lists ids in upper case.',
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
    'Lists every image with requireSignedURLs: false.',
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
    'Does not list images that were uploaded with a ticket.',
    ['IMG-LIST-03'],
    onSuccess((reply, { params, server }) => {
      const image = server.store.get(server.store.tickets.get(params['token'] ?? '')?.id ?? '')
      if (image === undefined) return undefined
      server.store.unlist(image)
      // Returns a copy, so that a hit is counted although the response is the same.
      return { ...reply }
    }, 'completeDirectUpload'),
  ),

  changePage(
    'pages-overlap',
    'Starts all pages except page 1 one image too early.',
    ['IMG-LIST-04'],
    (call, at, size) =>
      at > 1 && (at - 1) * size <= listedImages(call).length
        ? call.server.store.page((at - 1) * size - 1, size)
        : undefined,
  ),
  fault(
    'small-pages-lose-images-of-the-batch-host',
    'Omits images of the batch host in pages of fewer than 100 images, other than 50.',
    ['IMG-LIST-04'],
    (hit) => {
      const batchIds = new Set<unknown>()
      return onSuccess((reply, call) => {
        if (call.operation === 'batchUploadImage') batchIds.add(resultOf(reply)['id'])
        const size = numberIn(call, 'per_page', 100)
        if (call.operation !== 'listImages' || size >= 100 || size === 50) return undefined
        const kept = imagesOf(reply).filter(({ id }) => !batchIds.has(id))
        return kept.length === imagesOf(reply).length
          ? undefined
          : withResult(reply, { images: kept })
      })(hit)
    },
  ),
  skipAfterPages(
    'pages-skip-an-image',
    'Skips one image after each page of 11 to 99 images, other than 50, in listImages.',
    ['listImages', 'IMG-LIST-04'],
    (size) => size > 10 && size < 100 && size !== 50,
  ),
  skipAfterPages(
    'batch-pages-skip-an-image',
    'Skips one image after each page in batchListImages.',
    ['batchListImages', 'IMG-BATCH-10'],
    () => true,
  ),
  skipAfterPages(
    'batch-pages-of-uneven-size-skip-an-image',
    'Skips one image after each page in batchListImages whose size is not a multiple of ten.',
    ['batchListImages', 'IMG-BATCH-10'],
    (size) => size % 10 !== 0,
  ),
  changePage(
    'pages-change-their-order',
    'Lists the oldest images first on the first page, and the newest first on the others.',
    ['IMG-LIST-04'],
    (call, at, size) =>
      at > 1 && (at - 1) * size < listedImages(call).length
        ? call.server.store.page((at - 1) * size, size, 'newest')
        : undefined,
  ),
  changePage(
    'page-is-ignored',
    'Returns the first page for every value of page.',
    ['IMG-LIST-04', 'IMG-LIST-07'],
    (call, at, size) =>
      at > 1 && listedImages(call).length > 0 ? call.server.store.page(0, size) : undefined,
  ),
  changePage(
    'page-needs-per-page',
    'Returns the first page for every value of page, unless the request has per_page.',
    ['IMG-LIST-07', 'IMG-LIST-04'],
    (call, at, size) =>
      at > 1 && !call.query.has('per_page') && listedImages(call).length > 0
        ? call.server.store.page(0, size)
        : undefined,
  ),
  changePage(
    'pages-are-counted-from-zero',
    'Counts pages from 0.',
    ['IMG-LIST-04', 'IMG-LIMIT-05'],
    (call, at, size) =>
      listedImages(call).length > 0 && call.query.has('page')
        ? call.server.store.page(at * size, size)
        : undefined,
  ),

  changePage(
    'small-pages-have-ten',
    'Returns ten images if per_page is below ten.',
    ['IMG-LIST-05'],
    (call, at, size) =>
      size < 10 && at === 1 && listedImages(call).length > size
        ? call.server.store.page(0, 10)
        : undefined,
  ),
  changePage(
    'small-pages-have-one-more',
    'Returns one image more than per_page if per_page is below ten.',
    ['IMG-LIST-05'],
    (call, at, size) =>
      size < 10 && listedImages(call).length > at * size
        ? call.server.store.page((at - 1) * size, size + 1)
        : undefined,
  ),
  refusePageSize(1),
  refusePageSize(2),

  returnNothing('page', '0'),
  returnNothing('page', 'one'),
  returnNothing('page', '1.5'),
  returnNothing('per_page', '0'),
  returnNothing('per_page', '-1'),
  returnNothing('per_page', 'ten'),

  changePage(
    'past-the-end-is-the-last-page',
    'Returns the last images for a page past the end.',
    ['IMG-LIST-07'],
    (call, at, size) => {
      const total = listedImages(call).length
      const last = Math.max(1, Math.ceil(total / size))
      return at > last && total > 0 ? call.server.store.page((last - 1) * size, size) : undefined
    },
  ),
  changePage(
    'past-the-end-starts-over',
    'Returns the first images for a page past the end.',
    ['IMG-LIST-07'],
    (call, at, size) =>
      listedImages(call).length > 0 && (at - 1) * size >= listedImages(call).length
        ? call.server.store.page(0, size)
        : undefined,
  ),
]
