import { decodeGreetingRequest } from '../../../../generated/greeting/index.ts'
import type { GreetingRequest } from '../../../../generated/greeting/index.ts'
import type { GreetingFault } from './fault.ts'
import { fault, onRequest, refuses, replaceRules } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

/** Whether a message begins with its second field. */
const isTurned = (bytes: Uint8Array) =>
  bytes[0] === 0x12 && decodeGreetingRequest(bytes).name !== ''

/** Reads what cannot be read as something else. */
const lenient = (hit: Hit, instead: GreetingRequest) => (bytes: Uint8Array) => {
  try {
    return decodeGreetingRequest(bytes)
  } catch {
    hit()
    return instead
  }
}

const unread = '\0unread'

/** Requests that are read in a wrong way. */
export const requests: readonly GreetingFault[] = [
  fault(
    'name-is-whatever-comes-first',
    'Takes the first field of a request for the name, whatever its number is.',
    ['GRT-REQUEST-01'],
    replaceRules((_rules, hit) => ({
      decode: (bytes) => {
        const { name, request_id } = decodeGreetingRequest(bytes)
        if (!isTurned(bytes)) return { name, request_id }
        hit()
        return { name: request_id, request_id: name }
      },
    })),
  ),
  fault(
    'fields-in-another-order-break-down',
    'Ends with an internal error where the name stands behind the identifier.',
    ['GRT-REQUEST-01'],
    replaceRules((_rules, hit) => ({
      decode: (bytes) => {
        if (!isTurned(bytes)) return decodeGreetingRequest(bytes)
        hit()
        throw new Error('field 1 was expected')
      },
    })),
  ),

  fault(
    'long-identifiers-are-refused',
    'Refuses identifiers of more than 32 characters, as a UUID is.',
    ['GRT-REQUEST-02'],
    refuses(({ request_id: id }) => id.length > 32),
  ),
  fault(
    'short-identifiers-are-refused',
    'Refuses identifiers of fewer than ten characters.',
    ['GRT-REQUEST-02'],
    refuses(({ request_id: id }) => id !== '' && id.length < 10),
  ),
  fault(
    'identifiers-with-dots-break-down',
    'Ends with an internal error where an identifier has other signs than letters, digits and hyphens.',
    ['GRT-REQUEST-02'],
    refuses(({ request_id: id }) => /[^\w-]/.test(id), 13),
  ),

  fault(
    'unreadable-requests-are-greeted',
    'Greets a stranger for what is no request on the wire.',
    ['GRT-GRPC-06'],
    replaceRules((_rules, hit) => ({
      decode: lenient(hit, { name: 'stranger', request_id: 'none' }),
    })),
  ),
  fault(
    'unreadable-requests-are-left-out',
    'Takes no notice of what is no request on the wire, and ends with OK.',
    ['GRT-GRPC-06'],
    (hit) => ({
      rules: { decode: lenient(hit, { name: unread, request_id: unread }) },
      ...onRequest((call, next) => {
        const { requests } = call
        call.requests = (async function* () {
          for await (const request of requests) if (request.name !== unread) yield request
        })()
        return next()
      })(hit),
    }),
  ),

  fault(
    'large-names-hang',
    'Never answers a name of more than 100,000 characters, and never ends its stream.',
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
    'large-names-never-end',
    'Answers a name of more than 100,000 characters, and never ends its stream.',
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
