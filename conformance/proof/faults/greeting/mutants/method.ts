import {
  bidirectionalGreeting as method,
  encodeGreetingResponse,
} from '../../../../../generated/greeting/index.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import { isGreeting, onRequest, onResponsesAtEnd, onStream, watchRequests } from '../building.ts'
import { greetings, mutantsAt, type Deviation, type GreetingMutant } from './building.ts'

/**
 * The requirements that a server with a one-to-one relationship also violates if some requested
 * names get no response.
 */
const unanswered: readonly RequirementId[] = ['GRT-NAME-01', 'GRT-PAIR-01']
const oneRequest = [method.requestStreamRequirement, ...unanswered]
const oneResponse = [method.responseStreamRequirement, ...unanswered]

/**
 * Passes on only the first request. Then ends the stream at once if `endsAtOnce` is true, or
 * otherwise reads and ignores the other requests.
 */
const greetFirst = (endsAtOnce: boolean): Deviation['make'] =>
  onRequest((call, next, hit) => {
    const { requests } = call
    call.requests = (async function* () {
      let count = 0
      for await (const request of requests) {
        count += 1
        if (count === 1) yield request
        else hit()
        if (!endsAtOnce) continue
        hit()
        return
      }
    })()
    return next()
  })

/** Ends with a status if there is a second request. */
const refuseSecond = (code: number): Deviation['make'] =>
  onRequest(async (call, next, hit) => {
    let count = 0
    watchRequests(call, () => (count += 1))
    const send = call.send.bind(call)
    call.send = (response) => (count === 1 ? send(response) : undefined)
    const ending = await next()
    if (count < 2) return ending
    hit()
    return { code, details: 'too many requests' }
  })

/** Offers the service under another name. */
const serviceNamed =
  (service: string): Deviation['make'] =>
  (hit) => ({
    choices: { service },
    ...onRequest((_call, next) => {
      hit()
      return next()
    })(hit),
  })

/** Offers the method under another name. */
const methodNamed = (name: string): Deviation['make'] =>
  onStream((_stream, headers, hit) => {
    const renamed = method.path.replace(method.name, name)
    if (isGreeting(headers)) hit()
    headers[':path'] = isGreeting(headers)
      ? method.path.replace(method.name, 'Absent')
      : String(headers[':path']).replace(renamed, method.path)
  })

const camelCase = (name: string) => name[0]!.toLowerCase() + name.slice(1)
const snakeCase = (name: string) =>
  camelCase(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const deviations: readonly Deviation[] = [
  ...[
    ['without a package', method.service],
    ['in a package with a capital letter', `Examples.${method.service}`],
    ['in a package one level deeper', `com.${method.package}.${method.service}`],
  ].map(([how, service]): Deviation => ({
    how: how!,
    description: `is in the service ${service}`,
    violates: [method.requirement],
    make: serviceNamed(service!),
  })),
  ...[camelCase(method.name), snakeCase(method.name), `${method.name}s`].map((name): Deviation => ({
    how: `named ${name}`,
    description: `has the name ${name}`,
    violates: [method.requirement],
    make: methodNamed(name),
  })),

  {
    how: 'that ends after one request',
    description: 'reads one request, responds and ends',
    violates: oneRequest,
    make: greetFirst(true),
  },
  {
    how: 'that greets only the first request',
    description: 'greets only the first request of a stream',
    violates: oneRequest,
    make: greetFirst(false),
  },
  ...[3, 12, 13].map((code): Deviation => ({
    how: `that ends with status ${code} at the second request`,
    description: `ends a stream of several requests with status ${code}`,
    violates: oneRequest,
    make: refuseSecond(code),
  })),

  {
    how: 'with one response, for the first request',
    description: 'returns only the first response of a stream, when the client has half-closed it',
    violates: oneResponse,
    make: onResponsesAtEnd((kept, _requests, hit) => {
      hit()
      return kept.slice(0, 1)
    }),
  },
  {
    how: 'with one response, for the last request',
    description: 'returns only the last response of a stream, when the client has half-closed it',
    violates: oneResponse,
    make: onResponsesAtEnd((kept, _requests, hit) => {
      hit()
      return kept.slice(-1)
    }),
  },
  {
    how: 'with all responses in one message',
    description: 'concatenates the responses of a stream into one message',
    violates: oneResponse,
    make: onRequest(async (call, next, hit) => {
      const send = call.send.bind(call)
      const kept: Uint8Array[] = []
      call.send = (response) => {
        kept.push(response instanceof Uint8Array ? response : encodeGreetingResponse(response))
        return undefined
      }
      const ending = await next()
      if (kept.length > 1) hit()
      if (kept.length > 0) await send(Buffer.concat(kept))
      return ending
    }),
  },
  {
    how: 'with requests as responses',
    description: `returns the greeting in a ${method.input}, with the identifier of the request`,
    violates: [method.responseStreamRequirement, 'GRT-RESPONSE-06'],
    make: onRequest((call, next, hit) => {
      const send = call.send.bind(call)
      const ids: string[] = []
      watchRequests(call, ({ request_id: id }) => ids.push(id))
      call.send = (response) => {
        if (response instanceof Uint8Array) return send(response)
        hit()
        return send({ message: response.message ?? '', server_timestamp: ids.shift() ?? '' })
      }
      return next()
    }),
  },
]

/** The mutants of the method: its name, and its streams. */
export const methods: readonly GreetingMutant[] = mutantsAt(
  method.name,
  'The method',
  greetings,
  deviations,
)
