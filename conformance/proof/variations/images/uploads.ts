import {
  failure,
  Refusal,
  type ImagesCall,
  type NewImage,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { changeForm } from '../../faults/images/building.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { at, stored, uploaded, uploads } from './building.ts'

let count = 0

/** Gives images whose id the server makes up another one. */
const ids = (form: (n: number, id: string) => string) =>
  at([...uploads, 'createDirectUpload'], (call, next) => {
    stored(call, (store) => ({
      add: (image: NewImage, options) =>
        store.add(
          /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/.test(image.id)
            ? { ...image, id: form((count += 1), image.id) }
            : image,
          options,
        ),
    }))
    return next()
  })

/** The image that an upload would collide with. */
const taken = async (call: ImagesCall) =>
  call.server.store.get((await call.form()).fields['id'] ?? '')

/** What an upload may do where the document is silent. */
export const uploading: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-IMAGE-03',
    name: 'ids made up',
    levels: [
      { name: 'UUIDs', description: 'Makes up UUIDs.' },
      {
        name: 'short',
        notCombined: true,
        description: 'Makes up a dozen letters, digits, hyphens and underscores.',
        choices: { idForm: 'short' },
      },
      { name: 'with slashes', description: 'Makes up paths.', choices: { idForm: 'slashes' } },
      {
        name: 'beyond ASCII',
        description: 'Makes up ids that a URL has to escape.',
        deviation: ids((n, id) => `Bild № ${n} + 100% "馬"?#&;=@~${id.slice(0, 8)}`),
      },
      {
        name: 'long digits',
        description: 'Makes up numbers of 300 digits, as texts.',
        deviation: ids((n) => `1${String(n).padStart(299, '0')}`),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-07',
    name: 'privacy by default',
    levels: [
      { name: 'public', description: 'Takes an image for public where nothing is said.' },
      {
        name: 'private',
        description: 'Takes an image for private where nothing is said.',
        choices: { requireSignedDefault: true },
      },
      {
        name: 'private without an id',
        description:
          'Takes an image for private where nothing is said, unless it comes with an id of the caller.',
        deviation: at([...uploads, 'createDirectUpload'], async (call, next) => {
          const body: unknown =
            call.operation === 'createDirectUpload'
              ? await call.json().catch(() => undefined)
              : (await call.form().catch(() => undefined))?.fields
          replaceRulesOf(
            call,
            {},
            {
              requireSignedDefault: (body as { id?: unknown } | null | undefined)?.id === undefined,
            },
          )
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-12',
    name: 'unusual ids',
    levels: [
      { name: 'accepted', description: 'Takes ids with slashes and beyond ASCII.' },
      {
        name: 'refused',
        description: 'Takes letters, digits, dots, hyphens and underscores only.',
        choices: { unusualIds: 'refuse' },
      },
      {
        name: 'slashes refused',
        description: 'Takes ids beyond ASCII and none with a slash.',
        deviation: at([...uploads, 'createDirectUpload'], (call, next) => {
          const { isImageId } = call.server.rules
          replaceRulesOf(call, { isImageId: (id) => isImageId(id) && !String(id).includes('/') })
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-13',
    name: 'an id in use',
    levels: [
      { name: 'invalid', description: 'Refuses an id in use with 400.' },
      {
        name: 'a conflict',
        notCombined: true,
        description: 'Refuses an id in use with 409.',
        choices: { duplicateIdStatus: 409 },
      },
      {
        name: 'replaced',
        description: 'Puts the new image in the place of the old one.',
        choices: { duplicateIdStatus: 'replace' },
      },
      {
        name: 'kept',
        description: 'Keeps the old image and answers with it.',
        deviation: at(uploads, async (call, next) => {
          // Only a request that would be refused for nothing but its id is answered so.
          const reply = await next()
          const image =
            reply.status === 400 && reply.reason === 'image-id-taken'
              ? await taken(call)
              : undefined
          return image === undefined || image.draft ? reply : uploaded(call, image)
        }),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-14',
    name: 'a file that is no picture',
    levels: [
      { name: 'accepted', description: 'Stores whatever it gets.' },
      {
        name: 'refused',
        description: 'Refuses a file that is no picture with 400.',
        choices: { notAnImage: 'refuse' },
      },
      {
        name: 'a transformation error',
        description: 'Answers a file that is no picture with 502.',
        choices: { notAnImage: 'refuse' },
        deviation: at(uploads, async (call, next) => {
          const reply = await next()
          return reply.reason === 'file-no-image'
            ? failure(call.server.choices, 502, 'This cannot be transformed')
            : reply
        }),
      },
    ],
  },
  {
    requirement: 'IMG-LIMIT-01',
    name: 'measure of metadata',
    levels: [
      { name: 'as sent', description: 'Counts the bytes of the text that came.' },
      {
        name: 'compact',
        description: 'Counts the bytes of compact JSON.',
        choices: { metadataMeasure: 'compact' },
      },
    ],
  },
  {
    requirement: 'IMG-LIMIT-12',
    name: 'measure of a file',
    levels: [
      { name: 'the file', description: 'Counts the bytes of the file.' },
      {
        name: 'the request',
        description: 'Counts the bytes of the whole request, and refuses before it reads them.',
        deviation: at([...uploads, 'completeDirectUpload'], (call, next) => {
          const tooLarge = Number(call.headers['content-length']) > call.server.options.maxFileBytes
          if (tooLarge)
            call.form = () => Promise.reject(new Refusal(413, 'The request is too large'))
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-09',
    name: 'empty fields',
    levels: [
      { name: 'taken as they are', description: 'Judges an empty text as any other.' },
      {
        name: 'passed over',
        description: 'Takes an empty field for one that was not sent.',
        deviation: at(uploads, (call, next) => {
          changeForm(call, (form) => ({
            ...form,
            fields: Object.fromEntries(
              Object.entries(form.fields).filter(([, text]) => text !== ''),
            ),
          }))
          return next()
        }),
      },
    ],
  },
]
