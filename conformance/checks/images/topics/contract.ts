import { examineResponse, requirementsOf } from '../support/examined-responses.ts'
import { operations } from '../../../../generated/images/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { watch } from '../support/define.ts'
import { jsonAt } from '../support/expectations.ts'
import { describeReceived } from '../../shared/received.ts'
import { rootOf } from '../support/roots.ts'

// Each requirement of the schemas has one watching check, which examines all responses. So a
// missing member is reported once, however many checks received a response without it.

const titles: Partial<Record<RequirementId, string>> = {
  'IMG-ENVELOPE-01': 'responds with one JSON object',
  'IMG-ENVELOPE-02': 'has the boolean field success in each envelope',
  'IMG-ENVELOPE-03': 'sets success to true if and only if the request succeeded',
  'IMG-ENVELOPE-04': 'has the field result in each successful response',
  'IMG-ENVELOPE-05': 'returns results as objects',
  'IMG-ENVELOPE-06': 'has an array of errors in each failed response',
  'IMG-ENVELOPE-07': 'has an integer code in each error',
  'IMG-ENVELOPE-08': 'has a message in each error',
  'IMG-IMAGE-01': 'identifies each image by a string',
  'IMG-IMAGE-04': 'returns each filename as a string',
  'IMG-IMAGE-06': 'returns upload times in ISO 8601',
  'IMG-IMAGE-07': 'returns requireSignedURLs as a boolean',
  'IMG-IMAGE-09': 'returns variants as an array of strings',
  'IMG-IMAGE-11': 'returns draft as a boolean',
  'IMG-IMAGE-12': 'returns metadata as an object',
  'IMG-TICKET-02': 'identifies each ticket by a string',
  'IMG-TICKET-04': 'returns an absolute upload URL for each ticket',
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
      // Only `id` and `draft` are required for a draft, so its other fields may be missing.
      if (
        exchange.operation === 'getImage' &&
        jsonAt(exchange, 'result', 'draft') === true &&
        !/^IMG-(ENVELOPE|IMAGE-01|IMAGE-11)/.test(requirement)
      )
        return []
      const broken = found.violations.filter((violation) => violation.requirement === requirement)
      if (broken.length > 0) {
        return broken.slice(0, 3).map(({ path, message, received }) => ({
          name: 'conforms to the schema',
          held: false,
          expected: `${path === '' ? 'the body of' : `the value at ${path} in`} the response to ${exchange.operation}: ${message}`,
          received: describeReceived(received, path, exchange),
        }))
      }
      return found.shown.has(requirement)
        ? [
            {
              name: 'conforms to the schema',
              held: true,
              expected: 'a value that conforms to the schema',
              received: 'as expected',
            },
          ]
        : []
    },
  })
})
