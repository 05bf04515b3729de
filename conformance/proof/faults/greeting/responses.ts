import {
  encodeGreetingRequest,
  encodeGreetingResponse,
} from '../../../../generated/greeting/index.ts'
import type { GreetingFault } from './fault.ts'
import {
  fault,
  watchRequests,
  smallNumberField,
  onMessage,
  onRequest,
  replaceRules,
  stringField,
} from './building.ts'

/** Invalid UTF-8: the second byte is not a continuation of the first. */
const invalidUtf8 = Buffer.from([0xc3, 0x28])

/** Encodes each response as the given fields of Protocol Buffers. */
const encodeAs = (fields: (message: string, time: string) => Buffer[]) =>
  replaceRules((_rules, hit) => ({
    encode: ({ message = '', server_timestamp: time = '' }) => {
      hit()
      return Buffer.concat(fields(message, time))
    },
  }))

/** Encodes the responses of a stream that `isWrong` selects by their position, from 1. */
const encodeSome = (
  isWrong: (at: number) => boolean,
  fields: (message: string, time: string) => Buffer[],
) =>
  onMessage((response, at) =>
    isWrong(at)
      ? Buffer.concat(fields(response.message ?? '', response.server_timestamp ?? ''))
      : response,
  )

const isFirst = (at: number) => at === 1
const isLater = (at: number) => at > 1

/** Faults in one field of the first response, or of later ones. */
const atOnePosition = [
  ['first', 'the first response', isFirst],
  ['later', 'later responses', isLater],
] as const

/** Faults in the contents of responses. */
export const responses: readonly GreetingFault[] = [
  fault(
    'message-is-a-number',
    'Writes the length of the greeting as field 1.',
    ['GRT-RESPONSE-01'],
    encodeAs((message, time) => [smallNumberField(1, message.length), stringField(2, time)]),
  ),
  fault(
    'message-is-not-a-string',
    'Writes invalid UTF-8 as field 1.',
    ['GRT-RESPONSE-01'],
    encodeAs((_message, time) => [stringField(1, invalidUtf8), stringField(2, time)]),
  ),
  fault(
    'message-has-another-number',
    'Writes the greeting as field 3.',
    ['GRT-RESPONSE-01', 'GRT-RESPONSE-02'],
    encodeAs((message, time) => [stringField(2, time), stringField(3, message)]),
  ),
  fault(
    'message-is-empty',
    'Returns an empty message.',
    ['GRT-RESPONSE-02'],
    onMessage((response) => ({ ...response, message: '' })),
  ),
  fault(
    'second-message-is-empty',
    'Returns an empty message to the second request of a stream.',
    ['GRT-RESPONSE-02'],
    onMessage((response, at) => (at === 2 ? { ...response, message: '' } : response)),
  ),

  fault(
    'timestamp-is-a-number',
    'Writes a number as field 2.',
    ['GRT-RESPONSE-04'],
    encodeAs((message) => [stringField(1, message), smallNumberField(2, 42)]),
  ),
  fault(
    'timestamp-is-not-a-string',
    'Writes invalid UTF-8 as field 2.',
    ['GRT-RESPONSE-04'],
    encodeAs((message) => [stringField(1, message), stringField(2, invalidUtf8)]),
  ),
  fault(
    'timestamp-has-another-number',
    'Writes the time as field 3.',
    ['GRT-RESPONSE-04', 'GRT-RESPONSE-05'],
    encodeAs((message, time) => [stringField(1, message), stringField(3, time)]),
  ),
  fault(
    'timestamp-is-empty',
    'Returns an empty server_timestamp.',
    ['GRT-RESPONSE-05'],
    onMessage((response) => ({ ...response, server_timestamp: '' })),
  ),
  fault(
    'later-timestamps-are-empty',
    'Returns the time only in the first response of a stream.',
    ['GRT-RESPONSE-05'],
    onMessage((response, at) => (at > 1 ? { ...response, server_timestamp: '' } : response)),
  ),

  fault(
    'timestamp-contains-the-name',
    'Appends the greeting to the time.',
    ['GRT-NAME-03'],
    onMessage((response) => ({
      ...response,
      server_timestamp: `${response.server_timestamp} ${response.message}`,
    })),
  ),
  fault(
    'fields-are-swapped',
    'Swaps the greeting and the time.',
    ['GRT-NAME-03'],
    encodeAs((message, time) => [stringField(1, time), stringField(2, message)]),
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
    'Omits the last byte of each response.',
    ['GRT-RPC-04'],
    replaceRules((_rules, hit) => ({
      encode: (response) => {
        hit()
        return encodeGreetingResponse(response).subarray(0, -1)
      },
    })),
  ),
  ...atOnePosition.flatMap(([name, description, isWrong]) => [
    fault(
      `${name}-message-is-a-number`,
      `Writes the length of the greeting as field 1 of ${description} of a stream.`,
      ['GRT-RESPONSE-01'],
      encodeSome(isWrong, (message, time) => [
        smallNumberField(1, message.length),
        stringField(2, time),
      ]),
    ),
    fault(
      `${name}-message-is-absent`,
      `Omits field 1 of ${description} of a stream.`,
      ['GRT-RESPONSE-02'],
      encodeSome(isWrong, (_message, time) => [stringField(2, time)]),
    ),
    fault(
      `${name}-timestamp-is-a-number`,
      `Writes a number as field 2 of ${description} of a stream.`,
      ['GRT-RESPONSE-04'],
      encodeSome(isWrong, (message) => [stringField(1, message), smallNumberField(2, 42)]),
    ),
    fault(
      `${name}-timestamp-is-absent`,
      `Omits field 2 of ${description} of a stream.`,
      ['GRT-RESPONSE-05'],
      encodeSome(isWrong, (message) => [stringField(1, message)]),
    ),
    fault(
      `${name}-response-is-cut`,
      `Omits the last byte of ${description} of a stream.`,
      ['GRT-RPC-04'],
      encodeSome(isWrong, (message, time) => [
        stringField(1, message),
        stringField(2, time).subarray(0, -1),
      ]),
    ),
  ]),
  fault(
    'requests-are-echoed',
    'Returns each request unchanged instead of a response.',
    ['GRT-SERVICE-02'],
    onRequest((call, next, hit) => {
      const send = call.send.bind(call)
      const received: Uint8Array[] = []
      watchRequests(call, (request) => received.push(encodeGreetingRequest(request)))
      call.send = () => {
        hit()
        return send(received.shift()!)
      }
      return next()
    }),
  ),
]
