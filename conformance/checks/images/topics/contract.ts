import { examineResponse, requirementsOf } from '../support/examined-responses.ts'
import { operations } from '../../../../generated/images/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { watch } from '../support/define.ts'
import { stateOf } from '../support/image-states.ts'
import { imagesOf, jsonAt, type ImageRecord } from '../support/expectations.ts'
import type { HttpExchange } from '../../../wire/index.ts'
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

/** Only `id` and `draft` are required for a draft, so its other fields may be missing. */
const appliesToDrafts = (requirement: RequirementId) =>
  /^IMG-(ENVELOPE|TICKET|LIST|IMAGE-01|IMAGE-11)/.test(requirement)

/**
 * Whether an image in a response can be a draft. If the run knows the image, its field `draft` does
 * not count. Otherwise the image may be the draft of another client: when it is read, it then has
 * `draft: true`, but lists need not contain `draft`.
 */
function mayBeDraft(exchange: HttpExchange, image: ImageRecord): boolean {
  const state = stateOf(exchange, image['id'])
  if (exchange.operation === 'getImage')
    return state === 'draft' || (state === undefined && image['draft'] === true)
  return isListOperation(exchange) && state !== 'stored'
}

const isListOperation = ({ operation }: HttpExchange) =>
  operation === 'listImages' || operation === 'batchListImages'

/** Whether every image in a response can be a draft, so that its fields are not examined. */
function showsOnlyDrafts(exchange: HttpExchange): boolean {
  if (isListOperation(exchange)) {
    const images = imagesOf(exchange)
    return images.length > 0 && images.every((image) => mayBeDraft(exchange, image))
  }
  return mayBeDraft(exchange, Object(jsonAt(exchange, 'result')) as ImageRecord)
}

/** Whether the value at a path of a response belongs to an image that can be a draft. */
function isOfDraft(exchange: HttpExchange, path: string): boolean {
  const index = /^\/result\/images\/(\d+)\//.exec(path)?.[1]
  const image = index === undefined ? undefined : imagesOf(exchange)[Number(index)]
  return image !== undefined && mayBeDraft(exchange, image)
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
      const concernsFields = !appliesToDrafts(requirement)
      if (concernsFields && showsOnlyDrafts(exchange)) return []
      const broken = found.violations.filter(
        (violation) =>
          violation.requirement === requirement &&
          !(concernsFields && isOfDraft(exchange, violation.path)),
      )
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
