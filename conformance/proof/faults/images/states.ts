import { failure, type ImagesCall } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest, onResult } from './building.ts'

const draftOf = (call: ImagesCall) =>
  call.server.store.get(call.params['image_id'] ?? '')?.draft === true

export const states: readonly ImagesFault[] = [
  fault(
    'draft-is-shown-as-stored',
    'An image whose upload is outstanding is shown as stored.',
    ['IMG-STATE-01'],
    onResult((result, hit) => {
      if (result['draft'] !== true) return
      hit()
      result['draft'] = false
    }, 'getImage'),
  ),
  fault(
    'draft-is-not-told',
    'Reading an image whose upload is outstanding does not show draft.',
    ['IMG-STATE-01'],
    onResult((result, hit) => {
      if (result['draft'] !== true) return
      hit()
      delete result['draft']
    }, 'getImage'),
  ),
  fault(
    'draft-cannot-be-read',
    'An image whose upload is outstanding cannot be read.',
    ['IMG-STATE-01'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== 200 || !draftOf(call)) return reply
      hit()
      return failure(call.server.choices, 404, 'There is no such image')
    }, 'getImage'),
  ),

  fault(
    'completed-image-stays-a-draft',
    'An image goes on to show draft true after its upload was completed.',
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
    'An image that came by an ordinary upload shows draft true.',
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
]
