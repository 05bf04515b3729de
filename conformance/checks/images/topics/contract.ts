import { examineResponse, requirementsOf } from '../support/examined-responses.ts'
import { operations } from '../../../../generated/images/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { watch } from '../support/define.ts'
import { jsonAt } from '../support/expectations.ts'
import { rootOf } from '../support/roots.ts'

// Each row that the schemas state is watched in every answer of every operation, once: a member that is missing in one place gives one failure,
// however many checks have met it.

const titles: Partial<Record<RequirementId, string>> = {
  'IMG-ENVELOPE-01': 'answers with one JSON object',
  'IMG-ENVELOPE-02': 'says in each envelope whether it succeeded',
  'IMG-ENVELOPE-03': 'says success exactly where it succeeded',
  'IMG-ENVELOPE-04': 'carries a result in each success',
  'IMG-ENVELOPE-05': 'gives results as objects',
  'IMG-ENVELOPE-06': 'carries an array of errors in each failure',
  'IMG-ENVELOPE-07': 'gives each error an integer code',
  'IMG-ENVELOPE-08': 'gives each error a message',
  'IMG-IMAGE-01': 'names each image by a text',
  'IMG-IMAGE-04': 'shows each filename as a text',
  'IMG-IMAGE-06': 'dates each image in ISO 8601',
  'IMG-IMAGE-07': 'shows requireSignedURLs as a boolean',
  'IMG-IMAGE-09': 'shows variants as an array of texts',
  'IMG-IMAGE-11': 'shows draft as a boolean',
  'IMG-IMAGE-12': 'shows metadata as an object',
  'IMG-TICKET-02': 'names each ticket by a text',
  'IMG-TICKET-04': 'gives each ticket an absolute URL',
  'IMG-LIST-02': 'lists images in an array',
}

export const contract = (Object.keys(titles) as RequirementId[]).map((requirement) => {
  const statingOperations = Object.values(operations).filter(({ success, failure }) =>
    [...success.fields, ...failure.fields].some((field) =>
      requirementsOf(field).includes(requirement),
    ),
  )
  return watch(requirement, {
    title: titles[requirement]!,
    sources: statingOperations.map(({ id }) => rootOf(id)),
    examine: (exchange) => {
      const found = examineResponse(exchange)
      if (found === undefined) return []
      // Of an image that is still to come its envelope, its id and its draft are known; the rest may not be.
      if (
        exchange.operation === 'getImage' &&
        jsonAt(exchange, 'result', 'draft') === true &&
        !/^IMG-(ENVELOPE|IMAGE-01|IMAGE-11)/.test(requirement)
      )
        return []
      const broken = found.violations.filter((violation) => violation.requirement === requirement)
      if (broken.length > 0) {
        return broken.slice(0, 3).map(({ path, message, received }) => ({
          name: 'keeps the contract',
          held: false,
          expected: `${exchange.operation} ${path === '' ? 'body' : path}: ${message}`,
          received:
            received === undefined ? 'nothing there' : JSON.stringify(received).slice(0, 160),
        }))
      }
      return found.shown.has(requirement)
        ? [{ name: 'keeps the contract', held: true, expected: 'as stated', received: 'as stated' }]
        : []
    },
  })
})
