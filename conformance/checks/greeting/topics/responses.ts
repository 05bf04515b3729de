import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Finding } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { decodeResponses, type FieldName, type DecodedResponse } from '../support/messages.ts'

/** The largest number of violations to report for one stream. */
const maxReported = 3

/**
 * Examines all responses of a stream. Returns one finding if all are valid, otherwise one for each
 * of the first violations. `test` returns the violation, '' if there is none, and undefined if it
 * does not apply.
 */
function examineEach(
  name: string,
  expected: string,
  test: (response: DecodedResponse) => string | undefined,
): (exchange: GrpcExchange) => Omit<Finding, 'exchange'>[] {
  return (exchange) => {
    if (exchange.operation !== 'greet') return []
    let examined = 0
    const broken: Omit<Finding, 'exchange'>[] = []
    for (const response of decodeResponses(exchange)) {
      const wrong = test(response)
      if (wrong !== undefined) examined += 1
      if (wrong !== undefined && wrong !== '' && broken.length < maxReported)
        broken.push({ name, held: false, expected, received: wrong })
    }
    return broken.length > 0 || examined === 0
      ? broken
      : [{ name, held: true, expected, received: 'as expected' }]
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
    examine: examineEach(
      `${field} is not empty`,
      `a field ${field} that is not empty`,
      (response) =>
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
    title: 'records a greeting',
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
