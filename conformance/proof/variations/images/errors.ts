import type { ImagesReason } from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { at, failures, type Json } from './building.ts'

type Reason = ImagesReason | undefined

const errors = (change: (error: Json, reason: Reason) => Json) =>
  failures((body, { reason }) => ({
    ...body,
    errors: (body['errors'] as Json[]).map((error) => change(error, reason)),
  }))

/** Another code for failures that have some reasons. */
const coded = (concerns: (reason: Reason) => boolean, code: number) =>
  errors((error, reason) => (concerns(reason) ? { ...error, code } : error))
const ofProtocol = (reason: Reason) => reason === 'url-scheme'
const ofStall = (reason: Reason) => reason === 'url-timeout'
const invalid = (reason: Reason) => !ofProtocol(reason) && !ofStall(reason)

/** What errors may say. */
export const errorsOfFailures: readonly ImagesFactor[] = [
  {
    row: 'IMG-STATUS-12',
    factor: 'code of an invalid request',
    levels: [
      { name: '5400', says: 'Uses the common code.' },
      {
        name: 'its own',
        alone: true,
        says: 'Has codes of its own.',
        choices: { errorCodes: 'own' },
      },
      { name: '0', says: 'Says 0 for everything.', deviation: coded(invalid, 0) },
      {
        name: 'negative',
        alone: true,
        says: 'Says -32600 for everything.',
        deviation: coded(invalid, -32600),
      },
      {
        name: 'large',
        says: 'Says the largest integer that is safe.',
        deviation: coded(invalid, Number.MAX_SAFE_INTEGER),
      },
    ],
  },
  {
    row: 'IMG-STATUS-13',
    factor: 'an upload that times out',
    levels: [
      { name: '5408', says: 'Gives it up soon, with the common code.' },
      {
        name: 'its own',
        alone: true,
        says: 'Gives it up with a code of its own.',
        deviation: coded(ofStall, 2),
      },
      {
        name: 'a request timeout',
        says: 'Gives it up with the status that HTTP has for that, 408.',
        warns: ['IMG-STATUS-10'],
        deviation: at(['uploadImage'], (_call, next) =>
          next().then((reply) =>
            reply.reason === 'url-timeout' ? { ...reply, status: 408 } : reply,
          ),
        ),
      },
      // No document says how long it may wait.
      {
        name: 'never',
        says: 'Waits for the rest of a picture as long as anybody asks.',
        deviation: { rules: { fetchStallMs: 3_600_000 } },
      },
    ],
  },
  {
    row: 'IMG-STATUS-14',
    factor: 'code of an unsupported protocol',
    levels: [
      { name: '5454', says: 'Uses the common code.' },
      {
        name: '5400',
        says: 'Takes it for any invalid request.',
        deviation: coded(ofProtocol, 5400),
      },
      { name: 'its own', says: 'Has a code of its own.', deviation: coded(ofProtocol, 1) },
    ],
  },
  {
    row: 'IMG-ENVELOPE-08',
    factor: 'messages of errors',
    levels: [
      { name: 'a sentence', says: 'Says what is wrong.' },
      {
        name: 'empty',
        says: 'Gives an empty text.',
        deviation: errors((error) => ({ ...error, message: '' })),
      },
      {
        name: 'beyond ASCII',
        says: 'Says it at length and beyond ASCII.',
        deviation: errors((error) => ({
          ...error,
          message: '“Ошибка” 错误 🌋\n\t\u0000'.repeat(200),
        })),
      },
    ],
  },
  {
    row: 'IMG-ENVELOPE-06',
    factor: 'errors of a failure',
    levels: [
      { name: 'one', says: 'Gives one error.' },
      {
        name: 'several',
        says: 'Gives several errors.',
        deviation: failures((body) => ({
          ...body,
          errors: [
            ...(body['errors'] as Json[]),
            { code: 7, message: 'And more' },
            { code: 8, message: '' },
          ],
        })),
      },
      {
        name: 'explained',
        says: 'Gives errors with further members.',
        deviation: errors((error) => ({
          ...error,
          source: { pointer: '/id' },
          documentation_url: null,
          error_chain: [{ code: 'x' }],
        })),
      },
    ],
  },
]
