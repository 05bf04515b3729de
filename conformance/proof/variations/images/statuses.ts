import type { ImagesReply } from '../../../../mocks/stateful/images.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ImagesFactor } from './variation.ts'
import { at } from './building.ts'

const table: readonly RequirementId[] = ['IMG-STATUS-10']
const another =
  (from: number, to: number) =>
  (reply: ImagesReply): ImagesReply =>
    reply.status === from ? { ...reply, status: to } : reply

/** Which statuses answers may have; those beyond the document's table are warned of. */
export const statuses: readonly ImagesFactor[] = [
  {
    row: 'IMG-STATUS-11',
    factor: 'the status for a URL without a picture',
    levels: [
      { name: 'invalid', says: 'Answers 400.' },
      { name: 'not found', says: 'Answers 404.', choices: { unfetchableStatus: 404 } },
      { name: 'a transformation error', says: 'Answers 502.', choices: { unfetchableStatus: 502 } },
    ],
  },
  {
    row: 'IMG-STATUS-10',
    factor: 'the status for an invalid request',
    levels: [
      { name: 'of the table', says: 'Answers 400.' },
      {
        name: 'unprocessable',
        says: 'Answers 422.',
        warns: table,
        deviation: { around: (_call, next) => next().then(another(400, 422)) },
      },
    ],
  },
  {
    row: 'IMG-STATUS-10',
    factor: 'the status for what was created',
    levels: [
      { name: 'of the table', says: 'Answers 200.' },
      {
        name: 'created',
        says: 'Answers 201.',
        warns: table,
        deviation: at(
          [
            'uploadImage',
            'batchUploadImage',
            'createDirectUpload',
            'createVariant',
            'completeDirectUpload',
          ],
          (_call, next) => next().then(another(200, 201)),
        ),
      },
    ],
  },
  {
    row: 'IMG-ENVELOPE-09',
    factor: 'a media type of JSON',
    levels: [
      { name: 'told', says: 'Says that envelopes are JSON.' },
      {
        name: 'not told',
        says: 'Calls envelopes plain text.',
        warns: ['IMG-ENVELOPE-09'],
        deviation: {
          around: (_call, next) =>
            next().then((reply) =>
              reply.body instanceof Uint8Array
                ? reply
                : { ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } },
            ),
        },
      },
    ],
  },
]
