import { failure, type ImagesCall } from '../../../../mocks/stateful/images.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import type { ImagesFault } from './fault.ts'
import { storeTooLarge } from './file-size.ts'
import { fault, onJson, onRequest, onResult, resultOf, withResult } from './building.ts'

// Servers that keep a rule for one kind of request, such as an upload of a file, and break it for
// another.

const hourMs = 3_600_000

const always = () => Promise.resolve(true)
const isInChunks = (call: ImagesCall) =>
  Promise.resolve(call.headers['transfer-encoding'] === 'chunked')
const hasUrl = async (call: ImagesCall) => (await call.form()).fields['url'] !== undefined

const uploadKinds = [
  ['by-url', 'in an upload by URL', 'uploadImage', hasUrl],
  ['of-a-ticket', 'in a direct upload', 'completeDirectUpload', always],
  ['of-the-batch-host', 'on the batch host', 'batchUploadImage', always],
  ['in-chunks', 'in an upload without Content-Length', 'uploadImage', isInChunks],
  [
    'in-chunks-of-a-ticket',
    'in a direct upload without Content-Length',
    'completeDirectUpload',
    isInChunks,
  ],
  [
    'in-chunks-on-the-batch-host',
    'on the batch host without Content-Length',
    'batchUploadImage',
    isInChunks,
  ],
] as const

export const requestKindFaults: readonly ImagesFault[] = [
  ...uploadKinds.flatMap(([name, where, operation, isAffected]) => [
    storeTooLarge(
      `file-${name}-has-no-maximum`,
      `Accepts a file above the maximum size ${where}.`,
      operation,
      'accepts',
      isAffected,
    ),
    storeTooLarge(
      `large-file-${name}-is-refused-and-stored`,
      `Refuses a file above the maximum size ${where}, but stores it.`,
      operation,
      'refuses',
      isAffected,
    ),
  ]),
  fault(
    'files-may-have-a-third-of-the-maximum',
    'Refuses files above a third of the maximum size.',
    ['IMG-LIMIT-11'],
    onRequest(async (call, next, hit) => {
      const { maxFileBytes } = call.server.options
      const [file] = await call.form().then(
        ({ files }) => files,
        () => [],
      )
      if (file === undefined || file.bytes.length <= maxFileBytes / 3) return next()
      hit()
      return failure(call.server.choices, 413, 'The file is too large')
    }, 'uploadImage'),
  ),
  ...[false, true].map((isRefused) =>
    fault(
      isRefused
        ? 'large-metadata-by-url-are-refused-and-stored'
        : 'metadata-by-url-have-no-maximum',
      isRefused
        ? 'Refuses an upload by URL with metadata above the maximum size, but stores the image.'
        : 'Accepts metadata of any size with an upload by URL.',
      ['IMG-LIMIT-01'],
      onRequest(async (call, next, hit) => {
        const { url, metadata = '' } = (await call.form()).fields
        if (url === undefined || metadata.length <= 1024) return next()
        hit()
        replaceRulesOf(call, { maxMetadataBytes: 1_000_000 })
        const reply = await next()
        return isRefused ? failure(call.server.choices, 400, 'metadata is too large') : reply
      }, 'uploadImage'),
    ),
  ),

  fault(
    'image-is-read-by-the-beginning-of-its-id',
    'Returns an image whose id begins with the id in the path, if no image has exactly that id.',
    ['IMG-GET-03'],
    onRequest((call, next, hit) => {
      const { store } = call.server
      const id = call.params['image_id'] ?? ''
      if (store.read(id) !== undefined) return next()
      const longer = [...store.images.keys()].find((other) => other.startsWith(id))
      if (longer === undefined) return next()
      hit()
      call.params['image_id'] = longer
      return next()
    }, 'getImage'),
  ),
  fault(
    'percent-encoded-ids-are-unknown',
    'Does not decode percent-encoded letters of an id.',
    ['IMG-GET-05'],
    onRequest((call, next, hit) => {
      if (!/%[46-7]\d/.test(call.request.url ?? '')) return next()
      hit()
      return Promise.resolve(failure(call.server.choices, 404, 'There is no such image'))
    }, 'getImage'),
  ),
  fault(
    'deletion-concerns-all-ids-with-that-beginning',
    'Deletes every image whose id begins with the id in the path.',
    ['IMG-DELETE-04'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const { store } = call.server
      if (reply.status === 200)
        for (const id of [...store.images.keys()])
          if (id.startsWith(call.params['image_id'] ?? '') && store.remove(id)) hit()
      return reply
    }, 'deleteImage'),
  ),

  fault(
    'ticket-id-is-converted',
    'Accepts a number as the id of a ticket.',
    ['IMG-TICKET-16'],
    onJson((body, hit) => {
      if (typeof body['id'] !== 'number') return
      hit()
      return { ...body, id: String(body['id']) }
    }, 'createDirectUpload'),
  ),
  ...[false, true].map((isRefused) =>
    fault(
      isRefused ? 'several-tickets-are-refused-and-made' : 'first-of-several-tickets-is-made',
      isRefused
        ? 'Refuses an array of ticket requests, but creates the first ticket.'
        : 'Accepts an array of ticket requests, and creates the first ticket.',
      ['IMG-TICKET-16'],
      onRequest(async (call, next, hit) => {
        const body = await call.json().catch(() => undefined)
        if (!Array.isArray(body)) return next()
        hit()
        call.json = () => Promise.resolve(body[0] as unknown)
        const reply = await next()
        return isRefused ? failure(call.server.choices, 400, 'The body is an array') : reply
      }, 'createDirectUpload'),
    ),
  ),
  fault(
    'expiry-may-be-a-number',
    'Accepts a number of seconds as an expiry.',
    ['IMG-TICKET-09'],
    onJson((body, hit) => {
      const { expiry } = body
      if (typeof expiry !== 'number') return
      hit()
      return { ...body, expiry: new Date(expiry * 1000).toISOString() }
    }, 'createDirectUpload'),
  ),
  fault(
    'late-expiry-is-reduced-to-an-hour',
    'Reduces an expiry that is more than an hour ahead to one hour.',
    ['IMG-LIMIT-09'],
    onJson((body, hit, { server }) => {
      const soon = server.clock.now() + hourMs
      if (!(Date.parse(String(body['expiry'])) > soon)) return
      hit()
      return { ...body, expiry: new Date(soon).toISOString() }
    }, 'createDirectUpload'),
  ),
  fault(
    'late-expiry-is-an-hour-later',
    'Adds an hour to an expiry that is more than an hour ahead.',
    ['IMG-LIMIT-09'],
    onJson((body, hit, { server }) => {
      const expiry = Date.parse(String(body['expiry']))
      if (!(expiry > server.clock.now() + hourMs)) return
      hit()
      return { ...body, expiry: new Date(expiry + hourMs).toISOString() }
    }, 'createDirectUpload'),
  ),
  fault(
    'expiry-may-be-a-boolean',
    'Uses the default expiry if the expiry is a boolean.',
    ['IMG-TICKET-09'],
    onJson((body, hit) => {
      const { expiry, ...others } = body
      if (typeof expiry !== 'boolean') return
      hit()
      return others
    }, 'createDirectUpload'),
  ),
  fault(
    'expiry-is-read-without-its-offset',
    'Ignores the offset from UTC in an expiry.',
    ['IMG-LIMIT-09'],
    onJson((body, hit) => {
      if (!/[+-]\d\d:\d\d$/.test(String(body['expiry']))) return
      hit()
      return { ...body, expiry: String(body['expiry']).replace(/[+-]\d\d:\d\d$/, 'Z') }
    }, 'createDirectUpload'),
  ),
  fault(
    'expiry-is-at-least-half-an-hour-ahead',
    'Moves an expiry that is less than half an hour ahead to half an hour from now.',
    ['IMG-LIMIT-09'],
    onJson((body, hit, { server }) => {
      const earliest = server.clock.now() + 30 * 60_000
      if (!(Date.parse(String(body['expiry'])) < earliest)) return
      hit()
      return { ...body, expiry: new Date(earliest).toISOString() }
    }, 'createDirectUpload'),
  ),
  fault(
    'upload-urls-are-on-the-account-host',
    'Returns upload URLs on the account host.',
    ['IMG-TICKET-17'],
    onResult((result, hit, { server }) => {
      hit()
      const { pathname } = new URL(String(result['uploadURL']))
      return { ...result, uploadURL: new URL(pathname, server.urls.account).href }
    }, 'createDirectUpload'),
  ),
  fault(
    'upload-urls-have-no-port',
    'Returns upload URLs without the port of the upload host.',
    ['IMG-TICKET-17'],
    onResult((result, hit) => {
      hit()
      const url = new URL(String(result['uploadURL']))
      url.port = ''
      return { ...result, uploadURL: url.href }
    }, 'createDirectUpload'),
  ),

  ...(
    [
      ['opposite', 'the opposite of the new setting', (setting: unknown) => setting !== true],
      ['string', 'the new setting as a string', String],
    ] as const
  ).map(([name, returned, change]) =>
    fault(
      `configuration-is-answered-as-${name}`,
      `Returns ${returned} when the configuration is changed.`,
      ['IMG-CONFIG-04'],
      onRequest(async (call, next, hit) => {
        const body = (await call.json()) as { flexible_variants?: unknown }
        const reply = await next()
        if (reply.status !== 200) return reply
        hit()
        return withResult(reply, { flexible_variants: change(body.flexible_variants) })
      }, 'updateConfig'),
    ),
  ),
  ...(['fit', 'metadata'] as const).map((option) =>
    fault(
      `${option}-may-be-a-number`,
      `Accepts a number as ${option} of a variant.`,
      [option === 'fit' ? 'IMG-VARIANT-03' : 'IMG-VARIANT-07'],
      onJson((body, hit) => {
        const options = body['options'] as Record<string, unknown> | undefined
        if (typeof options?.[option] !== 'number') return
        hit()
        const { [option]: _, ...others } = options
        return { ...body, options: others }
      }, 'createVariant'),
    ),
  ),
  fault(
    'first-image-of-the-second-page-is-lost',
    'Omits the first image of the second page.',
    ['IMG-LIST-04', 'IMG-BATCH-10'],
    onRequest(
      async (call, next, hit) => {
        const reply = await next()
        const images = resultOf(reply)['images']
        const page = Number(call.query.get('page') ?? 1)
        if (!Array.isArray(images) || page !== 2 || images.length < 3) return reply
        hit()
        return withResult(reply, { images: images.slice(1) })
      },
      ['listImages', 'batchListImages'],
    ),
  ),
  fault(
    'last-page-is-full-or-empty',
    'Returns an empty page in place of a last page that is not full, unless it is page 1.',
    ['IMG-LIST-04', 'IMG-BATCH-10'],
    onRequest(
      async (call, next, hit) => {
        const reply = await next()
        const images = resultOf(reply)['images']
        const isShort =
          Array.isArray(images) && images.length < Number(call.query.get('per_page') ?? 100)
        if (!isShort || images.length === 0 || Number(call.query.get('page') ?? 1) === 1)
          return reply
        hit()
        return withResult(reply, { images: [] })
      },
      ['listImages', 'batchListImages'],
    ),
  ),
  ...([64, 87, 99] as const).map((size) =>
    fault(
      `full-page-has-${size}`,
      `Returns at most ${size} images per page.`,
      ['IMG-LIMIT-04'],
      onRequest((call, next, hit) => {
        const asked = Number(call.query.get('per_page') ?? 100)
        if (asked <= size || asked > 100) return next()
        if (call.server.store.listed.length > size) hit()
        replaceRulesOf(
          call,
          { perPageMax: size, perPageDefault: size },
          { perPageAboveMax: 'clamp' },
        )
        return next()
      }, 'listImages'),
    ),
  ),
]
