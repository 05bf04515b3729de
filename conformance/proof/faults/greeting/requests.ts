import { decodeGreetingRequest } from '../../../../generated/greeting/index.ts'
import type { GreetingRequest } from '../../../../generated/greeting/index.ts'
import type { GreetingFault } from './fault.ts'
import { fault, onMessage, onRequest, refuseRequests, replaceRules } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

/** Whether a message begins with its second field. */
const isReversed = (bytes: Uint8Array) =>
  bytes[0] === 0x12 && decodeGreetingRequest(bytes).name !== ''

/** Decodes requests; a request that cannot be decoded is replaced by `instead`. */
const decodeOr = (hit: Hit, instead: GreetingRequest) => (bytes: Uint8Array) => {
  try {
    return decodeGreetingRequest(bytes)
  } catch {
    hit()
    return instead
  }
}

const unreadable = '\0unreadable'

/** Decodes also invalid messages for which `decode` returns a request. */
const decodeMore = (
  decode: (bytes: Uint8Array) => GreetingRequest | undefined,
): GreetingFault['make'] =>
  replaceRules((_rules, hit) => ({
    decode: (bytes) => {
      const decoded = decode(bytes)
      if (decoded === undefined) return decodeGreetingRequest(bytes)
      hit()
      return decoded
    },
  }))

/** Faults in the handling of requests. */
export const requests: readonly GreetingFault[] = [
  fault(
    'name-is-the-first-field',
    'Uses the first field of a request as the name, even if its number is not 1.',
    ['GRT-REQUEST-01'],
    replaceRules((_rules, hit) => ({
      decode: (bytes) => {
        const { name, request_id } = decodeGreetingRequest(bytes)
        if (!isReversed(bytes)) return { name, request_id }
        hit()
        return { name: request_id, request_id: name }
      },
    })),
  ),
  fault(
    'fields-in-another-order-are-an-error',
    'Ends with an internal error if the name follows the identifier.',
    ['GRT-REQUEST-01'],
    replaceRules((_rules, hit) => ({
      decode: (bytes) => {
        if (!isReversed(bytes)) return decodeGreetingRequest(bytes)
        hit()
        throw new Error('field 1 was expected')
      },
    })),
  ),

  fault(
    'long-identifiers-are-refused',
    'Refuses identifiers of more than 32 characters, such as a UUID.',
    ['GRT-REQUEST-02'],
    refuseRequests(({ request_id: id }) => id.length > 32),
  ),
  fault(
    'short-identifiers-are-refused',
    'Refuses identifiers of fewer than ten characters.',
    ['GRT-REQUEST-02'],
    refuseRequests(({ request_id: id }) => id !== '' && id.length < 10),
  ),
  fault(
    'identifiers-with-dots-are-an-error',
    'Ends with an internal error if an identifier contains characters other than letters, digits, underscores and hyphens.',
    ['GRT-REQUEST-02'],
    refuseRequests(({ request_id: id }) => /[^\w-]/.test(id), 13),
  ),

  fault(
    'non-ascii-identifiers-are-refused',
    'Refuses identifiers that are not ASCII.',
    ['GRT-REQUEST-02'],
    refuseRequests(({ request_id: id }) => /[^\0-\x7f]/.test(id)),
  ),

  fault(
    'unreadable-requests-are-greeted',
    'Greets "stranger" for bytes that are not a valid request.',
    ['GRT-GRPC-06', 'GRT-GRPC-13'],
    replaceRules((_rules, hit) => ({
      decode: decodeOr(hit, { name: 'stranger', request_id: 'none' }),
    })),
  ),
  fault(
    'unreadable-requests-are-ignored',
    'Ignores bytes that are not a valid request and ends with OK.',
    ['GRT-GRPC-06', 'GRT-GRPC-13'],
    (hit) => ({
      rules: { decode: decodeOr(hit, { name: unreadable, request_id: unreadable }) },
      ...onRequest((call, next) => {
        const { requests } = call
        call.requests = (async function* () {
          for await (const request of requests) if (request.name !== unreadable) yield request
        })()
        return next()
      })(hit),
    }),
  ),

  fault(
    'fields-longer-than-the-message-are-cut',
    'Takes the bytes that are left if a field is longer than the message.',
    ['GRT-GRPC-13'],
    decodeMore((bytes) => {
      const [key, length] = bytes
      if (key !== 0x0a || length === undefined || length <= bytes.length - 2) return undefined
      return { name: Buffer.from(bytes.subarray(2)).toString(), request_id: '' }
    }),
  ),
  fault(
    'unknown-wire-types-are-ignored',
    'Ignores the rest of a message whose only key has an unknown wire type.',
    ['GRT-GRPC-13'],
    decodeMore(([key, , ...others]) =>
      key !== undefined && (key & 7) > 5 && others.length === 0
        ? { name: '', request_id: '' }
        : undefined,
    ),
  ),

  fault(
    'unreadable-later-requests-are-ignored',
    'Ignores bytes that are not a valid request, except in the first request of a stream.',
    ['GRT-GRPC-06'],
    (hit) => ({
      rules: {
        decode: decodeOr(() => undefined, { name: unreadable, request_id: unreadable }),
      },
      ...onRequest((call, next) => {
        const { requests } = call
        call.requests = (async function* () {
          let at = 0
          for await (const request of requests) {
            at += 1
            if (request.name !== unreadable) yield request
            else if (at === 1) throw new Error('the request is not valid')
            else hit()
          }
        })()
        return next()
      })(hit),
    }),
  ),

  fault(
    'large-names-hang',
    'Never responds to a name of more than 100,000 characters and never ends its stream.',
    ['GRT-LIMIT-03'],
    onRequest(async (call, next, hit) => {
      const { requests } = call
      call.requests = (async function* () {
        for await (const request of requests) {
          if (request.name.length > 100_000) {
            hit()
            await new Promise(() => {})
          }
          yield request
        }
      })()
      return next()
    }),
  ),
  fault(
    'large-names-are-skipped',
    'Sends no response to a name of more than 100,000 characters and ends with OK.',
    ['GRT-LIMIT-03'],
    onMessage((response) => ((response.message?.length ?? 0) > 100_000 ? undefined : response)),
  ),
  fault(
    'large-names-never-end',
    'Responds to a name of more than 100,000 characters but never ends its stream.',
    ['GRT-LIMIT-03'],
    onRequest(async (call, next, hit) => {
      const send = call.send.bind(call)
      let isLarge = false
      call.send = (response) => {
        if (!(response instanceof Uint8Array) && (response.message?.length ?? 0) > 100_000)
          isLarge = true
        return send(response)
      }
      const ending = await next()
      if (!isLarge) return ending
      hit()
      return new Promise(() => {})
    }),
  ),
]
