import { failure, type ImagesReply } from '../../../../mocks/stateful/images.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ImagesFactor } from './variation.ts'
import { onOperations, uploads } from './building.ts'

/** The requirement that a server returns only the statuses of the table. */
const statusTableRequirement: readonly RequirementId[] = ['IMG-STATUS-10']
const changeStatus =
  (from: number, to: number) =>
  (reply: ImagesReply): ImagesReply =>
    reply.status === from ? { ...reply, status: to } : reply

/**
 * Choices about the statuses of responses. A status that is not in the document's table causes a
 * warning.
 */
export const statuses: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-STATUS-11',
    name: 'the status for a URL without an image',
    values: [
      { name: '400', description: 'Returns 400.' },
      { name: '404', description: 'Returns 404.', choices: { unfetchableStatus: 404 } },
      {
        name: '502',
        description: 'Returns 502.',
        choices: { unfetchableStatus: 502 },
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-11',
    name: 'the status for an upload in chunks',
    values: [
      { name: '200', description: 'Accepts uploads in chunks.' },
      {
        name: '411',
        description: 'Returns 411 to an upload without Content-Length.',
        deviation: onOperations([...uploads, 'completeDirectUpload'], async (call, next) => {
          if (call.headers['transfer-encoding'] === undefined) return next()
          await call.form().catch(() => undefined)
          return failure(call.server.choices, 411, 'Content-Length is missing')
        }),
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-11',
    name: 'the status for a token of a different account',
    values: [
      { name: '403', description: 'Returns 403.' },
      { name: '401', description: 'Returns 401.', choices: { otherAccountStatus: 401 } },
      {
        name: '404',
        description: 'Returns 404.',
        choices: { otherAccountStatus: 404 },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'the status for a body that is not a form',
    values: [
      { name: '400', description: 'Returns 400.' },
      {
        name: '415',
        description: 'Returns 415.',
        deviation: onOperations(
          ['uploadImage', 'batchUploadImage', 'completeDirectUpload'],
          async (_call, next) => {
            const reply = await next()
            return reply.reason === 'body-not-multipart' ? { ...reply, status: 415 } : reply
          },
        ),
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-10',
    name: 'the status for an invalid request',
    values: [
      { name: '400', description: 'Returns 400.' },
      {
        name: '422',
        description: 'Returns 422.',
        unmet: statusTableRequirement,
        deviation: { around: (_call, next) => next().then(changeStatus(400, 422)) },
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-10',
    name: 'the status of a creation',
    values: [
      { name: '200', description: 'Returns 200.' },
      {
        name: '201',
        description: 'Returns 201.',
        unmet: statusTableRequirement,
        deviation: onOperations(
          [
            'uploadImage',
            'batchUploadImage',
            'createDirectUpload',
            'createVariant',
            'completeDirectUpload',
          ],
          (_call, next) => next().then(changeStatus(200, 201)),
        ),
      },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-09',
    name: 'a media type of JSON',
    values: [
      { name: 'sent', description: 'Sends envelopes with a media type of JSON.' },
      {
        name: 'missing',
        description: 'Sends envelopes as plain text.',
        unmet: ['IMG-ENVELOPE-09'],
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
