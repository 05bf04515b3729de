import {
  encodeGreetingRequest,
  encodeGreetingResponse,
} from '../../../../generated/greeting/index.ts'
import type { GreetingFault } from './fault.ts'
import {
  fault,
  listens,
  numberField,
  onMessage,
  onRequest,
  replaceRules,
  textField,
} from './building.ts'

/** No UTF-8: what follows the first byte is no continuation of it. */
const broken = Buffer.from([0xc3, 0x28])

/** Writes each response with these fields. */
const writes = (fields: (message: string, time: string) => Buffer[]) =>
  replaceRules((_rules, hit) => ({
    encode: ({ message = '', server_timestamp: time = '' }) => {
      hit()
      return Buffer.concat(fields(message, time))
    },
  }))

/** Responses that are no GreetingResponse, or an empty one. */
export const responses: readonly GreetingFault[] = [
  fault(
    'message-is-a-number',
    'Writes the length of the greeting under field 1.',
    ['GRT-RESPONSE-01'],
    writes((message, time) => [numberField(1, message.length), textField(2, time)]),
  ),
  fault(
    'message-is-no-text',
    'Writes bytes under field 1 that are no UTF-8.',
    ['GRT-RESPONSE-01'],
    writes((_message, time) => [textField(1, broken), textField(2, time)]),
  ),
  fault(
    'message-has-another-number',
    'Writes the greeting under field 3.',
    ['GRT-RESPONSE-01', 'GRT-RESPONSE-02'],
    writes((message, time) => [textField(2, time), textField(3, message)]),
  ),
  fault(
    'message-is-empty',
    'Answers with an empty message.',
    ['GRT-RESPONSE-02'],
    onMessage((response) => ({ ...response, message: '' })),
  ),
  fault(
    'second-message-is-empty',
    'Answers the second request of a stream with an empty message.',
    ['GRT-RESPONSE-02'],
    onMessage((response, at) => (at === 2 ? { ...response, message: '' } : response)),
  ),

  fault(
    'timestamp-is-a-number',
    'Writes a number under field 2.',
    ['GRT-RESPONSE-04'],
    writes((message) => [textField(1, message), numberField(2, 42)]),
  ),
  fault(
    'timestamp-is-no-text',
    'Writes bytes under field 2 that are no UTF-8.',
    ['GRT-RESPONSE-04'],
    writes((message) => [textField(1, message), textField(2, broken)]),
  ),
  fault(
    'timestamp-has-another-number',
    'Writes the time under field 3.',
    ['GRT-RESPONSE-04', 'GRT-RESPONSE-05'],
    writes((message, time) => [textField(1, message), textField(3, time)]),
  ),
  fault(
    'timestamp-is-empty',
    'Tells no time.',
    ['GRT-RESPONSE-05'],
    onMessage((response) => ({ ...response, server_timestamp: '' })),
  ),
  fault(
    'later-timestamps-are-empty',
    'Tells the time in the first response of a stream alone.',
    ['GRT-RESPONSE-05'],
    onMessage((response, at) => (at > 1 ? { ...response, server_timestamp: '' } : response)),
  ),

  fault(
    'timestamp-tells-the-name',
    'Puts the greeting behind the time.',
    ['GRT-NAME-03'],
    onMessage((response) => ({
      ...response,
      server_timestamp: `${response.server_timestamp} ${response.message}`,
    })),
  ),
  fault(
    'fields-are-swapped',
    'Writes the greeting where the time belongs, and the time where the greeting belongs.',
    ['GRT-NAME-03'],
    writes((message, time) => [textField(1, time), textField(2, message)]),
  ),

  fault(
    'responses-are-json',
    'Writes responses as JSON.',
    ['GRT-RPC-04'],
    replaceRules((_rules, hit) => ({
      encode: (response) => {
        hit()
        return Buffer.from(JSON.stringify(response))
      },
    })),
  ),
  fault(
    'responses-are-cut',
    'Leaves the last byte of each response out.',
    ['GRT-RPC-04'],
    replaceRules((_rules, hit) => ({
      encode: (response) => {
        hit()
        return encodeGreetingResponse(response).subarray(0, -1)
      },
    })),
  ),
  fault(
    'requests-come-back',
    'Sends each request back as it came.',
    ['GRT-SERVICE-02'],
    onRequest((call, next, hit) => {
      const send = call.send.bind(call)
      const come: Uint8Array[] = []
      listens(call, (request) => come.push(encodeGreetingRequest(request)))
      call.send = () => {
        hit()
        return send(come.shift()!)
      }
      return next()
    }),
  ),
]
