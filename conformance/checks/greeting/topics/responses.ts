import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Finding } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { decodeResponses, type FieldName, type DecodedResponse } from '../support/messages.ts'

/** How many broken responses of one stream are told. */
const maxReported = 3

/** One finding on all responses of a stream, or one for each of the first that break. `test` says what is wrong, '' for nothing, undefined for what it does not concern. */
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
    title: `writes ${field} as a string`,
    examine: examineEach(
      `${field} is a string`,
      `${field} in its field, as a string`,
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
    title: `never leaves ${field} empty`,
    examine: examineEach(`${field} is not empty`, `a ${field} that is not empty`, (response) =>
      !response.decodes || response.fieldErrors[field] !== undefined
        ? undefined
        : response[field] === ''
          ? `${field} is empty: ${JSON.stringify({ message: response.message, server_timestamp: response.server_timestamp }).slice(0, 160)}`
          : '',
    ),
  })

/** Forms in which people and programs write times. */
const timeFormats: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['RFC 3339 in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  ['RFC 3339 with an offset', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/],
  ['date and time without a zone', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?$/],
  ['seconds since 1970', /^\d{10}(\.\d+)?$/],
  ['milliseconds since 1970', /^\d{13}$/],
  ['nanoseconds since 1970', /^\d{19}$/],
  ['HTTP date', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/],
]

export const responses = [
  stringCheck('GRT-RESPONSE-01', 'message'),
  nonEmptyCheck('GRT-RESPONSE-02', 'message'),

  check('GRT-RESPONSE-03', {
    title: 'words its greetings in its own way',
    async run({ newRequests, sendOrBlock, observe }) {
      const names = newRequests(1)
      const [first] = decodeResponses(await sendOrBlock(names))
      observe(`${names[0]!.name} is greeted: ${JSON.stringify(first?.message.slice(0, 160))}`)
    },
  }),

  stringCheck('GRT-RESPONSE-04', 'server_timestamp'),
  nonEmptyCheck('GRT-RESPONSE-05', 'server_timestamp'),

  check('GRT-RESPONSE-07', {
    title: 'writes times in its own way',
    async run({ newRequests, sendOrBlock, observe }) {
      const times = decodeResponses(await sendOrBlock(newRequests(3))).map(
        ({ server_timestamp }) => server_timestamp,
      )
      const form =
        timeFormats.find(([, pattern]) => times.every((time) => pattern.test(time)))?.[0] ??
        'a form of its own'
      observe(`server_timestamp: ${form}, such as ${JSON.stringify(times[0]?.slice(0, 80))}`)
    },
  }),
]
