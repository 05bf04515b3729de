import type { ImagesReply } from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { at, results } from './building.ts'

/** Answers at the upload host, where only the status is stated. */
const answering = (
  concerns: (status: number) => boolean,
  answer: (reply: ImagesReply) => Partial<ImagesReply>,
) =>
  at(['completeDirectUpload'], async (_call, next) => {
    const reply = await next()
    return concerns(reply.status) ? { ...reply, ...answer(reply) } : reply
  })

const worked = (status: number) => status === 200
const failed = (status: number) => status !== 200
const text = (raw: string, type: string): Partial<ImagesReply> => ({
  raw,
  headers: { 'Content-Type': type },
})

/** What the upload host may do where the document is silent. */
export const completion: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-COMPLETE-06',
    name: 'the answer to an upload',
    levels: [
      { name: 'the image', description: 'Answers with the image.' },
      {
        name: 'an empty envelope',
        notCombined: true,
        description: 'Answers with an envelope around nothing.',
        choices: { completionResponse: 'empty' },
      },
      {
        name: 'nothing',
        description: 'Answers with no body.',
        deviation: answering(worked, () => text('', '')),
      },
      {
        name: 'a page',
        description: 'Answers with a page for people.',
        deviation: answering(worked, () =>
          text('<!doctype html><title>Thank you</title>', 'text/html'),
        ),
      },
    ],
  },
  {
    requirement: 'IMG-COMPLETE-06',
    name: 'the answer to a failed upload',
    levels: [
      { name: 'an envelope', description: 'Answers with an envelope.' },
      {
        name: 'a word',
        description: 'Answers with a word.',
        deviation: answering(failed, () => text('no', 'text/plain')),
      },
      {
        name: 'nothing',
        description: 'Answers with a status alone.',
        deviation: answering(failed, () => text('', '')),
      },
    ],
  },
  {
    requirement: 'IMG-COMPLETE-06',
    name: 'a ticket after a failed upload',
    levels: [
      { name: 'still good', description: 'Keeps a ticket whose upload failed.' },
      {
        name: 'used up',
        description: 'Uses a ticket up by a form without the part.',
        choices: { burnsTicketOnWrongPart: true },
      },
    ],
  },
  {
    requirement: 'IMG-TICKET-01',
    name: 'the record of a ticket',
    levels: [
      { name: 'two fields', description: 'Gives id and uploadURL.' },
      {
        name: 'more',
        description: 'Says of a ticket how to use it, too.',
        deviation: results(['createDirectUpload'], (result) => ({
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
