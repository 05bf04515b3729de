import type { RequirementId } from '../../../generated/requirements/index.ts'
import { failure, recordOf, success, type Call, type Image, type Rules, type UploadForm } from '../../stateful/images.ts'
import type { Fault } from '../fault.ts'
import { answering, redirect, refuse, reshaped, resultOf, ruled, saysFalse, showing, standing, told } from './building-manage.ts'

const upload = ['batchUploadImage'] as const
const list = ['batchListImages'] as const
const remove = ['batchDeleteImage'] as const
const idOf = (call: Call) => call.params['image_id'] ?? ''
const size = (text: string | undefined) => Buffer.byteLength(text ?? '')

/** An upload whose form is read otherwise. Undefined leaves it as it is. */
const misreading = (name: string, says: string, requirement: RequirementId, change: (form: UploadForm) => UploadForm | undefined): Fault =>
  standing(name, says, [requirement], upload, (hit) => (call, next) => {
    reshaped(call, (form) => told(hit, () => change(form)) ?? form)
    return next()
  })

const dropping = (form: UploadForm, name: string): UploadForm => ({ ...form, fields: Object.fromEntries(Object.entries(form.fields).filter(([key]) => key !== name)) })
const dropped = (name: string) => (form: UploadForm) => (form.fields[name] === undefined ? undefined : dropping(form, name))
const refused = (name: string) => (form: UploadForm) => (form.fields[name] === undefined ? undefined : refuse(`${name} is unknown here`))

/** Metadata of an upload that should be refused, and a rule that lets it through. */
const lenient = (name: string, says: string, rules: Partial<Rules>, wrong: (text: string) => boolean): Fault =>
  standing(name, says, ['IMG-BATCH-05'], upload, (hit) => (call, next) => {
    reshaped(call, (form) => {
      if (form.fields['metadata'] !== undefined && wrong(form.fields['metadata'])) hit()
      return form
    })
    ruled(call, rules)
    return next()
  })

const isBroken = (text: string) => {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

/** A deletion of an id that no image has, answered as if there had been one. */
const indulgent = (name: string, says: string, status: number): Fault =>
  standing(name, says, ['IMG-BATCH-09'], remove, (hit) => async (call, next) => {
    const reply = await next()
    if (reply.status !== 404) return reply
    hit()
    return { ...success(call, {}), status }
  })

export const batch: readonly Fault[] = [
  misreading('batch-upload-needs-an-id', 'The batch host refuses an upload that supplies no id.', 'IMG-BATCH-01', (form) =>
    (form.fields['id'] === undefined ? refuse('id has to be given') : undefined),
  ),
  answering('batch-upload-redirects-to-the-account-host', 'The batch host sends an upload to the account host.', ['IMG-BATCH-01'], 'batchUploadImage', ({ server }) =>
    redirect(307, `${server.urls.account}/accounts/${server.options.account}/images/v1`),
  ),
  answering('batch-listing-needs-a-query', 'The batch host refuses to list where neither page nor per_page is given.', ['IMG-BATCH-02'], 'batchListImages', ({ query }) =>
    (query.size > 0 ? undefined : refuse('page and per_page have to be given')),
  ),
  answering('batch-listing-redirects-to-the-account-host', 'The batch host sends whoever lists without a query to the account host.', ['IMG-BATCH-02'], 'batchListImages', ({ query, server }) =>
    query.size > 0 ? undefined : redirect(307, `${server.urls.account}/accounts/${server.options.account}/images/v2`),
  ),
  answering('batch-deletion-is-answered-as-not-found', 'The batch host deletes an image, looks for it once more and answers that it is not found.', ['IMG-BATCH-03'], 'batchDeleteImage', ({ server }) =>
    failure(server.choices, 404, 'There is no such picture'),
  ),
  answering('batch-deletion-says-success-false', 'The batch host deletes an image and answers with success false.', ['IMG-BATCH-03'], 'batchDeleteImage', saysFalse),

  misreading('batch-upload-refuses-an-id', 'The batch host refuses an upload that supplies an id.', 'IMG-BATCH-04', refused('id')),
  misreading('batch-upload-ignores-the-id', 'The batch host makes up an id where the upload supplies one.', 'IMG-BATCH-04', dropped('id')),
  misreading('batch-upload-refuses-privacy', 'The batch host refuses an upload that sets requireSignedURLs to true.', 'IMG-BATCH-04', (form) =>
    form.fields['requireSignedURLs'] === 'true' ? refuse('requireSignedURLs is unknown here') : undefined,
  ),
  misreading('batch-upload-ignores-privacy', 'The batch host makes every image public.', 'IMG-BATCH-04', dropped('requireSignedURLs')),
  misreading('batch-upload-refuses-much-metadata', 'The batch host takes no more than 1000 bytes of metadata.', 'IMG-BATCH-04', (form) =>
    size(form.fields['metadata']) > 1000 && size(form.fields['metadata']) <= 1024 ? refuse('metadata has more than 1000 bytes') : undefined,
  ),
  misreading('batch-upload-fetches-nothing', 'The batch host refuses an upload from a URL.', 'IMG-BATCH-04', (form) =>
    (form.files.length === 0 && form.fields['url'] !== undefined ? refuse('file has to be given') : undefined),
  ),

  misreading('batch-upload-of-nothing-succeeds', 'The batch host stores an empty picture where an upload brings none.', 'IMG-BATCH-05', (form) =>
    form.files.length > 0 || form.fields['url'] !== undefined ? undefined : { ...form, files: [{ name: 'file', filename: 'empty.gif', type: 'image/gif', bytes: Buffer.from('GIF89a') }] },
  ),
  misreading('batch-upload-prefers-the-file', 'The batch host takes the file where an upload brings a URL too.', 'IMG-BATCH-05', (form) =>
    (form.files.length > 0 ? dropped('url')(form) : undefined),
  ),
  lenient('batch-metadata-has-no-bound', 'The batch host takes metadata of any length.', { maxMetadataBytes: Number.POSITIVE_INFINITY }, (text) => size(text) > 1024),
  lenient('batch-metadata-may-be-an-array', 'The batch host takes metadata that is an array.', { isMetadata: (value) =>
    typeof value === 'object' && value !== null }, (text) => text.startsWith('['),
  ),
  misreading('batch-metadata-that-is-broken-is-dropped', 'The batch host drops metadata that is not JSON and stores the image.', 'IMG-BATCH-05', (form) =>
    form.fields['metadata'] !== undefined && isBroken(form.fields['metadata']) ? dropping(form, 'metadata') : undefined,
  ),

  answering('batch-listing-ignores-per-page', 'The batch host shows up to 100 images, whatever per_page says.', ['IMG-BATCH-06'], 'batchListImages', (call) =>
    call.query.get('per_page') === '1' && call.server.store.listed.length > 1
      ? success(call, { images: call.server.store.page(0, 100).map((image) => recordOf(call.server, image, 'result')) })
      : undefined,
  ),
  answering('batch-listing-refuses-short-pages', 'The batch host refuses a page of one image.', ['IMG-BATCH-06'], 'batchListImages', ({ query }) =>
    (query.get('per_page') === '1' ? refuse('per_page is too small') : undefined),
  ),
  standing('batch-listing-breaks-above-100', 'The batch host is unavailable for a per_page above 100.', ['IMG-BATCH-06'], list, (hit) => async (call, next) => {
    const reply = await next()
    if (reply.status !== 400 || Number(call.query.get('per_page')) <= 100) return reply
    hit()
    return failure(call.server.choices, 503, 'The service is not available')
  }),

  answering('batch-upload-is-never-listed', 'The batch host stores images without listing them.', ['IMG-BATCH-07'], 'batchUploadImage', (call, reply) => {
    const image = call.server.store.get(String(resultOf(reply)['id']))
    if (image !== undefined) call.server.store.unlist(image)
    return reply
  }),
  standing('batch-deletion-leaves-the-list', 'An image that the batch host deleted stays in its list.', ['IMG-BATCH-07'], [...remove, ...list], (hit) => {
    const deleted: Image[] = []
    return async (call, next) => {
      const image = call.operation === 'batchDeleteImage' ? call.server.store.get(idOf(call)) : undefined
      const reply = await next()
      if (image !== undefined && reply.status === 200) deleted.push(image)
      const images = call.operation === 'batchListImages' ? resultOf(reply)['images'] : undefined
      if (!Array.isArray(images) || deleted.length === 0 || call.query.get('per_page') !== '100' || images.length === 100) return reply
      hit()
      return showing(reply, { images: [...images, ...deleted.map((one) => recordOf(call.server, one, 'result'))].slice(0, 100) })
    }
  }),

  indulgent('batch-deleting-nothing-succeeds', 'At the batch host deleting an unknown id is answered as a success.', 200),
  indulgent('batch-deleting-nothing-is-put-off', 'At the batch host deleting an unknown id is accepted for later.', 202),
]
