import {
  failure,
  type ImagesCall,
  type ImagesOperation,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRecords, onRequest, onResult, without, type Json } from './building.ts'

const isDraft = (call: ImagesCall) =>
  call.server.store.get(call.params['image_id'] ?? '')?.draft === true

/** The operations, other than getImage, whose responses contain images. */
const otherOperations = [
  'uploadImage',
  'listImages',
  'batchUploadImage',
  'batchListImages',
] as const satisfies readonly ImagesOperation[]

const hyphenate = (operation: string) =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const isStoredAndPrivate = ({ server }: ImagesCall, { id, requireSignedURLs }: Json) =>
  requireSignedURLs === true && server.store.get(String(id))?.draft === false

export const states: readonly ImagesFault[] = [
  fault(
    'draft-is-shown-as-stored',
    'Returns draft: false for an image that is not uploaded yet.',
    ['IMG-STATE-01'],
    onResult((result, hit) => {
      if (result['draft'] !== true) return
      hit()
      result['draft'] = false
    }, 'getImage'),
  ),
  fault(
    'draft-is-missing',
    'Omits the field draft of an image that is not uploaded yet.',
    ['IMG-STATE-01'],
    onResult((result, hit) => {
      if (result['draft'] !== true) return
      hit()
      delete result['draft']
    }, 'getImage'),
  ),
  fault(
    'draft-cannot-be-read',
    'Returns 404 for an image that is not uploaded yet.',
    ['IMG-STATE-01'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== 200 || !isDraft(call)) return reply
      hit()
      return failure(call.server.choices, 404, 'There is no such image')
    }, 'getImage'),
  ),
  fault(
    'draft-ends-at-the-third-read',
    'Returns draft: false when an image that is not uploaded yet is read for the third time.',
    ['IMG-STATE-01'],
    (hit) => {
      const reads = new Map<unknown, number>()
      return onResult((result) => {
        if (result['draft'] !== true) return
        const count = (reads.get(result['id']) ?? 0) + 1
        reads.set(result['id'], count)
        if (count < 3) return
        hit()
        result['draft'] = false
      }, 'getImage')(hit)
    },
  ),

  fault(
    'completed-image-stays-a-draft',
    'Returns draft: true after the upload to a ticket is complete.',
    ['IMG-STATE-02'],
    (hit) => {
      const drafts = new Set<unknown>()
      return {
        around: async (call, next) => {
          if (call.operation === 'createDirectUpload')
            return onResult(({ id }) => void drafts.add(id), 'createDirectUpload')(hit).around!(
              call,
              next,
            )
          return onResult((result) => {
            if (result['draft'] === true || !drafts.has(result['id'])) return
            hit()
            result['draft'] = true
          }, 'getImage')(hit).around!(call, next)
        },
      }
    },
  ),
  fault(
    'uploaded-image-is-a-draft',
    'Returns draft: true for an image that was uploaded without a ticket.',
    ['IMG-STATE-02'],
    (hit) => {
      const uploaded = new Set<unknown>()
      return {
        around: async (call, next) => {
          if (call.operation === 'uploadImage')
            return onResult(({ id }) => void uploaded.add(id), 'uploadImage')(hit).around!(
              call,
              next,
            )
          return onResult((result) => {
            if (!uploaded.has(result['id'])) return
            hit()
            result['draft'] = true
          }, 'getImage')(hit).around!(call, next)
        },
      }
    },
  ),

  ...otherOperations.map((operation) =>
    fault(
      `${hyphenate(operation)}-shows-private-images-as-drafts`,
      `In ${operation}, returns draft: true for stored images with requireSignedURLs: true.`,
      ['IMG-STATE-02'],
      onRecords((image, hit, call) => {
        if (!isStoredAndPrivate(call, image)) return
        hit()
        image['draft'] = true
      }, operation),
    ),
  ),
  ...(
    [
      ['filename', 'IMG-IMAGE-04'],
      ['uploaded', 'IMG-IMAGE-06'],
      ['requireSignedURLs', 'IMG-IMAGE-07'],
      ['variants', 'IMG-IMAGE-09'],
    ] as const
  ).flatMap(([field, requirement]) => [
    fault(
      `private-images-read-as-drafts-lack-${field}`,
      `Returns stored private images with draft: true and without ${field} when they are read.`,
      [requirement],
      onResult((result, hit, call) => {
        if (!isStoredAndPrivate(call, result)) return
        hit()
        return { ...without(result, field), draft: true }
      }, 'getImage'),
    ),
    fault(
      `private-images-listed-as-drafts-lack-${field}`,
      `Lists stored private images with draft: true and without ${field}.`,
      [requirement],
      onResult(
        (result, hit, call) => ({
          ...result,
          images: (result['images'] as Json[]).map((image) => {
            if (!isStoredAndPrivate(call, image)) return image
            hit()
            return { ...without(image, field), draft: true }
          }),
        }),
        ['listImages', 'batchListImages'],
      ),
    ),
  ]),
]
