import {
  success,
  type ImagesCall,
  type ImagesOperation,
} from '../../../../mocks/stateful/images.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ImagesFault } from './fault.ts'
import {
  fault,
  isObject,
  onForm,
  onJson,
  onRequest,
  onResult,
  onSuccess,
  resultOf,
  withResult,
  type Json,
} from './building.ts'
import { openPrivate } from './delivery-kit.ts'

// Servers that break a requirement only for some requests: an upload by URL, a ticket with a
// certain field, an unusual id, or an account with many variants.

const imageId = ({ params }: ImagesCall) => params['image_id'] ?? ''
const variantId = ({ params }: ImagesCall) => params['variant_id'] ?? ''

/** Accepts uploads by URL that should be refused because of their token. */
const acceptUrlUpload = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  where: ImagesOperation,
  accepts: (call: ImagesCall) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onRequest(async (call, next, hit) => {
      const form = await call.form().catch(() => undefined)
      const expected = call.host === 'batch' ? 'batch' : 'api'
      const isCorrect = call.server.roleOf(call.headers['authorization']) === expected
      if (form?.fields['url'] === undefined || isCorrect || !accepts(call)) return next()
      hit()
      call.authorize = () => undefined
      return next()
    }, where),
  )

const roleOf = ({ server, headers }: ImagesCall) => server.roleOf(headers['authorization'])
const isUnknown = (call: ImagesCall) =>
  call.headers['authorization'] !== undefined && roleOf(call) === undefined

interface TicketField {
  readonly name: string
  readonly title: string
  isIn(body: Json): boolean
}
const ticketFields: readonly TicketField[] = [
  {
    name: 'requireSignedURLs',
    title: 'requireSignedURLs: true',
    isIn: (body) => body['requireSignedURLs'] === true,
  },
  ...['metadata', 'id', 'expiry'].map((name) => ({
    name,
    title: name,
    isIn: (body: Json) => body[name] !== undefined,
  })),
]

/** Makes a fault that returns a wrong `draft` for the image of a ticket with a certain field. */
const changeDraft =
  ({ isIn }: TicketField, draft: boolean): ImagesFault['make'] =>
  (hit) => {
    const ids = new Set<unknown>()
    return onRequest(
      async (call, next) => {
        if (call.operation === 'createDirectUpload') {
          const body = await call.json().catch(() => undefined)
          const reply = await next()
          if (isObject(body) && isIn(body) && reply.status === 200) ids.add(resultOf(reply)['id'])
          return reply
        }
        const reply = await next()
        const result = resultOf(reply)
        if (!ids.has(result['id']) || (result['draft'] === true) === draft) return reply
        hit()
        return withResult(reply, { ...result, draft })
      },
      ['createDirectUpload', 'getImage'],
    )(hit)
  }

const idChanges: Readonly<Record<string, [string, (id: string) => string]>> = {
  'are-cut-at-64': ['cuts ids at 64 characters', (id) => id.slice(0, 64)],
  'are-lower-cased': ['changes ids to lower case', (id) => id.toLowerCase()],
  'lose-their-plus-signs': [
    'replaces plus signs in ids with blanks',
    (id) => id.replaceAll('+', ' '),
  ],
  'are-decoded-again': [
    'decodes percent-encodings in ids',
    (id) => (/%[0-9A-F]{2}/i.test(id) ? decodeURIComponent(id) : id),
  ],
  'lose-their-blanks': ['replaces blanks in ids with hyphens', (id) => id.replaceAll(' ', '-')],
  'are-read-as-latin-1': [
    'reads non-ASCII ids as Latin-1',
    (id) => Buffer.from(id, 'utf8').toString('latin1'),
  ],
}

/** Changes the id in a request. */
const changeId = (change: (id: string) => string) => (fields: Json, hit: () => void) => {
  const { id } = fields
  if (typeof id !== 'string' || change(id) === id) return
  hit()
  fields['id'] = change(id)
}

/** Omits the first image of the third page and of each later page. */
const skipOnLaterPages = (where: ImagesOperation): ImagesFault['make'] =>
  onResult((result, hit, call) => {
    const images = result['images'] as unknown[]
    if (Number(call.query.get('page')) < 3 || images.length === 0) return
    hit()
    images.shift()
  }, where)

export const combinations: readonly ImagesFault[] = [
  acceptUrlUpload(
    'url-upload-ignores-the-token',
    'Accepts an upload by URL with any token or none.',
    ['IMG-AUTH-01', 'IMG-AUTH-03', 'IMG-AUTH-10'],
    'uploadImage',
    () => true,
  ),
  acceptUrlUpload(
    'url-upload-accepts-unknown-tokens',
    'Accepts an upload by URL with an unknown token.',
    ['IMG-AUTH-01'],
    'uploadImage',
    isUnknown,
  ),
  acceptUrlUpload(
    'url-upload-needs-no-permission',
    'Accepts an upload by URL with a token without the permission to edit images.',
    ['IMG-AUTH-03'],
    'uploadImage',
    (call) => roleOf(call) === 'limited',
  ),
  acceptUrlUpload(
    'url-upload-accepts-tokens-of-all-accounts',
    'Accepts an upload by URL with the token of another account.',
    ['IMG-AUTH-10'],
    'uploadImage',
    (call) => roleOf(call) === 'other',
  ),
  acceptUrlUpload(
    'batch-url-upload-ignores-the-token',
    'Accepts an upload by URL to the batch host with any token or none.',
    ['IMG-AUTH-05'],
    'batchUploadImage',
    () => true,
  ),
  acceptUrlUpload(
    'batch-url-upload-accepts-unknown-tokens',
    'Accepts an upload by URL to the batch host with an unknown token.',
    ['IMG-AUTH-05'],
    'batchUploadImage',
    isUnknown,
  ),

  ...ticketFields.flatMap((field) => [
    fault(
      `draft-with-${field.name}-is-shown-as-stored`,
      `Returns draft: false for the image of an unused ticket with ${field.title}.`,
      ['IMG-STATE-01'],
      changeDraft(field, false),
    ),
    fault(
      `completed-ticket-with-${field.name}-stays-a-draft`,
      `Returns draft: true for the image of a used ticket with ${field.title}.`,
      ['IMG-STATE-02'],
      changeDraft(field, true),
    ),
  ]),

  fault(
    'draft-survives-its-deletion',
    'Reports the deletion of a draft, but keeps it.',
    ['IMG-DELETE-02'],
    onRequest((call, next, hit) => {
      if (call.server.store.get(imageId(call))?.draft !== true) return next()
      hit()
      return Promise.resolve(success(call, {}))
    }, 'deleteImage'),
  ),
  fault(
    'changed-variant-survives-its-deletion',
    'Reports the deletion of a variant that was changed, but keeps it.',
    ['IMG-VARIANTS-07'],
    (hit) => {
      const changed = new Set<string>()
      return onRequest(
        (call, next) => {
          if (call.operation === 'updateVariant') changed.add(variantId(call))
          if (call.operation === 'updateVariant' || !changed.has(variantId(call))) return next()
          hit()
          return Promise.resolve(success(call, {}))
        },
        ['updateVariant', 'deleteVariant'],
      )(hit)
    },
  ),

  fault(
    'broken-metadata-is-dropped-with-a-url',
    'Ignores the metadata of an upload by URL if it is not JSON.',
    ['IMG-UPLOAD-10'],
    onForm(({ fields }, hit) => {
      if (fields['url'] === undefined || !isBroken(fields['metadata'])) return
      hit()
      delete fields['metadata']
    }, 'uploadImage'),
  ),
  fault(
    'array-as-metadata-with-a-url',
    'Ignores the metadata of an upload by URL if it is an array.',
    ['IMG-UPLOAD-10'],
    onForm(({ fields }, hit) => {
      if (fields['url'] === undefined || fields['metadata']?.startsWith('[') !== true) return
      hit()
      delete fields['metadata']
    }, 'uploadImage'),
  ),
  fault(
    'wrong-flag-is-dropped-with-a-url',
    'Ignores requireSignedURLs of an upload by URL if it is neither true nor false.',
    ['IMG-UPLOAD-08'],
    onForm(({ fields }, hit) => {
      const flag = fields['requireSignedURLs']
      if (fields['url'] === undefined || flag === undefined || /^(true|false)$/.test(flag)) return
      hit()
      delete fields['requireSignedURLs']
    }, 'uploadImage'),
  ),

  ...Object.entries(idChanges).flatMap(([name, [description, change]]) => [
    fault(
      `ids-of-uploads-${name}`,
      `In uploads, ${description}.`,
      ['IMG-UPLOAD-05'],
      onForm(({ fields }, hit) => changeId(change)(fields, hit), 'uploadImage'),
    ),
    fault(
      `ids-of-tickets-${name}`,
      `In ticket requests, ${description}.`,
      ['IMG-TICKET-11'],
      onJson((body, hit) => changeId(change)(body, hit), 'createDirectUpload'),
    ),
  ]),
  fault(
    'plus-sign-in-a-path-is-a-blank',
    'Reads a plus sign in the path of an image as a blank.',
    ['IMG-GET-05'],
    onRequest((call, next, hit) => {
      if (!call.path.includes('+')) return next()
      hit()
      call.params['image_id'] = imageId(call).replaceAll('+', ' ')
      return next()
    }, 'getImage'),
  ),

  ...['expiry', 'metadata'].map((name) =>
    fault(
      `private-ticket-with-${name}-accepts-an-id`,
      `Ignores requireSignedURLs: true of a ticket with an id and ${name}.`,
      ['IMG-TICKET-12'],
      onJson((body, hit) => {
        if (body['id'] === undefined || body['requireSignedURLs'] !== true) return
        if (body[name] === undefined) return
        hit()
        return { ...body, requireSignedURLs: false }
      }, 'createDirectUpload'),
    ),
  ),
  fault(
    'long-invalid-expiry-is-ignored',
    'Ignores an expiry that is not a timestamp, if it has more than ten characters.',
    ['IMG-TICKET-09'],
    onJson((body, hit, { server }) => {
      const { expiry, ...others } = body
      if (typeof expiry !== 'string' || expiry.length <= 10) return
      if (server.rules.parseExpiry(expiry) !== undefined) return
      hit()
      return others
    }, 'createDirectUpload'),
  ),

  fault(
    'any-token-opens-private-images',
    'Delivers a private image without a signature if the request has a token.',
    ['IMG-IMAGE-08'],
    openPrivate(({ headers }) => headers['authorization'] !== undefined),
  ),
  fault(
    'an-open-variant-opens-an-image',
    'Delivers a private image in all variants once it was delivered in one that needs no signature.',
    ['IMG-IMAGE-08'],
    (hit) => {
      const opened = new Set<string>()
      return openPrivate(({ server, params }, { id }) => {
        const isOpened = opened.has(id)
        const variant = server.store.variants.get(params['variant'] ?? '')
        if (variant?.neverRequireSignedURLs === true) opened.add(id)
        return isOpened
      })(hit)
    },
  ),

  fault(
    'later-pages-lose-an-image',
    'Omits the first image of the third page and of each later page.',
    ['IMG-LIST-04'],
    skipOnLaterPages('listImages'),
  ),
  fault(
    'later-pages-of-the-batch-host-lose-an-image',
    'Omits the first image of the third page and of each later page on the batch host.',
    ['IMG-BATCH-10'],
    skipOnLaterPages('batchListImages'),
  ),
  fault(
    'list-has-at-most-20-variants',
    'Lists at most 20 variants.',
    ['IMG-VARIANTS-11'],
    onResult((result, hit) => {
      const variants = Object.entries(Object(result['variants']) as Json)
      if (variants.length <= 20) return
      hit()
      result['variants'] = Object.fromEntries(variants.slice(0, 20))
    }, 'listVariants'),
  ),
  fault(
    'image-has-at-most-20-urls',
    'Returns at most 20 delivery URLs with an image.',
    ['IMG-IMAGE-10'],
    onSuccess((reply) => {
      const result = resultOf(reply)
      const urls = result['variants']
      if (!Array.isArray(urls) || urls.length <= 20) return undefined
      return withResult(reply, { ...result, variants: urls.slice(0, 20) })
    }, 'getImage'),
  ),
]

function isBroken(text: string | undefined): boolean {
  try {
    JSON.parse(text ?? '{}')
    return false
  } catch {
    return true
  }
}
