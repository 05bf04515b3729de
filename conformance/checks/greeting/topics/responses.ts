import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Finding } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { responsesOf, type FieldName, type Response } from '../support/messages.ts'

/** How many broken responses of one stream are told. */
const told = 3

/** One finding on all responses of a stream, or one for each of the first that break. `test` says what is wrong, '' for nothing, undefined for what it does not concern. */
function ofEach(
  name: string,
  expected: string,
  test: (response: Response) => string | undefined,
): (exchange: GrpcExchange) => Omit<Finding, 'exchange'>[] {
  return (exchange) => {
    if (exchange.operation !== 'greet') return []
    let examined = 0
    const broken: Omit<Finding, 'exchange'>[] = []
    for (const response of responsesOf(exchange)) {
      const wrong = test(response)
      if (wrong !== undefined) examined += 1
      if (wrong !== undefined && wrong !== '' && broken.length < told)
        broken.push({ name, held: false, expected, received: wrong })
    }
    return broken.length > 0 || examined === 0
      ? broken
      : [{ name, held: true, expected, received: 'as expected' }]
  }
}

const string = (requirement: RequirementId, field: FieldName) =>
  watch(requirement, {
    title: `writes ${field} as a string`,
    examine: ofEach(
      `${field} is a string`,
      `${field} in its field, as a string`,
      ({ decodes, wrong }) =>
        decodes ? (wrong[field] === undefined ? '' : `${field}: ${wrong[field]}`) : undefined,
    ),
  })

const filled = (requirement: RequirementId, field: FieldName) =>
  watch(requirement, {
    title: `never leaves ${field} empty`,
    examine: ofEach(`${field} is not empty`, `a ${field} that is not empty`, (response) =>
      !response.decodes || response.wrong[field] !== undefined
        ? undefined
        : response[field] === ''
          ? `${field} is empty: ${JSON.stringify({ message: response.message, server_timestamp: response.server_timestamp }).slice(0, 160)}`
          : '',
    ),
  })

/** Forms in which people and programs write times. */
const forms: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['RFC 3339 in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  ['RFC 3339 with an offset', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/],
  ['date and time without a zone', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?$/],
  ['seconds since 1970', /^\d{10}(\.\d+)?$/],
  ['milliseconds since 1970', /^\d{13}$/],
  ['nanoseconds since 1970', /^\d{19}$/],
  ['HTTP date', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/],
]

export const responses = [
  string('GRT-RESPONSE-01', 'message'),
  filled('GRT-RESPONSE-02', 'message'),

  check('GRT-RESPONSE-03', {
    title: 'words its greetings in its own way',
    async run({ asked, given, observe }) {
      const names = asked(1)
      const [first] = responsesOf(await given(names))
      observe(`${names[0]!.name} is greeted: ${JSON.stringify(first?.message.slice(0, 160))}`)
    },
  }),

  string('GRT-RESPONSE-04', 'server_timestamp'),
  filled('GRT-RESPONSE-05', 'server_timestamp'),

  check('GRT-RESPONSE-07', {
    title: 'writes times in its own way',
    async run({ asked, given, observe }) {
      const times = responsesOf(await given(asked(3))).map(
        ({ server_timestamp }) => server_timestamp,
      )
      const form =
        forms.find(([, pattern]) => times.every((time) => pattern.test(time)))?.[0] ??
        'a form of its own'
      observe(`server_timestamp: ${form}, such as ${JSON.stringify(times[0]?.slice(0, 80))}`)
    },
  }),
]
