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
    requirement: 'IMG-STATUS-12',
    name: 'code of an invalid request',
    levels: [
      { name: '5400', description: 'Uses the common code.' },
      {
        name: 'its own',
        notCombined: true,
        description: 'Has codes of its own.',
        choices: { errorCodes: 'own' },
      },
      { name: '0', description: 'Says 0 for everything.', deviation: coded(invalid, 0) },
      {
        name: 'negative',
        notCombined: true,
        description: 'Says -32600 for everything.',
        deviation: coded(invalid, -32600),
      },
      {
        name: 'large',
        description: 'Says the largest integer that is safe.',
        deviation: coded(invalid, Number.MAX_SAFE_INTEGER),
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-13',
    name: 'an upload that times out',
    levels: [
      { name: '5408', description: 'Gives it up soon, with the common code.' },
      {
        name: 'its own',
        notCombined: true,
        description: 'Gives it up with a code of its own.',
        deviation: coded(ofStall, 2),
      },
      {
        name: 'a request timeout',
        description: 'Gives it up with the status that HTTP has for that, 408.',
        unmet: ['IMG-STATUS-10'],
        deviation: at(['uploadImage'], (_call, next) =>
          next().then((reply) =>
            reply.reason === 'url-timeout' ? { ...reply, status: 408 } : reply,
          ),
        ),
      },
      // No document says how long it may wait.
      {
        name: 'never',
        description: 'Waits for the rest of a picture as long as anybody asks.',
        deviation: { rules: { fetchStallMs: 3_600_000 } },
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-14',
    name: 'code of an unsupported protocol',
    levels: [
      { name: '5454', description: 'Uses the common code.' },
      {
        name: '5400',
        description: 'Takes it for any invalid request.',
        deviation: coded(ofProtocol, 5400),
      },
      { name: 'its own', description: 'Has a code of its own.', deviation: coded(ofProtocol, 1) },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-08',
    name: 'messages of errors',
    levels: [
      { name: 'a sentence', description: 'Says what is wrong.' },
      {
        name: 'empty',
        description: 'Gives an empty text.',
        deviation: errors((error) => ({ ...error, message: '' })),
      },
      {
        name: 'beyond ASCII',
        description: 'Says it at length and beyond ASCII.',
        deviation: errors((error) => ({
          ...error,
          message: '“Ошибка” 错误 🌋\n\t\u0000'.repeat(200),
        })),
      },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-06',
    name: 'errors of a failure',
    levels: [
      { name: 'one', description: 'Gives one error.' },
      {
        name: 'several',
        description: 'Gives several errors.',
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
        description: 'Gives errors with further members.',
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
