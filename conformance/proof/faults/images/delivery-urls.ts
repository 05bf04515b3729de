import type { ImagesCall, ImagesOperation } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import {
  fault,
  onRecords,
  onRequest,
  operationsWithImages,
  resultOf,
  withResult,
  type Json,
} from './building.ts'
import { uploadWayOf } from './delivery-kit.ts'

// Servers that return wrong delivery URLs in the responses of some operations, or URLs for the
// wrong variants of an image.

/** The operations in whose responses checks examine delivery URLs. */
const examinedOperations = [
  'uploadImage',
  'listImages',
  'getImage',
  'batchUploadImage',
  'batchListImages',
] as const satisfies readonly ImagesOperation[]

const hyphenate = (operation: string) =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Changes the delivery URLs of every image that an operation returns. */
const changeUrls = (
  name: string,
  description: string,
  operation: ImagesOperation,
  change: (urls: readonly string[], image: Json, call: ImagesCall) => string[],
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-ADDRESS-02'],
    onRecords((image, hit, call) => {
      const urls = image['variants'] as string[]
      const changed = change(urls, image, call)
      if (JSON.stringify(changed) === JSON.stringify(urls)) return
      hit()
      image['variants'] = changed
    }, operation),
  )

const lastSegment = (url: string) => url.slice(url.lastIndexOf('/') + 1)

/** The delivery URLs of the first image in the list of the account. */
const urlsOfFirst = (urls: readonly string[], { id }: Json, { server }: ImagesCall) => {
  const first = server.store.listed[0]
  const [own, other] = [String(id), first?.id ?? String(id)]
  return urls.map((url) =>
    url.replace(`/${encodeURIComponent(own)}/`, `/${encodeURIComponent(other)}/`),
  )
}

/** The responses in which a fault returns too few or too many delivery URLs. */
const otherOperations = examinedOperations.filter((operation) => operation !== 'getImage')

const urlChanges: readonly [name: string, description: string, (urls: string[]) => string[]][] = [
  ['has-no-urls', 'returns images without delivery URLs', () => []],
  [
    'has-one-url',
    'returns only the delivery URL of the first variant of the account',
    (urls) => urls.slice(0, 1),
  ],
  [
    'has-each-url-twice',
    'returns each delivery URL of an image twice',
    (urls) => [...urls, ...urls],
  ],
  [
    'has-urls-of-unknown-variants',
    'returns a delivery URL for a variant that does not exist',
    ([first, ...others]) =>
      first === undefined ? [] : [first, ...others, first.replace(/[^/]*$/, 'thumbnail')],
  ],
]

export const deliveryUrls: readonly ImagesFault[] = [
  ...otherOperations.flatMap((operation) =>
    urlChanges.map(([name, description, change]) =>
      fault(
        `${hyphenate(operation)}-${name}`,
        `In ${operation}, ${description}.`,
        ['IMG-IMAGE-10'],
        onRecords((image, hit) => {
          const urls = image['variants'] as string[]
          const changed = change(urls)
          if (JSON.stringify(changed) === JSON.stringify(urls)) return
          hit()
          image['variants'] = changed
        }, operation),
      ),
    ),
  ),

  ...examinedOperations.map((operation) =>
    changeUrls(
      `${hyphenate(operation)}-shows-urls-of-the-first-image`,
      `In ${operation}, returns every image with the delivery URLs of the first image in the list.`,
      operation,
      urlsOfFirst,
    ),
  ),
  ...(['uploadImage', 'batchUploadImage'] as const).flatMap((operation) => [
    changeUrls(
      `${hyphenate(operation)}-shows-names-of-variants`,
      `In ${operation}, returns the names of variants instead of delivery URLs.`,
      operation,
      (urls) => urls.map(lastSegment),
    ),
    changeUrls(
      `${hyphenate(operation)}-shows-a-string-that-is-not-a-url`,
      `In ${operation}, returns one string that is not a URL as the variants of an image.`,
      operation,
      () => ['no url at all'],
    ),
  ]),

  fault(
    'newest-variant-has-no-url',
    'Returns images without the delivery URL of the newest variant.',
    ['IMG-IMAGE-10'],
    onRecords((image, hit) => {
      const urls = image['variants'] as string[]
      if (urls.length < 2) return
      hit()
      image['variants'] = urls.slice(0, -1)
    }, operationsWithImages),
  ),
  fault(
    'deleted-variants-keep-their-urls',
    'Returns images with delivery URLs of deleted variants.',
    ['IMG-IMAGE-10'],
    (hit) => {
      const deleted = new Set<string>()
      return onRequest(
        async (call, next) => {
          if (call.operation !== 'deleteVariant')
            return onRecords((image) => {
              const urls = image['variants'] as string[]
              const [first] = urls
              if (first === undefined || deleted.size === 0) return
              hit()
              image['variants'] = [
                ...urls,
                ...[...deleted]
                  .map((name) => first.replace(/[^/]*$/, name))
                  .filter((url) => !urls.includes(url)),
              ]
            }, operationsWithImages)(hit).around!(call, next)
          const reply = await next()
          if (reply.status === 200) deleted.add(call.params['variant_id'] ?? '')
          return reply
        },
        [...operationsWithImages, 'deleteVariant'],
      )(hit)
    },
  ),
  ...(
    [
      ['file-with-id', 'uploaded with an id'],
      ['url', 'uploaded by URL'],
      ['ticket', 'of direct uploads'],
    ] as const
  ).map(([way, which]) =>
    fault(
      `images-from-a-${way}-have-no-urls`,
      `Returns images ${which} without delivery URLs.`,
      ['IMG-IMAGE-10'],
      (hit) => {
        const ids = new Set<unknown>()
        return {
          around: async (call, next) => {
            const isSelected = (await uploadWayOf(call)) === way
            const reply = await next()
            const result = resultOf(reply)
            if (isSelected && reply.status === 200) ids.add(result['id'])
            if (call.operation !== 'getImage' || !ids.has(result['id'])) return reply
            hit()
            return withResult(reply, { ...result, variants: [] })
          },
        }
      },
    ),
  ),
]
