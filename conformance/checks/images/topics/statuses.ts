import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { codesOf, isSuccess } from '../support/expectations.ts'
import { check, watch } from '../support/define.ts'
import { expectedMeaning } from '../support/examined-responses.ts'
import { meanings, documentedStatuses } from '../support/meanings.ts'
import { pixelFile } from '../support/requests.ts'

/** A status of the table, watched in every answer whose meaning a check knows: it stands for what the table says, and for nothing else. */
function statusCheck(requirement: RequirementId, code: number, title: string) {
  return watch(requirement, {
    title,
    sources: [],
    examine: (exchange) => {
      const meaning = expectedMeaning(exchange)
      if (meaning === undefined || exchange.status === undefined) return []
      const allowed: readonly number[] = meanings[meaning]
      if (exchange.status !== code && !allowed.includes(code)) return []
      // Where a service did what it should have refused, or refused what it should have done, its status is right for what it did: the check that
      // asked tells the fault.
      if (isSuccess(exchange) !== allowed.includes(200)) return []
      return [
        {
          name: 'stands for its meaning',
          held: exchange.status !== code || allowed.includes(code),
          expected: `${exchange.operation} answered as ${meaning}: ${allowed.join(' or ')}`,
          received:
            exchange.status !== code || allowed.includes(code) ? 'as expected' : exchange.summary,
        },
      ]
    },
  })
}

/** A status of a failing service, which no answer to a client's mistake may have. */
function serverErrorCheck(requirement: RequirementId, code: number, title: string) {
  return watch(requirement, {
    title,
    sources: [],
    examine: (exchange) => {
      const meaning = expectedMeaning(exchange)
      if (meaning === undefined || exchange.status === undefined || meaning === 'success') return []
      const fit: readonly number[] = meanings[meaning]
      return [
        {
          name: 'is not blamed on the service',
          held: exchange.status !== code || fit.includes(code),
          expected: `${exchange.operation} answered as ${meaning}: ${fit.join(' or ')}`,
          received:
            exchange.status !== code || fit.includes(code) ? 'as expected' : exchange.summary,
        },
      ]
    },
  })
}

export const statuses = [
  statusCheck('IMG-STATUS-01', 200, 'keeps 200 for success'),
  statusCheck('IMG-STATUS-02', 400, 'keeps 400 for invalid requests'),
  statusCheck('IMG-STATUS-03', 401, 'keeps 401 for tokens that are missing or not valid'),
  statusCheck('IMG-STATUS-04', 403, 'keeps 403 for lacking permissions'),
  statusCheck('IMG-STATUS-05', 404, 'keeps 404 for what does not exist'),
  statusCheck('IMG-STATUS-06', 413, 'keeps 413 for files that are too large'),
  serverErrorCheck('IMG-STATUS-08', 500, 'answers no mistake of the client with 500'),
  serverErrorCheck('IMG-STATUS-09', 502, 'answers no mistake of the client with 502'),

  watch('IMG-STATUS-10', {
    title: 'answers with the statuses of the table',
    sources: [],
    examine: (exchange) => {
      const meaning = expectedMeaning(exchange)
      if (meaning === undefined || exchange.status === undefined) return []
      if (isSuccess(exchange) !== (meaning === 'success')) return []
      return [
        {
          name: 'is in the table',
          held: documentedStatuses.includes(exchange.status),
          expected: `one of ${documentedStatuses.join(', ')}`,
          received: documentedStatuses.includes(exchange.status)
            ? 'as expected'
            : `${exchange.operation}: ${exchange.summary}`,
        },
      ]
    },
  }),

  check('IMG-STATUS-12', {
    title: 'gives an invalid request some code',
    async run({ send, observe, request }) {
      observe(
        `neither file nor url: code ${codesOf(await send(request.upload({ requireSignedURLs: 'false' })))}`,
      )
    },
  }),

  check('IMG-STATUS-14', {
    title: 'gives an unsupported protocol some code',
    async run({ send, observe, request }) {
      observe(
        `a URL of an unknown protocol: code ${codesOf(await send(request.upload({ url: 'touchstone://pictures.example/a.png' })))}`,
      )
    },
  }),

  check('IMG-UPLOAD-14', {
    title: 'does something with a file that is no picture',
    async run({ send, observe, request }) {
      const text = {
        ...pixelFile,
        value: 'no picture at all',
        filename: 'note.txt',
        type: 'text/plain',
      }
      observe(`a text as file: ${(await send(request.upload({ file: text }))).summary}`)
    },
  }),
]
