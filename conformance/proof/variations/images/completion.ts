import type { ImagesReply } from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { onOperations, changeResults } from './building.ts'

/** Changes replies of the upload host. The document states only their status. */
const replaceReply = (
  isAffected: (status: number) => boolean,
  change: (reply: ImagesReply) => Partial<ImagesReply>,
) =>
  onOperations(['completeDirectUpload'], async (_call, next) => {
    const reply = await next()
    return isAffected(reply.status) ? { ...reply, ...change(reply) } : reply
  })

const isSuccess = (status: number) => status === 200
const isFailure = (status: number) => status !== 200
const rawReply = (raw: string, type: string): Partial<ImagesReply> => ({
  raw,
  headers: { 'Content-Type': type },
})

/** Behaviour of the upload host that the document does not state. */
export const completion: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-COMPLETE-06',
    name: 'the response to a direct upload',
    values: [
      { name: 'the image', description: 'Returns the image.' },
      {
        name: 'an envelope with an empty result',
        notCombined: true,
        description: 'Returns an envelope with an empty result.',
        choices: { completionResponse: 'empty' },
      },
      {
        name: 'no body',
        description: 'Returns no body.',
        deviation: replaceReply(isSuccess, () => rawReply('', '')),
      },
      {
        name: 'an HTML page',
        description: 'Returns an HTML page.',
        deviation: replaceReply(isSuccess, () =>
          rawReply('<!doctype html><title>Thank you</title>', 'text/html'),
        ),
      },
    ],
  },
  {
    requirement: 'IMG-COMPLETE-06',
    name: 'the response to a failed direct upload',
    values: [
      { name: 'an envelope', description: 'Returns an envelope.' },
      {
        name: 'plain text',
        description: 'Returns a word as plain text.',
        deviation: replaceReply(isFailure, () => rawReply('no', 'text/plain')),
      },
      {
        name: 'no body',
        description: 'Returns no body.',
        deviation: replaceReply(isFailure, () => rawReply('', '')),
      },
    ],
  },
  {
    requirement: 'IMG-COMPLETE-06',
    name: 'a ticket after a failed upload',
    values: [
      { name: 'still valid', description: 'Keeps a ticket valid after a failed upload.' },
      {
        name: 'used up',
        description: 'Invalidates a ticket after an upload without a part named file.',
        choices: { wrongPartUsesTicket: true },
      },
    ],
  },
  {
    requirement: 'IMG-TICKET-01',
    name: 'fields of a ticket',
    values: [
      { name: 'id and uploadURL', description: 'Returns id and uploadURL.' },
      {
        name: 'additional fields',
        description: 'Returns additional fields, such as the method and the parts of the upload.',
        deviation: changeResults(['createDirectUpload'], (result) => ({
          ...Object(result),
          method: 'POST',
          fields: { file: 'image/*' },
          draft: true,
          expires_in: 1800,
        })),
      },
    ],
  },
]
