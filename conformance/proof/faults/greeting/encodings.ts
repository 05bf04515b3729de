import {
  decodeGreetingRequest,
  type GreetingRequest,
} from '../../../../generated/greeting/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { GreetingCall } from '../../../../mocks/stateful/greeting.ts'
import { readFields, type EncodedField } from './fields.ts'
import type { GreetingFault } from './fault.ts'
import { fault, onRequest, replaceRules, stringField } from './building.ts'

const none = new Uint8Array(0)
const isKnown = ({ number }: EncodedField) => number === 1 || number === 2

/** Decodes requests with `decode`. If it returns undefined, the request is decoded as usual. */
const decodedAs = (
  name: string,
  description: string,
  requirement: RequirementId,
  decode: (fields: readonly EncodedField[], bytes: Uint8Array) => GreetingRequest | undefined,
): GreetingFault =>
  fault(
    name,
    description,
    [requirement],
    replaceRules((_rules, hit) => ({
      decode(bytes) {
        const right = decodeGreetingRequest(bytes)
        try {
          const decoded = decode(readFields(bytes), bytes)
          if (decoded === undefined) return right
          if (decoded.name !== right.name) hit()
          return decoded
        } catch (error) {
          hit()
          throw error
        }
      },
    })),
  )

/**
 * Refuses requests that contain an unknown field for which `isRefused` returns true, as if they
 * could not be decoded.
 */
const refusesFields = (
  name: string,
  description: string,
  isRefused: (field: EncodedField) => boolean,
): GreetingFault =>
  decodedAs(name, description, 'GRT-REQUEST-07', (fields) => {
    if (fields.some((field) => !isKnown(field) && isRefused(field)))
      throw new Error('an unknown field')
    return undefined
  })

const textOf = (fields: readonly EncodedField[], number: number): string[] =>
  fields
    .filter((field) => field.number === number)
    .map(({ bytes }) => Buffer.from(bytes).toString())

const refuseIf = (isRefused: boolean) => {
  if (isRefused) throw new Error('this encoding is not supported')
  return undefined
}

/** Whether `part` occurs in an encoding, as consecutive bytes. */
const contains = (bytes: Uint8Array, part: Uint8Array) =>
  Buffer.from(bytes).includes(Buffer.from(part))

/**
 * Calls `handle` for each request whose identifier was used in another stream. `first` is the first
 * request with the identifier. If `handle` returns undefined, the request is dropped.
 */
const sharedIds = (
  name: string,
  description: string,
  handle: (request: GreetingRequest, first: GreetingRequest) => GreetingRequest | undefined,
): GreetingFault =>
  fault(name, description, ['GRT-REQUEST-10'], (hit) => {
    const users = new Map<string, { call: GreetingCall; request: GreetingRequest }>()
    return onRequest((call, next) => {
      const { requests } = call
      call.requests = (async function* () {
        for await (const request of requests) {
          const user = users.get(request.request_id)
          if (user === undefined) users.set(request.request_id, { call, request })
          const isShared = request.request_id !== '' && user !== undefined && user.call !== call
          if (isShared) hit()
          const handled = isShared ? handle(request, user.request) : request
          if (handled !== undefined) yield handled
        }
      })()
      return next()
    })(hit)
  })

/** Faults in how requests are decoded, and in how their identifiers are used. */
export const encodings: readonly GreetingFault[] = [
  refusesFields(
    'unknown-strings-are-refused',
    'Refuses requests with an unknown string field whose number is below 16.',
    ({ number, wireType }) => wireType === 2 && number < 16,
  ),
  refusesFields(
    'high-field-numbers-are-refused',
    'Refuses requests with an unknown field whose number is above 15.',
    ({ number }) => number > 15,
  ),
  refusesFields(
    'unknown-numbers-are-refused',
    'Refuses requests with an unknown varint.',
    ({ wireType }) => wireType === 0,
  ),
  refusesFields(
    'unknown-64-bit-fields-are-refused',
    'Refuses requests with an unknown field of eight bytes.',
    ({ wireType }) => wireType === 1,
  ),
  refusesFields(
    'unknown-32-bit-fields-are-refused',
    'Refuses requests with an unknown field of four bytes.',
    ({ wireType }) => wireType === 5,
  ),
  refusesFields(
    'unknown-groups-are-refused',
    'Refuses requests with an unknown group.',
    ({ wireType }) => wireType === 3,
  ),
  decodedAs(
    'fields-after-the-known-ones-are-refused',
    'Refuses requests with an unknown field after the name and the identifier.',
    'GRT-REQUEST-07',
    (fields) => refuseIf(!isKnown(fields.at(-1) ?? { number: 1, wireType: 2, bytes: none })),
  ),
  decodedAs(
    'fields-after-an-unknown-one-are-lost',
    'Ignores the fields that follow an unknown field of a request.',
    'GRT-REQUEST-07',
    (fields) => {
      const end = fields.findIndex((field) => !isKnown(field))
      if (end === -1) return undefined
      const read = fields.slice(0, end)
      return { name: textOf(read, 1).at(-1) ?? '', request_id: textOf(read, 2).at(-1) ?? '' }
    },
  ),

  decodedAs(
    'first-of-two-names-is-read',
    'Reads the first name of a request that contains two.',
    'GRT-REQUEST-08',
    (fields) => ({ name: textOf(fields, 1)[0] ?? '', request_id: textOf(fields, 2)[0] ?? '' }),
  ),
  decodedAs(
    'two-names-are-joined',
    'Joins the names of a request that contains two.',
    'GRT-REQUEST-08',
    (fields) => ({ name: textOf(fields, 1).join(''), request_id: textOf(fields, 2).join('') }),
  ),
  decodedAs(
    'two-names-are-refused',
    'Refuses requests that contain two names.',
    'GRT-REQUEST-08',
    (fields) => refuseIf(textOf(fields, 1).length > 1),
  ),

  decodedAs(
    'padded-lengths-are-refused',
    'Refuses requests in which a length has more bytes than needed.',
    'GRT-REQUEST-09',
    (fields, bytes) => {
      const shortest = fields.filter(isKnown).map((field) => stringField(field.number, field.bytes))
      return refuseIf(
        fields.every((field) => isKnown(field) && field.wireType === 2) &&
          !contains(bytes, Buffer.concat(shortest)),
      )
    },
  ),
  decodedAs(
    'empty-identifiers-are-refused',
    'Refuses requests that contain an empty identifier, but not those that contain none.',
    'GRT-REQUEST-09',
    (fields) => refuseIf(textOf(fields, 2).includes('')),
  ),
  decodedAs(
    'empty-names-are-refused',
    'Refuses requests that contain an empty name, but not those that contain none.',
    'GRT-REQUEST-09',
    (fields) => refuseIf(textOf(fields, 1).includes('')),
  ),

  sharedIds(
    'identifiers-of-other-streams-are-an-error',
    'Ends with an internal error if another stream has used the same identifier.',
    () => {
      throw new Error('the identifier is known')
    },
  ),
  sharedIds(
    'identifiers-of-other-streams-are-not-answered',
    'Sends no response to an identifier that another stream has used.',
    () => undefined,
  ),
  sharedIds(
    'identifiers-of-other-streams-are-greeted',
    'Greets the name that came first with the same identifier, on any stream.',
    (_request, first) => first,
  ),
]
