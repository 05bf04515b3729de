import { randomUUID } from 'node:crypto'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  failure,
  Refusal,
  type ImagesCall,
  type ImagesOperation,
  type ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { storeTooLarge } from './file-size.ts'
import { fault, isObject, onRequest, placeholder, type Json } from './building.ts'

// Servers that refuse a request with the right status, but carry it out.

/** Why a request is refused: because of its token, or because it is invalid. */
type Kind = 'anonymous' | 'limited' | 'other account' | 'other host' | 'invalid'

const reasons: Readonly<Record<Kind, string>> = {
  anonymous: 'the token is missing or unknown',
  limited: 'the token may not edit images',
  'other account': 'the token belongs to another account',
  'other host': 'the token belongs to the other host',
  invalid: 'the request is invalid',
}

function kindOf({ server, headers, host }: ImagesCall): Kind {
  const role = server.roleOf(headers['authorization'])
  if (role === undefined) return 'anonymous'
  if (role === 'limited') return 'limited'
  if (role === 'other') return 'other account'
  return role === (host === 'batch' ? 'batch' : 'api') ? 'invalid' : 'other host'
}

/** Carries out an operation without validation. Returns false if there was nothing to do. */
type Effect = (call: ImagesCall) => boolean | Promise<boolean>

const storeUpload: Effect = async (call) => {
  const { store, clock } = call.server
  const form = await call.form()
  const { id } = form.fields
  if (id === undefined || store.get(id) !== undefined) return false
  const { filename, type, bytes } = form.files[0] ?? placeholder
  store.add({
    ...{ id, filename, type, bytes, uploaded: clock.now() },
    ...{ requireSignedURLs: false, metadata: undefined, draft: false },
  })
  return true
}

const makeDraft: Effect = async (call) => {
  const { store, clock } = call.server
  const body = await bodyOf(call)
  const id = String(body['id'])
  if (body['id'] === undefined || store.get(id) !== undefined) return false
  store.add(
    {
      ...{ id, filename: '', type: '', bytes: undefined, uploaded: clock.now() },
      ...{ requireSignedURLs: false, metadata: undefined, draft: true },
    },
    { list: false },
  )
  return true
}

const defaults = { fit: 'scale-down', width: 1366, height: 768, metadata: 'none' }

const makeVariant: Effect = async (call) => {
  const { store } = call.server
  const body = await bodyOf(call)
  const id = String(body['id'])
  if (body['id'] === undefined || store.variants.has(id)) return false
  store.putVariant({ id, options: { ...defaults }, neverRequireSignedURLs: false })
  return true
}

const changeVariant: Effect = async (call) => {
  const { store } = call.server
  const old = store.variants.get(call.params['variant_id'] ?? '')
  const options = (await bodyOf(call))['options']
  if (old === undefined || !isObject(options)) return false
  const { width, height } = options as { width?: unknown; height?: unknown }
  const isSize = (value: unknown): value is number => Number.isInteger(value)
  store.putVariant({
    ...old,
    options: {
      ...old.options,
      ...(isSize(width) ? { width } : {}),
      ...(isSize(height) ? { height } : {}),
    },
  })
  return true
}

const removeImage: Effect = ({ server, params }) => server.store.remove(params['image_id'] ?? '')
const removeVariant: Effect = ({ server, params }) =>
  server.store.removeVariant(params['variant_id'] ?? '')

/** The body, or the first object of an array; an empty object if the body is neither. */
async function bodyOf(call: ImagesCall): Promise<Json> {
  const body = await call.json().catch(() => undefined)
  const [first] = Array.isArray(body) ? (body as unknown[]) : [body]
  return isObject(first) ? first : {}
}

/**
 * Reads the body before the handler of the operation does. After the returned function was called,
 * `call.json` also returns the complete members of a body that ends too early.
 */
async function keepMalformedJson(call: ImagesCall): Promise<() => void> {
  const chunks: Buffer[] = []
  for await (const chunk of call.request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const read = (json: string): unknown => (json === '' ? undefined : JSON.parse(json))
  call.json = () =>
    new Promise((resolve, reject) => {
      try {
        resolve(read(text))
      } catch {
        reject(new Refusal(400, 'The body is not JSON'))
      }
    })
  const repaired = text.replace(/,[^,]*$/, '}')
  return () => {
    const parsed = call.json().catch(() => read(repaired))
    call.json = () => parsed
  }
}

const effects: Partial<Record<ImagesOperation, Effect>> = {
  uploadImage: storeUpload,
  batchUploadImage: storeUpload,
  createDirectUpload: makeDraft,
  createVariant: makeVariant,
  updateVariant: changeVariant,
  deleteImage: removeImage,
  batchDeleteImage: removeImage,
  deleteVariant: removeVariant,
}

const hasFile = async (call: ImagesCall) => (await call.form()).files.length > 0

const isBatch = (operation: ImagesOperation) => operation.startsWith('batch')
const isJson = (operation: ImagesOperation) =>
  ['createDirectUpload', 'createVariant', 'updateVariant'].includes(operation)
const hyphenate = (text: string) =>
  text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/ /g, '-')

/** Refuses requests of this kind, but carries them out. */
function actAnyway(
  kind: Kind,
  operation: ImagesOperation,
  violates: readonly RequirementId[],
): ImagesFault {
  return fault(
    `${hyphenate(kind)}-request-refused-yet-${hyphenate(operation)}-acts`,
    `Refuses ${operation} because ${reasons[kind]}, but carries it out.`,
    violates,
    onRequest(async (call, next, hit) => {
      if (kindOf(call) !== kind) return next()
      const repair = isJson(operation) ? await keepMalformedJson(call) : undefined
      const reply = await next()
      if (reply.status < 400 || reply.status === 404) return reply
      repair?.()
      const acted = await Promise.resolve(effects[operation]!(call)).catch(() => false)
      if (acted) hit()
      return reply
    }, operation),
  )
}

const operations = Object.keys(effects) as ImagesOperation[]
const ofAccount = operations.filter((operation) => !isBatch(operation))

/** The requirements whose checks send an invalid request to an operation. */
const invalid: Partial<Record<ImagesOperation, readonly RequirementId[]>> = {
  uploadImage: [
    'IMG-UPLOAD-03',
    'IMG-UPLOAD-04',
    'IMG-UPLOAD-08',
    'IMG-UPLOAD-10',
    'IMG-UPLOAD-15',
    'IMG-UPLOAD-16',
    'IMG-LIMIT-01',
  ],
  batchUploadImage: ['IMG-BATCH-05'],
  createDirectUpload: [
    'IMG-TICKET-07',
    'IMG-TICKET-09',
    'IMG-TICKET-12',
    'IMG-TICKET-14',
    'IMG-TICKET-15',
    'IMG-LIMIT-02',
    'IMG-LIMIT-07',
  ],
  createVariant: [
    'IMG-VARIANT-03',
    'IMG-VARIANT-04',
    'IMG-VARIANT-05',
    'IMG-VARIANT-07',
    'IMG-VARIANT-09',
    'IMG-VARIANTS-09',
    'IMG-VARIANTS-15',
  ],
  updateVariant: ['IMG-VARIANTS-09', 'IMG-VARIANTS-10', 'IMG-VARIANTS-16'],
}

/** Stores the file of an upload that is refused for this reason, under an id that it generates. */
const storeElsewhere = (
  operation: ImagesOperation,
  violates: RequirementId,
  reason: NonNullable<ImagesReply['reason']>,
  what: string,
): ImagesFault =>
  fault(
    `${isBatch(operation) ? 'batch-' : ''}upload-with-${reason}-is-stored-elsewhere`,
    `Refuses ${what} in ${operation}, but stores the file under a generated id.`,
    [violates],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.reason !== reason) return reply
      const { store, clock } = call.server
      const [file = placeholder] = (await call.form()).files
      hit()
      store.add({
        ...{ id: randomUUID(), filename: file.filename, type: file.type, bytes: file.bytes },
        ...{ uploaded: clock.now(), requireSignedURLs: false, metadata: undefined, draft: false },
      })
      return reply
    }, operation),
  )

const elsewhere = [
  ['uploadImage', 'IMG-UPLOAD-04', 'file-and-url', 'a file and a URL together'],
  ['uploadImage', 'IMG-UPLOAD-08', 'flag-not-boolean', 'a flag that is not a boolean'],
  ['uploadImage', 'IMG-UPLOAD-10', 'metadata-not-json', 'metadata that is not JSON'],
  ['uploadImage', 'IMG-LIMIT-01', 'metadata-too-large', 'metadata that is too large'],
  ['batchUploadImage', 'IMG-BATCH-05', 'file-and-url', 'a file and a URL together'],
  ['batchUploadImage', 'IMG-BATCH-05', 'metadata-not-json', 'metadata that is not JSON'],
] as const

/** Stores the file of a direct upload that is refused for this reason. */
const completeAnyway = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  reason: ImagesReply['reason'],
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onRequest(async (call, next, hit) => {
      const { store, clock } = call.server
      const ticket = store.tickets.get(call.params['token'] ?? '')
      const image = ticket === undefined ? undefined : store.images.get(ticket.id)
      const reply = await next()
      const [file] = (await call.form()).files
      if (reply.reason !== reason || image === undefined || file === undefined) return reply
      // A draft that expires is removed when it is read.
      store.drafts.delete(image.id)
      if (image.isRemoved) store.add({ ...image, draft: false, ...file })
      store.complete(image, file, clock.now())
      hit()
      return reply
    }, 'completeDirectUpload'),
  )

export const refusals: readonly ImagesFault[] = [
  fault(
    'refused-deletion-ends-the-delivery',
    'Refuses to delete an image without a token, but no longer delivers the image.',
    ['IMG-AUTH-01'],
    (hit) => {
      const gone = new Set<string>()
      return onRequest(
        async (call, next) => {
          const reply = await next()
          const id = call.params['image_id'] ?? ''
          if (call.operation === 'deleteImage') {
            if (kindOf(call) === 'anonymous') gone.add(id)
            return reply
          }
          if (!gone.has(id) || reply.status !== 200) return reply
          hit()
          return failure(call.server.choices, 404, 'There is no such image')
        },
        ['deleteImage', 'deliverImage'],
      )(hit)
    },
  ),
  ...operations.map((operation) =>
    actAnyway('anonymous', operation, [
      isBatch(operation) ? 'IMG-AUTH-05' : 'IMG-AUTH-01',
      'IMG-AUTH-02',
    ]),
  ),
  ...ofAccount.map((operation) => actAnyway('limited', operation, ['IMG-AUTH-03'])),
  ...ofAccount.map((operation) => actAnyway('other account', operation, ['IMG-AUTH-10'])),
  ...operations.map((operation) =>
    actAnyway('other host', operation, [isBatch(operation) ? 'IMG-AUTH-06' : 'IMG-AUTH-09']),
  ),
  ...Object.entries(invalid).map(([operation, violates]) =>
    actAnyway('invalid', operation as ImagesOperation, violates),
  ),
  fault(
    'unknown-variant-is-created-by-a-refused-change',
    'Refuses to change an unknown variant, but creates it.',
    ['IMG-VARIANTS-08'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const id = call.params['variant_id'] ?? ''
      if (reply.reason !== 'variant-unknown') return reply
      hit()
      call.server.store.putVariant({ id, options: { ...defaults }, neverRequireSignedURLs: false })
      return reply
    }, 'updateVariant'),
  ),
  ...(
    [
      ['filename', 'IMG-GET-02'],
      ['bytes', 'IMG-DELIVERY-02'],
    ] as const
  ).map(([field, violates]) =>
    fault(
      `refused-upload-with-an-id-in-use-replaces-the-${field}`,
      `Refuses an upload with an id that is in use, but replaces the ${field} of the image.`,
      [violates],
      onRequest(async (call, next, hit) => {
        const reply = await next()
        if (reply.reason !== 'image-id-taken') return reply
        const { fields, files } = await call.form()
        const image = call.server.store.get(fields['id'] ?? '')
        const [file] = files
        if (image === undefined || file === undefined) return reply
        hit()
        Object.assign(image, { [field]: file[field] })
        return reply
      }, 'uploadImage'),
    ),
  ),
  ...elsewhere.map(([operation, violates, reason, what]) =>
    storeElsewhere(operation, violates, reason, what),
  ),
  ...(['uploadImage', 'batchUploadImage'] as const).map((operation) =>
    storeTooLarge(
      `${isBatch(operation) ? 'batch-' : ''}too-large-file-is-stored-elsewhere`,
      `Refuses a file that is too large in ${operation}, but stores it under a generated id.`,
      operation,
      'refuses-and-stores-elsewhere',
      hasFile,
    ),
  ),
  storeTooLarge(
    'too-large-file-is-refused-and-stored',
    'Refuses a file that is too large, but stores it.',
    'uploadImage',
    'refuses',
    hasFile,
  ),
  completeAnyway(
    'misnamed-file-is-refused-and-stored',
    'Refuses a direct upload whose file part is not named file, but stores the file.',
    ['IMG-COMPLETE-02'],
    'file-missing',
  ),
  completeAnyway(
    'second-file-is-refused-and-stored',
    'Refuses a second upload to a ticket, but replaces the image.',
    ['IMG-COMPLETE-03'],
    'ticket-used',
  ),
  completeAnyway(
    'late-file-is-refused-and-stored',
    'Refuses a direct upload after the expiry, but stores the file.',
    ['IMG-LIMIT-06', 'IMG-LIMIT-09'],
    'ticket-expired',
  ),
]
