import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { success, type ImagesCall, type UploadForm } from '../../../../mocks/stateful/images.ts'
import { replaceRulesOf, type Hit } from '../../../../mocks/kit/kit.ts'
import type { ImagesFault } from './fault.ts'
import {
  changeForm,
  fault,
  onForm,
  onRequest,
  placeholder,
  refuse,
  resultOf,
  type Json,
} from './building.ts'

// Faults of uploads to the batch host that concern uploads by URL, long ids, or the order of the
// form parts.

const upload = 'batchUploadImage'
const list = 'batchListImages'

/** Changes the forms of uploads by URL, or throws a refusal. */
const changeUrlUpload = (
  name: string,
  description: string,
  requirement: RequirementId,
  change: (fields: UploadForm['fields'], hit: Hit, form: UploadForm) => unknown,
): ImagesFault =>
  fault(
    name,
    `${description}, if an image is uploaded by URL to the batch host.`,
    [requirement],
    onForm((form, hit) => {
      if (form.files.length === 0 && form.fields['url'] !== undefined)
        change(form.fields, hit, form)
    }, upload),
  )

const dropField = (name: string) => (fields: UploadForm['fields'], hit: Hit) => {
  if (fields[name] === undefined) return
  hit()
  delete fields[name]
}

/** Drops the metadata of an upload by URL if `isInvalid` is true. */
const dropMetadata =
  (isInvalid: (text: string) => boolean) => (fields: UploadForm['fields'], hit: Hit) => {
    if (fields['metadata'] === undefined || !isInvalid(fields['metadata'])) return
    hit()
    delete fields['metadata']
  }

const isNotJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

/** The ids of images that were uploaded by URL to the batch host. */
const recordUrlUploads = async (
  call: ImagesCall,
  reply: { status: number; body: unknown },
  ids: Set<unknown>,
): Promise<void> => {
  if (call.operation !== upload || reply.status !== 200) return
  if ((await call.form()).fields['url'] !== undefined)
    ids.add((reply.body as { result?: Json }).result?.['id'])
}

/** Omits images from the list of the batch host. `byUrl` contains those that were fetched. */
const omit = (
  name: string,
  description: string,
  isOmitted: (image: Json, byUrl: ReadonlySet<unknown>) => boolean,
): ImagesFault =>
  fault(name, description, ['IMG-BATCH-07'], (hit) => {
    const byUrl = new Set<unknown>()
    return onRequest(
      async (call, next) => {
        const reply = await next()
        await recordUrlUploads(call, reply, byUrl)
        const images = resultOf(reply)['images'] as Json[] | undefined
        if (call.operation !== list || images === undefined) return reply
        const kept = images.filter((image) => !isOmitted(image, byUrl))
        if (kept.length < images.length) hit()
        return success(call, { ...resultOf(reply), images: kept })
      },
      [upload, list],
    )(hit)
  })

/** The names of the form fields that follow the file. */
const fieldsAfterFile = ({ fields, fieldsBeforeFile }: UploadForm): string[] =>
  Object.keys(fields).filter((name) => !(fieldsBeforeFile ?? Object.keys(fields)).includes(name))

export const batchFields: readonly ImagesFault[] = [
  fault(
    'batch-uploads-by-url-lose-half-their-bytes',
    'Stores only half of the bytes of an image that is uploaded by URL to the batch host.',
    ['IMG-SERVICE-01'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const image = call.server.store.get(String(resultOf(reply)['id']))
      if (image?.bytes === undefined) return reply
      if ((await call.form()).fields['url'] === undefined) return reply
      hit()
      image.bytes = image.bytes.subarray(0, image.bytes.length / 2)
      return reply
    }, upload),
  ),
  omit(
    'batch-list-omits-uploads-by-url',
    'Does not list images at the batch host that were uploaded there by URL.',
    ({ id }, byUrl) => byUrl.has(id),
  ),
  omit(
    'batch-list-omits-long-ids',
    'Does not list images at the batch host with an id of more than 36 characters.',
    ({ id }) => String(id).length > 36,
  ),
  fault(
    'batch-list-shows-uploads-by-url-as-public',
    'Lists private images at the batch host as public if they were uploaded there by URL.',
    ['IMG-BATCH-13'],
    (hit) => {
      const byUrl = new Set<unknown>()
      return onRequest(
        async (call, next) => {
          const reply = await next()
          await recordUrlUploads(call, reply, byUrl)
          for (const image of (resultOf(reply)['images'] ?? []) as Json[]) {
            if (image['requireSignedURLs'] !== true || !byUrl.has(image['id'])) continue
            hit()
            image['requireSignedURLs'] = false
          }
          return reply
        },
        [upload, list],
      )(hit)
    },
  ),
  changeUrlUpload(
    'batch-url-upload-ignores-the-id',
    'Generates an id in place of the one in the form',
    'IMG-BATCH-04',
    dropField('id'),
  ),
  changeUrlUpload(
    'batch-url-upload-ignores-privacy',
    'Ignores requireSignedURLs',
    'IMG-BATCH-04',
    dropField('requireSignedURLs'),
  ),
  changeUrlUpload(
    'batch-url-upload-refuses-much-metadata',
    'Refuses metadata of more than 1000 bytes',
    'IMG-BATCH-04',
    ({ metadata = '' }, hit) => {
      if (Buffer.byteLength(metadata) > 1000 && Buffer.byteLength(metadata) <= 1024)
        refuse('metadata has more than 1000 bytes', hit)
    },
  ),
  fault(
    'batch-ids-are-cut-off',
    'Uses only the first 24 characters of the id of an upload to the batch host.',
    ['IMG-BATCH-04'],
    onForm(({ fields }, hit) => {
      if ((fields['id'] ?? '').length <= 24) return
      hit()
      fields['id'] = fields['id']!.slice(0, 24)
    }, upload),
  ),

  fault(
    'batch-url-metadata-has-no-bound',
    'Accepts metadata of any length with an upload by URL to the batch host.',
    ['IMG-BATCH-05'],
    onRequest(async (call, next, hit) => {
      const form = await call.form().catch(() => undefined)
      const { url, metadata = '' } = form?.fields ?? {}
      if (url === undefined || Buffer.byteLength(metadata) <= 1024) return next()
      hit()
      replaceRulesOf(call, { maxMetadataBytes: Number.POSITIVE_INFINITY })
      return next()
    }, upload),
  ),
  changeUrlUpload(
    'batch-url-upload-drops-an-array-as-metadata',
    'Ignores metadata that is an array',
    'IMG-BATCH-05',
    dropMetadata((text) => text.startsWith('[')),
  ),
  changeUrlUpload(
    'batch-url-upload-drops-broken-metadata',
    'Ignores metadata that is not JSON',
    'IMG-BATCH-05',
    dropMetadata(isNotJson),
  ),
  changeUrlUpload(
    'batch-url-upload-counts-unknown-protocols-as-http',
    'Fetches a URL of any scheme by HTTP',
    'IMG-BATCH-05',
    (fields, hit) => {
      if (/^https?:/i.test(fields['url'] ?? '')) return
      hit()
      fields['url'] = (fields['url'] ?? '').replace(/^[a-z]+:/, 'http:')
    },
  ),
  fault(
    'batch-url-upload-stores-a-placeholder',
    'Stores a placeholder at the batch host if an image cannot be fetched from a URL.',
    ['IMG-BATCH-05'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.reason !== 'url-unfetchable') return reply
      changeForm(call, ({ fields: { url: _, ...fields }, ...form }) => ({
        ...form,
        fields,
        files: [placeholder],
      }))
      hit()
      return next()
    }, upload),
  ),

  fault(
    'batch-fields-after-the-file-are-lost',
    'Ignores the form fields that follow the file of an upload to the batch host.',
    ['IMG-UPLOAD-18'],
    onRequest((call, next, hit) => {
      changeForm(call, (form) => {
        const late = fieldsAfterFile(form)
        if (late.length > 0) hit()
        const fields = Object.entries(form.fields).filter(([name]) => !late.includes(name))
        return { ...form, fields: Object.fromEntries(fields) }
      })
      return next()
    }, upload),
  ),
  fault(
    'batch-file-must-be-the-last-part',
    'Refuses an upload to the batch host if form fields follow the file.',
    ['IMG-UPLOAD-18'],
    onForm((form, hit) => {
      if (fieldsAfterFile(form).length > 0)
        refuse('The file must be the last part of the form', hit)
    }, upload),
  ),
]
