import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Finding } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { decodeResponses, type FieldName, type DecodedResponse } from '../support/messages.ts'

/** The maximum number of violations to report for each position in a stream. */
const maxReported = 3

type FindingOfMessage = Omit<Finding, 'exchange'>

/**
 * Positions of responses that are judged separately, because servers often create the first
 * response in different code.
 */
const positions = ['the first response', 'later responses'] as const

/**
 * Examines all responses of a stream. For each position, returns one finding if all responses are
 * valid, and otherwise one for each of the first violations. `test` describes the violation in a
 * response. It returns an empty string if there is none, and undefined if it cannot judge the
 * response.
 */
function examineEach(
  name: string,
  expected: string,
  test: (response: DecodedResponse) => string | undefined,
): (exchange: GrpcExchange) => FindingOfMessage[] {
  return (exchange) => {
    if (exchange.operation !== 'greet') return []
    const [first, ...later] = decodeResponses(exchange)
    return [first === undefined ? [] : [first], later].flatMap(
      (responses, at): FindingOfMessage[] => {
        const found = responses.map(test).filter((violation) => violation !== undefined)
        const violations = found.filter((violation) => violation !== '').slice(0, maxReported)
        const finding = { name: `${positions[at]!}: ${name}`, expected }
        if (violations.length === 0 && found.length > 0)
          return [{ ...finding, held: true, received: 'as expected' }]
        return violations.map((received) => ({ ...finding, held: false, received }))
      },
    )
  }
}

const stringCheck = (requirement: RequirementId, field: FieldName) =>
  watch(requirement, {
    title: `returns the field ${field} as a string`,
    examine: examineEach(
      `${field} is a string`,
      `the field ${field} as a string`,
      ({ decodes, fieldErrors }) =>
        decodes
          ? fieldErrors[field] === undefined
            ? ''
            : `${field}: ${fieldErrors[field]}`
          : undefined,
    ),
  })

const nonEmptyCheck = (requirement: RequirementId, field: FieldName) =>
  watch(requirement, {
    title: `never leaves the field ${field} empty`,
    examine: examineEach(`${field} is not empty`, `a non-empty field ${field}`, (response) =>
      !response.decodes || response.fieldErrors[field] !== undefined
        ? undefined
        : response[field] === ''
          ? `${field} is empty: ${JSON.stringify({ message: response.message, server_timestamp: response.server_timestamp }).slice(0, 160)}`
          : '',
    ),
  })

/** Common formats of times. */
const timeFormats: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['RFC 3339 in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  ['RFC 3339 with an offset', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/],
  ['date and time without a zone', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?$/],
  ['seconds since 1970', /^\d{10}(\.\d+)?$/],
  ['milliseconds since 1970', /^\d{13}$/],
  ['nanoseconds since 1970', /^\d{19}$/],
  ['HTTP date', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/],
]

export const responsesChecks = [
  stringCheck('GRT-RESPONSE-01', 'message'),
  nonEmptyCheck('GRT-RESPONSE-02', 'message'),

  check('GRT-RESPONSE-03', {
    title: 'records the text of a greeting',
    async run({ newRequests, sendOrBlock, observe }) {
      const names = newRequests(1)
      const [first] = decodeResponses(await sendOrBlock(names))
      observe(`the greeting for ${names[0]!.name}: ${JSON.stringify(first?.message.slice(0, 160))}`)
    },
  }),

  stringCheck('GRT-RESPONSE-04', 'server_timestamp'),
  nonEmptyCheck('GRT-RESPONSE-05', 'server_timestamp'),

  check('GRT-RESPONSE-07', {
    title: 'records the format of server_timestamp',
    async run({ newRequests, sendOrBlock, observe }) {
      const times = decodeResponses(await sendOrBlock(newRequests(3))).map(
        ({ server_timestamp }) => server_timestamp,
      )
      const format =
        timeFormats.find(([, pattern]) => times.every((time) => pattern.test(time)))?.[0] ??
        'another format'
      observe(`server_timestamp: ${format}, such as ${JSON.stringify(times[0]?.slice(0, 80))}`)
    },
  }),
]
