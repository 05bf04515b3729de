import type { ImagesReason } from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { onOperations, changeFailures, type Json } from './building.ts'

type Reason = ImagesReason | undefined

const changeErrors = (change: (error: Json, reason: Reason) => Json) =>
  changeFailures((body, { reason }) => ({
    ...body,
    errors: (body['errors'] as Json[]).map((error) => change(error, reason)),
  }))

/** Replaces the error codes of failures whose reason meets `isAffected`. */
const replaceCode = (isAffected: (reason: Reason) => boolean, code: number) =>
  changeErrors((error, reason) => (isAffected(reason) ? { ...error, code } : error))
const isProtocol = (reason: Reason) => reason === 'url-scheme'
const isStall = (reason: Reason) => reason === 'url-timeout'
const isInvalid = (reason: Reason) => !isProtocol(reason) && !isStall(reason)

/** Choices about the contents of errors. */
export const errorsOfFailures: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-STATUS-12',
    name: 'code of an invalid request',
    values: [
      { name: '5400', description: 'Uses code 5400.' },
      {
        name: 'codes that the document does not list',
        notCombined: true,
        description: 'Uses its own codes.',
        choices: { errorCodes: 'own' },
      },
      {
        name: '0',
        description: 'Uses code 0 for all errors, except for timeouts and unsupported protocols.',
        deviation: replaceCode(isInvalid, 0),
      },
      {
        name: '-32600',
        notCombined: true,
        description:
          'Uses code -32600 for all errors, except for timeouts and unsupported protocols.',
        deviation: replaceCode(isInvalid, -32600),
      },
      {
        name: 'the largest safe integer',
        description: 'Uses the largest safe integer as the code.',
        deviation: replaceCode(isInvalid, Number.MAX_SAFE_INTEGER),
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-13',
    name: 'the failure of an upload that times out',
    values: [
      { name: 'code 5408', description: 'Returns code 5408 after a short timeout.' },
      {
        name: 'a different code',
        notCombined: true,
        description: 'Returns its own code.',
        deviation: replaceCode(isStall, 2),
      },
      {
        name: 'status 408',
        description: 'Returns status 408.',
        unmet: ['IMG-STATUS-10'],
        deviation: onOperations(['uploadImage'], (_call, next) =>
          next().then((reply) =>
            reply.reason === 'url-timeout' ? { ...reply, status: 408 } : reply,
          ),
        ),
      },
      // The documents do not limit how long the service may wait.
      {
        name: 'none, because the server waits',
        description: 'Waits for the rest of an image as long as the client does.',
        deviation: { rules: { fetchStallMs: 3_600_000 } },
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-14',
    name: 'code of an unsupported protocol',
    values: [
      { name: '5454', description: 'Uses code 5454.' },
      {
        name: '5400',
        description: 'Uses the code of an invalid request.',
        deviation: replaceCode(isProtocol, 5400),
      },
      {
        name: 'a different code',
        description: 'Uses its own code.',
        deviation: replaceCode(isProtocol, 1),
      },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-08',
    name: 'messages of errors',
    values: [
      { name: 'a sentence', description: 'Describes the error.' },
      {
        name: 'empty',
        description: 'Returns an empty string.',
        deviation: changeErrors((error) => ({ ...error, message: '' })),
      },
      {
        name: 'with non-ASCII and control characters',
        description: 'Returns a long message with non-ASCII characters and control characters.',
        deviation: changeErrors((error) => ({
          ...error,
          message: '“Ошибка” 错误 🌋\n\t\u0000'.repeat(200),
        })),
      },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-06',
    name: 'errors of a failure',
    values: [
      { name: 'one', description: 'Returns one error.' },
      {
        name: 'several',
        description: 'Returns several errors.',
        deviation: changeFailures((body) => ({
          ...body,
          errors: [
            ...(body['errors'] as Json[]),
            { code: 7, message: 'Another error' },
            { code: 8, message: '' },
          ],
        })),
      },
      {
        name: 'one with additional fields',
        description: 'Returns errors with additional members.',
        deviation: changeErrors((error) => ({
          ...error,
          source: { pointer: '/id' },
          documentation_url: null,
          error_chain: [{ code: 'x' }],
        })),
      },
    ],
  },
]
