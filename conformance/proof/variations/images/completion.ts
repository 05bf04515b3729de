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
    row: 'IMG-COMPLETE-06',
    factor: 'the answer to an upload',
    levels: [
      { name: 'the image', says: 'Answers with the image.' },
      {
        name: 'an empty envelope',
        alone: true,
        says: 'Answers with an envelope around nothing.',
        choices: { completionResponse: 'empty' },
      },
      {
        name: 'nothing',
        says: 'Answers with no body.',
        deviation: answering(worked, () => text('', '')),
      },
      {
        name: 'a page',
        says: 'Answers with a page for people.',
        deviation: answering(worked, () =>
          text('<!doctype html><title>Thank you</title>', 'text/html'),
        ),
      },
    ],
  },
  {
    row: 'IMG-COMPLETE-06',
    factor: 'the answer to a failed upload',
    levels: [
      { name: 'an envelope', says: 'Answers with an envelope.' },
      {
        name: 'a word',
        says: 'Answers with a word.',
        deviation: answering(failed, () => text('no', 'text/plain')),
      },
      {
        name: 'nothing',
        says: 'Answers with a status alone.',
        deviation: answering(failed, () => text('', '')),
      },
    ],
  },
  {
    row: 'IMG-COMPLETE-06',
    factor: 'a ticket after a failed upload',
    levels: [
      { name: 'still good', says: 'Keeps a ticket whose upload failed.' },
      {
        name: 'used up',
        says: 'Uses a ticket up by a form without the part.',
        choices: { burnsTicketOnWrongPart: true },
      },
    ],
  },
  {
    row: 'IMG-TICKET-01',
    factor: 'the record of a ticket',
    levels: [
      { name: 'two fields', says: 'Gives id and uploadURL.' },
      {
        name: 'more',
        says: 'Says of a ticket how to use it, too.',
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
