import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  failure,
  success,
  type ImagesRules,
  type UploadForm,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { changed, countThrown, replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { changeForm, fault, onRequest, onSuccess, redirect, refuse, saysFalse } from './building.ts'

const upload = ['batchUploadImage'] as const
const remove = ['batchDeleteImage'] as const
const size = (text: string | undefined) => Buffer.byteLength(text ?? '')

/** An upload whose form is read otherwise. Undefined leaves it as it is. */
const misreading = (
  name: string,
  description: string,
  requirement: RequirementId,
  change: (form: UploadForm) => UploadForm | undefined,
): ImagesFault =>
  fault(
    name,
    description,
    [requirement],
    onRequest((call, next, hit) => {
      changeForm(call, async (form) =>
        changed(form, hit, await countThrown(hit, () => change(form))),
      )
      return next()
    }, upload),
  )

const dropping = (form: UploadForm, name: string): UploadForm => ({
  ...form,
  fields: Object.fromEntries(Object.entries(form.fields).filter(([key]) => key !== name)),
})
const dropped = (name: string) => (form: UploadForm) =>
  form.fields[name] === undefined ? undefined : dropping(form, name)
const refused = (name: string) => (form: UploadForm) =>
  form.fields[name] === undefined ? undefined : refuse(`${name} is unknown here`)

/** Metadata of an upload that should be refused, and a rule that lets it through. */
const lenient = (
  name: string,
  description: string,
  rules: Partial<ImagesRules>,
  wrong: (text: string) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-BATCH-05'],
    onRequest((call, next, hit) => {
      changeForm(call, (form) => {
        if (form.fields['metadata'] !== undefined && wrong(form.fields['metadata'])) hit()
        return form
      })
      replaceRulesOf(call, rules)
      return next()
    }, upload),
  )

const isBroken = (text: string) => {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

/** A deletion of an id that no image has, answered as if there had been one. */
const indulgent = (name: string, description: string, status: number): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-BATCH-09'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== 404) return reply
      hit()
      return { ...success(call, {}), status }
    }, remove),
  )

const beyondAscii = /[^\0-\x7f]/

/** Metadata beyond ASCII that is taken for something else. */
const misread = (
  name: string,
  description: string,
  change: (text: string) => string,
): ImagesFault =>
  misreading(name, description, 'IMG-BATCH-12', (form) => {
    const text = form.fields['metadata'] ?? ''
    return beyondAscii.test(text)
      ? { ...form, fields: { ...form.fields, metadata: change(text) } }
      : undefined
  })

export const batch: readonly ImagesFault[] = [
  misreading(
    'batch-upload-needs-an-id',
    'The batch host refuses an upload that supplies no id.',
    'IMG-BATCH-01',
    (form) => (form.fields['id'] === undefined ? refuse('id has to be given') : undefined),
  ),
  fault(
    'batch-upload-redirects-to-the-account-host',
    'The batch host sends an upload to the account host.',
    ['IMG-BATCH-01'],
    onSuccess(
      (_reply, { server }) =>
        redirect(307, `${server.urls.account}/accounts/${server.options.account}/images/v1`),
      'batchUploadImage',
    ),
  ),
  fault(
    'batch-deletion-is-answered-as-not-found',
    'The batch host deletes an image, looks for it once more and answers that it is not found.',
    ['IMG-BATCH-03'],
    onSuccess(
      (_reply, { server }) => failure(server.choices, 404, 'There is no such image'),
      'batchDeleteImage',
    ),
  ),
  fault(
    'batch-deletion-says-success-false',
    'The batch host deletes an image and answers with success false.',
    ['IMG-BATCH-03'],
    onSuccess(saysFalse, 'batchDeleteImage'),
  ),

  misreading(
    'batch-upload-refuses-an-id',
    'The batch host refuses an upload that supplies an id.',
    'IMG-BATCH-04',
    refused('id'),
  ),
  misreading(
    'batch-upload-ignores-the-id',
    'The batch host makes up an id where the upload supplies one.',
    'IMG-BATCH-04',
    dropped('id'),
  ),
  misreading(
    'batch-upload-refuses-privacy',
    'The batch host refuses an upload that sets requireSignedURLs to true.',
    'IMG-BATCH-04',
    (form) =>
      form.fields['requireSignedURLs'] === 'true'
        ? refuse('requireSignedURLs is unknown here')
        : undefined,
  ),
  misreading(
    'batch-upload-ignores-privacy',
    'The batch host makes every image public.',
    'IMG-BATCH-04',
    dropped('requireSignedURLs'),
  ),
  misreading(
    'batch-upload-refuses-much-metadata',
    'The batch host takes no more than 1000 bytes of metadata.',
    'IMG-BATCH-04',
    (form) =>
      size(form.fields['metadata']) > 1000 && size(form.fields['metadata']) <= 1024
        ? refuse('metadata has more than 1000 bytes')
        : undefined,
  ),
  misreading(
    'batch-upload-fetches-nothing',
    'The batch host refuses an upload from a URL.',
    'IMG-BATCH-04',
    (form) =>
      form.files.length === 0 && form.fields['url'] !== undefined
        ? refuse('file has to be given')
        : undefined,
  ),

  misreading(
    'batch-upload-of-nothing-succeeds',
    'The batch host stores an empty picture where an upload brings none.',
    'IMG-BATCH-05',
    (form) =>
      form.files.length > 0 || form.fields['url'] !== undefined
        ? undefined
        : {
            ...form,
            files: [
              {
                name: 'file',
                filename: 'empty.gif',
                type: 'image/gif',
                bytes: Buffer.from('GIF89a'),
              },
            ],
          },
  ),
  misreading(
    'batch-upload-prefers-the-file',
    'The batch host takes the file where an upload brings a URL too.',
    'IMG-BATCH-05',
    (form) => (form.files.length > 0 ? dropped('url')(form) : undefined),
  ),
  lenient(
    'batch-metadata-has-no-bound',
    'The batch host takes metadata of any length.',
    { maxMetadataBytes: Number.POSITIVE_INFINITY },
    (text) => size(text) > 1024,
  ),
  lenient(
    'batch-metadata-may-be-an-array',
    'The batch host takes metadata that is an array.',
    { isMetadata: (value) => typeof value === 'object' && value !== null },
    (text) => text.startsWith('['),
  ),
  misreading(
    'batch-metadata-that-is-broken-is-dropped',
    'The batch host drops metadata that is not JSON and stores the image.',
    'IMG-BATCH-05',
    (form) =>
      form.fields['metadata'] !== undefined && isBroken(form.fields['metadata'])
        ? dropping(form, 'metadata')
        : undefined,
  ),

  indulgent(
    'batch-deleting-nothing-succeeds',
    'At the batch host deleting an unknown id is answered as a success.',
    200,
  ),
  indulgent(
    'batch-deleting-nothing-is-put-off',
    'At the batch host deleting an unknown id is accepted for later.',
    202,
  ),

  misreading(
    'batch-filename-beyond-ascii-is-refused',
    'The batch host refuses a file whose name goes beyond ASCII.',
    'IMG-BATCH-12',
    ({ files }) =>
      files.some(({ filename }) => beyondAscii.test(filename))
        ? refuse('This filename cannot be used')
        : undefined,
  ),
  misreading(
    'batch-metadata-beyond-ascii-is-refused',
    'The batch host refuses metadata that goes beyond ASCII.',
    'IMG-BATCH-12',
    ({ fields }) =>
      beyondAscii.test(fields['metadata'] ?? '')
        ? refuse('This metadata cannot be used')
        : undefined,
  ),
  misread(
    'batch-metadata-is-read-as-latin-1',
    'The batch host takes the bytes of metadata for Latin-1.',
    (text) => Buffer.from(text).toString('latin1'),
  ),
  misread(
    'batch-metadata-loses-what-is-not-ascii',
    'The batch host puts question marks for what is not ASCII in metadata.',
    (text) => text.replaceAll(new RegExp(beyondAscii, 'g'), '?'),
  ),
]
