import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { failure, type ImagesRules, type UploadForm } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { applyChange, countThrown, replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import {
  changeForm,
  fault,
  onRequest,
  onSuccess,
  redirect,
  refuse,
  reportFailure,
} from './building.ts'

const upload = ['batchUploadImage'] as const
const byteLength = (text: string | undefined) => Buffer.byteLength(text ?? '')

/** Changes the form of an upload. If `change` returns undefined, the form is unchanged. */
const changeUpload = (
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
        applyChange(form, hit, await countThrown(hit, () => change(form))),
      )
      return next()
    }, upload),
  )

const withoutField = (form: UploadForm, name: string): UploadForm => ({
  ...form,
  fields: Object.fromEntries(Object.entries(form.fields).filter(([key]) => key !== name)),
})
const dropField = (name: string) => (form: UploadForm) =>
  form.fields[name] === undefined ? undefined : withoutField(form, name)
const refuseField = (name: string) => (form: UploadForm) =>
  form.fields[name] === undefined ? undefined : refuse(`${name} is unknown here`)

/** Replaces a rule so that metadata is accepted that should be refused. */
const acceptMetadata = (
  name: string,
  description: string,
  rules: Partial<ImagesRules>,
  isInvalid: (text: string) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-BATCH-05'],
    onRequest((call, next, hit) => {
      changeForm(call, (form) => {
        if (form.fields['metadata'] !== undefined && isInvalid(form.fields['metadata'])) hit()
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

const beyondAscii = /[^\0-\x7f]/

/** Changes metadata that contains non-ASCII characters. */
const changeMetadata = (
  name: string,
  description: string,
  change: (text: string) => string,
): ImagesFault =>
  changeUpload(name, description, 'IMG-BATCH-12', (form) => {
    const text = form.fields['metadata'] ?? ''
    return beyondAscii.test(text)
      ? { ...form, fields: { ...form.fields, metadata: change(text) } }
      : undefined
  })

export const batch: readonly ImagesFault[] = [
  changeUpload(
    'batch-upload-needs-an-id',
    'Refuses an upload without an id at the batch host.',
    'IMG-BATCH-01',
    (form) => (form.fields['id'] === undefined ? refuse('id is required') : undefined),
  ),
  fault(
    'batch-upload-redirects-to-the-account-host',
    'Redirects an upload at the batch host to the account host.',
    ['IMG-BATCH-01'],
    onSuccess(
      (_reply, { server }) =>
        redirect(307, `${server.urls.account}/accounts/${server.options.account}/images/v1`),
      'batchUploadImage',
    ),
  ),
  fault(
    'batch-deletion-is-answered-as-not-found',
    'Deletes an image at the batch host and returns 404.',
    ['IMG-BATCH-03'],
    onSuccess(
      (_reply, { server }) => failure(server.choices, 404, 'There is no such image'),
      'batchDeleteImage',
    ),
  ),
  fault(
    'batch-deletion-says-success-false',
    'Deletes an image at the batch host and returns success: false.',
    ['IMG-BATCH-03'],
    onSuccess(reportFailure, 'batchDeleteImage'),
  ),

  changeUpload(
    'batch-upload-refuses-an-id',
    'Refuses an upload with an id at the batch host.',
    'IMG-BATCH-04',
    refuseField('id'),
  ),
  changeUpload(
    'batch-upload-ignores-the-id',
    'Ignores the id of an upload at the batch host and generates one.',
    'IMG-BATCH-04',
    dropField('id'),
  ),
  changeUpload(
    'batch-upload-refuses-privacy',
    'Refuses an upload with requireSignedURLs=true at the batch host.',
    'IMG-BATCH-04',
    (form) =>
      form.fields['requireSignedURLs'] === 'true'
        ? refuse('requireSignedURLs is unknown here')
        : undefined,
  ),
  changeUpload(
    'batch-upload-ignores-privacy',
    'Stores every image as public at the batch host.',
    'IMG-BATCH-04',
    dropField('requireSignedURLs'),
  ),
  changeUpload(
    'batch-upload-refuses-much-metadata',
    'Refuses metadata of more than 1000 bytes at the batch host.',
    'IMG-BATCH-04',
    (form) =>
      byteLength(form.fields['metadata']) > 1000 && byteLength(form.fields['metadata']) <= 1024
        ? refuse('metadata has more than 1000 bytes')
        : undefined,
  ),
  changeUpload(
    'batch-upload-fetches-nothing',
    'Refuses an upload by URL at the batch host.',
    'IMG-BATCH-04',
    (form) =>
      form.files.length === 0 && form.fields['url'] !== undefined
        ? refuse('file is required')
        : undefined,
  ),

  changeUpload(
    'batch-upload-of-nothing-succeeds',
    'Stores an empty image at the batch host if an upload has neither a file nor a URL.',
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
  changeUpload(
    'batch-upload-prefers-the-file',
    'Uses the file at the batch host if an upload has a file and a URL.',
    'IMG-BATCH-05',
    (form) => (form.files.length > 0 ? dropField('url')(form) : undefined),
  ),
  acceptMetadata(
    'batch-metadata-has-no-bound',
    'Accepts metadata of any length at the batch host.',
    { maxMetadataBytes: Number.POSITIVE_INFINITY },
    (text) => byteLength(text) > 1024,
  ),
  acceptMetadata(
    'batch-metadata-may-be-an-array',
    'Accepts an array as metadata at the batch host.',
    { isMetadata: (value) => typeof value === 'object' && value !== null },
    (text) => text.startsWith('['),
  ),
  changeUpload(
    'batch-metadata-that-is-broken-is-dropped',
    'Ignores metadata that is not JSON at the batch host, and stores the image.',
    'IMG-BATCH-05',
    (form) =>
      form.fields['metadata'] !== undefined && isBroken(form.fields['metadata'])
        ? withoutField(form, 'metadata')
        : undefined,
  ),

  changeUpload(
    'batch-filename-beyond-ascii-is-refused',
    'Refuses a file with a non-ASCII name at the batch host.',
    'IMG-BATCH-12',
    ({ files }) =>
      files.some(({ filename }) => beyondAscii.test(filename))
        ? refuse('This filename cannot be used')
        : undefined,
  ),
  changeUpload(
    'batch-metadata-beyond-ascii-is-refused',
    'Refuses metadata with non-ASCII characters at the batch host.',
    'IMG-BATCH-12',
    ({ fields }) =>
      beyondAscii.test(fields['metadata'] ?? '')
        ? refuse('This metadata cannot be used')
        : undefined,
  ),
  changeMetadata(
    'batch-metadata-is-read-as-latin-1',
    'Decodes metadata as Latin-1 at the batch host.',
    (text) => Buffer.from(text).toString('latin1'),
  ),
  changeMetadata(
    'batch-metadata-loses-what-is-not-ascii',
    'Replaces non-ASCII characters in metadata with question marks at the batch host.',
    (text) => text.replaceAll(new RegExp(beyondAscii, 'g'), '?'),
  ),
]
