import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { codesOf, isSuccess } from '../support/expectations.ts'
import { check, watch } from '../support/define.ts'
import { expectedMeaning } from '../support/examined-responses.ts'
import { describeMeaning, documentedStatuses, meanings, type Meaning } from '../support/meanings.ts'
import { pixelFile } from '../support/requests.ts'

/**
 * What to do if the server does not know the token without the permission: its status is then right
 * for the token, and wrong for the permission.
 */
const describeUnknownToken = (meaning: Meaning, status: number) =>
  meaning === 'forbidden' && status === 401
    ? '   (if the server does not know this token, correct images.limitedToken)'
    : ''

/**
 * Defines a check of all responses: the server returns a status only with the meaning in the
 * document.
 */
function statusCheck(requirement: RequirementId, code: number, title: string, hint = '') {
  return watch(requirement, {
    title,
    sources: [],
    examines: `response with status ${code}${hint}`,
    examine: (exchange) => {
      const meaning = expectedMeaning(exchange)
      if (meaning === undefined || exchange.status === undefined) return []
      const allowed: readonly number[] = meanings[meaning]
      if (exchange.status !== code && !allowed.includes(code)) return []
      // If the server wrongly accepts or refuses a request, the check that sent the request reports
      // that. The status may then be right for what the server did, so it is not judged.
      if (isSuccess(exchange) !== allowed.includes(200)) return []
      return [
        {
          name: 'has the right meaning',
          held: exchange.status !== code || allowed.includes(code),
          expected: `${describeMeaning(meaning)} (response to ${exchange.operation})`,
          received:
            exchange.status !== code || allowed.includes(code)
              ? 'as expected'
              : exchange.summary + describeUnknownToken(meaning, code),
        },
      ]
    },
  })
}

/**
 * Defines a check of all responses: for a mistake of the client, the server does not return this
 * status, which means a failure of the server.
 */
function serverErrorCheck(requirement: RequirementId, code: number, title: string) {
  return watch(requirement, {
    title,
    sources: [],
    examine: (exchange) => {
      const meaning = expectedMeaning(exchange)
      if (meaning === undefined || exchange.status === undefined || meaning === 'success') return []
      const allowed: readonly number[] = meanings[meaning]
      return [
        {
          name: 'is not a server failure',
          held: exchange.status !== code || allowed.includes(code),
          expected: `${describeMeaning(meaning)} (response to ${exchange.operation})`,
          received:
            exchange.status !== code || allowed.includes(code) ? 'as expected' : exchange.summary,
        },
      ]
    },
  })
}

export const statusesChecks = [
  statusCheck('IMG-STATUS-01', 200, 'returns 200 only for success'),
  statusCheck('IMG-STATUS-02', 400, 'returns 400 only for invalid requests'),
  statusCheck('IMG-STATUS-03', 401, 'returns 401 only for missing or invalid tokens'),
  statusCheck('IMG-STATUS-04', 403, 'returns 403 only for missing permissions'),
  statusCheck('IMG-STATUS-05', 404, 'returns 404 only for missing resources'),
  statusCheck(
    'IMG-STATUS-06',
    413,
    'returns 413 only for files that are too large',
    ' (if images.maxFileBytes is set, a check uploads a file that is too large)',
  ),
  serverErrorCheck('IMG-STATUS-08', 500, 'does not return 500 for a mistake of the client'),
  serverErrorCheck('IMG-STATUS-09', 502, 'does not return 502 for a mistake of the client'),

  watch('IMG-STATUS-15', {
    title: 'does not return 500 for valid requests',
    sources: [],
    examine: (exchange) => {
      const meaning = expectedMeaning(exchange)
      // Reads are valid even if the check states no meaning for them.
      const isRead = meaning === undefined && /^(batch)?(list|get)/i.test(exchange.operation)
      if (exchange.status === undefined || !(meaning === 'success' || isRead)) return []
      return [
        {
          name: 'is not an internal error',
          held: exchange.status !== 500,
          expected: `a success, because the request is valid (response to ${exchange.operation})`,
          received: exchange.status === 500 ? exchange.summary : 'as expected',
        },
      ]
    },
  }),

  watch('IMG-STATUS-10', {
    title: 'returns only statuses that the document lists',
    sources: [],
    examine: (exchange) => {
      const meaning = expectedMeaning(exchange)
      if (meaning === undefined || exchange.status === undefined) return []
      if (isSuccess(exchange) !== (meaning === 'success')) return []
      // The table lists only statuses of the API. The upload host may redirect a browser, and none
      // of the listed statuses describes a URL that was used or has expired.
      if (isSuccess(exchange) && exchange.status >= 300) return []
      if (meaning === 'spent' && [409, 410].includes(exchange.status)) return []
      if (meaning === 'without a length' && exchange.status === 411) return []
      return [
        {
          name: 'is in the table',
          held: documentedStatuses.includes(exchange.status),
          expected: `one of the statuses ${documentedStatuses.join(', ')}`,
          received: documentedStatuses.includes(exchange.status)
            ? 'as expected'
            : `${exchange.operation}: ${exchange.summary}`,
        },
      ]
    },
  }),

  check('IMG-STATUS-12', {
    title: 'records the error code of an invalid request',
    async run({ send, observe, request }) {
      observe(
        `an upload with neither file nor url: error code ${codesOf(await send(request.upload({ requireSignedURLs: 'false' })))}`,
      )
    },
  }),

  check('IMG-STATUS-14', {
    title: 'records the error code of an unsupported protocol',
    async run({ send, observe, request }) {
      observe(
        `an upload whose url has an unsupported protocol: error code ${codesOf(await send(request.upload({ url: 'touchstone://images.example/a.png' })))}`,
      )
    },
  }),

  check('IMG-UPLOAD-14', {
    title: 'records how a file that is not an image is handled',
    async run({ send, observe, request }) {
      const textFile = {
        ...pixelFile,
        value: 'not an image',
        filename: 'note.txt',
        type: 'text/plain',
      }
      observe(
        `an upload of a plain-text file: ${(await send(request.upload({ file: textFile }))).summary}`,
      )
    },
  }),
]
