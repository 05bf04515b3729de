import { imageSize } from 'image-size'
import {
  failure,
  Refusal,
  type ImagesCall,
  type NewImage,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { fetchLater } from '../../faults/images/fetch-later.ts'
import { changeForm } from '../../faults/images/building.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { onOperations, replaceStore, uploadReply, uploads } from './building.ts'

let count = 0

/** Replaces the ids that the server generates. */
const changeIds = (form: (n: number, id: string) => string) =>
  onOperations([...uploads, 'createDirectUpload'], (call, next) => {
    replaceStore(call, (store) => ({
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

/** Returns the stored image whose id is the one in this upload. */
const findImageInUse = async (call: ImagesCall) =>
  call.server.store.get((await call.form()).fields['id'] ?? '')

/** The number of pixels in a direction below which some services refuse images. */
const minPixels = 12

/** Returns a file, unless it is an image that is very narrow or very low. */
function requirePixels<T extends { bytes: Uint8Array | undefined }>(file: T): T {
  const size = sizeOf(file.bytes)
  if (size !== undefined && Math.min(size.width, size.height) < minPixels)
    throw new Refusal(400, 'The image is too small')
  return file
}

function sizeOf(
  bytes: Uint8Array = new Uint8Array(),
): { width: number; height: number } | undefined {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

/** What the document leaves open about uploads. */
export const uploading: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-IMAGE-03',
    name: 'generated ids',
    values: [
      { name: 'UUIDs', description: 'Generates UUIDs.' },
      {
        name: '12 characters long',
        notCombined: true,
        description: 'Generates ids of twelve letters, digits, hyphens and underscores.',
        choices: { idForm: 'short' },
      },
      {
        name: 'with slashes',
        description: 'Generates ids with slashes.',
        choices: { idForm: 'slashes' },
      },
      {
        name: 'with non-ASCII characters',
        description: 'Generates ids with characters that a URL must escape.',
        deviation: changeIds((n, id) => `Bild № ${n} + 100% "馬"?#&;=@~${id.slice(0, 8)}`),
      },
      {
        name: '300 digits long',
        description: 'Generates ids of 300 digits.',
        deviation: changeIds((n) => `1${String(n).padStart(299, '0')}`),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-07',
    name: 'value of requireSignedURLs',
    values: [
      { name: 'false', description: 'Stores an image as public by default.' },
      {
        name: 'true',
        description: 'Stores an image as private by default.',
        choices: { requireSignedDefault: true },
      },
      {
        name: 'true if the server generates the id',
        description: 'Stores an image as private by default, unless the client chose its id.',
        deviation: onOperations([...uploads, 'createDirectUpload'], async (call, next) => {
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
    requirement: 'none',
    name: 'uploads by URL',
    values: [
      { name: 'fetched before the response', description: 'Fetches an image, then responds.' },
      {
        name: 'fetched after the response',
        notCombined: true,
        description: 'Responds to an upload by URL, then fetches the image.',
        deviation: onOperations(
          uploads,
          fetchLater((remove) => remove()),
        ),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-12',
    name: 'ids with slashes or non-ASCII characters',
    values: [
      { name: 'accepted', description: 'Accepts ids with slashes or non-ASCII characters.' },
      {
        name: 'refused',
        description: 'Accepts only letters, digits, dots, hyphens and underscores.',
        choices: { unusualIds: 'refuse' },
      },
      {
        name: 'refused only if they contain slashes',
        description: 'Accepts ids with non-ASCII characters, but not with slashes.',
        deviation: onOperations([...uploads, 'createDirectUpload'], (call, next) => {
          const { isImageId } = call.server.rules
          replaceRulesOf(call, { isImageId: (id) => isImageId(id) && !String(id).includes('/') })
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-13',
    name: 'an upload with an id in use',
    values: [
      { name: 'refused with 400', description: 'Returns 400 for an id that is in use.' },
      {
        name: 'refused with 409',
        notCombined: true,
        description: 'Refuses an id in use with 409.',
        choices: { duplicateIdStatus: 409 },
      },
      {
        name: 'replaces the old image',
        description: 'Replaces the old image with the new one.',
        choices: { duplicateIdStatus: 'replace' },
      },
      {
        name: 'returns the old image',
        description: 'Keeps the old image and returns it.',
        deviation: onOperations(uploads, async (call, next) => {
          // Lets the mock handle the request first. Then returns the old image, but only if the
          // mock has refused the request because the id is in use.
          const reply = await next()
          const image =
            reply.status === 400 && reply.reason === 'image-id-taken'
              ? await findImageInUse(call)
              : undefined
          return image === undefined || image.draft ? reply : uploadReply(call, image)
        }),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-14',
    name: 'a file that is not an image',
    values: [
      { name: 'accepted', description: 'Stores every file.' },
      {
        name: 'refused with 400',
        description: 'Returns 400 for a file that is not an image.',
        choices: { unknownImageFormat: 'refuse' },
      },
      {
        name: 'refused with 502',
        description: 'Refuses a file that is not an image with 502.',
        choices: { unknownImageFormat: 'refuse' },
        deviation: onOperations(uploads, async (call, next) => {
          const reply = await next()
          return reply.reason === 'file-not-an-image'
            ? failure(call.server.choices, 502, 'This cannot be transformed')
            : reply
        }),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'a private upload with an id',
    values: [
      { name: 'accepted', description: 'Accepts private images with ids that the client chose.' },
      {
        name: 'refused',
        description: 'Refuses an id together with requireSignedURLs true, as for direct uploads.',
        deviation: onOperations(uploads, async (call, next) => {
          const { id, requireSignedURLs } = (await call.form()).fields
          return id !== undefined && requireSignedURLs === 'true'
            ? failure(call.server.choices, 400, 'A private image cannot have a custom id')
            : next()
        }),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'pixels of an image',
    values: [
      { name: 'any', description: 'Accepts images of any width and height.' },
      {
        name: 'at least 12 by 12',
        description: 'Refuses images with fewer than 12 pixels in a direction.',
        deviation: onOperations([...uploads, 'completeDirectUpload'], (call, next) => {
          replaceStore(call, (store) => ({
            add: (image: NewImage, options) => store.add(requirePixels(image), options),
            complete: (draft, file, now) => store.complete(draft, requirePixels(file), now),
          }))
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-LIMIT-01',
    name: 'size of metadata',
    values: [
      {
        name: 'bytes as they were sent',
        description: 'Counts the bytes of the string that was sent.',
      },
      {
        name: 'bytes of compact JSON',
        description: 'Counts the bytes of compact JSON.',
        choices: { metadataMeasure: 'compact' },
      },
    ],
  },
  {
    requirement: 'IMG-LIMIT-12',
    name: 'size that is limited',
    values: [
      { name: 'the size of the file', description: 'Counts the bytes of the file.' },
      {
        name: 'the size of the whole request',
        description: 'Compares Content-Length with the maximum size, before it reads the body.',
        deviation: onOperations([...uploads, 'completeDirectUpload'], (call, next) => {
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
    values: [
      { name: 'validated', description: 'Validates an empty string like any other.' },
      {
        name: 'ignored',
        description: 'Treats an empty field as missing.',
        deviation: onOperations(uploads, (call, next) => {
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
