import type {
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  Http2Session,
  ServerHttp2Stream,
} from 'node:http2'
import type { GreetingRequest, GreetingResponse } from '../../../../generated/greeting/index.ts'
import {
  defaultRules,
  type GreetingMiddleware,
  type GreetingCall,
  type StreamMiddleware,
  type Ending,
  type GreetingRules,
} from '../../../../mocks/stateful/greeting.ts'
import { newKit, type Hit } from '../../../../mocks/kit/kit.ts'
import { faultFactory } from '../fault.ts'
import type { GreetingDeviation, GreetingFault } from './fault.ts'

// Building blocks for the faults of the greeting service, in addition to those of `newKit`.

type Make = GreetingFault['make']
type Response = Partial<GreetingResponse>

export const fault = faultFactory<GreetingDeviation>()

export const { onRequest, replaceRules } = newKit<GreetingCall, Ending, GreetingRules>(defaultRules)

/**
 * Changes responses. If `change` returns undefined, the response is not sent. `at` is the
 * response's position in its stream, from 1.
 */
export function onMessage(
  change: (response: Response, at: number) => Response | Uint8Array | undefined,
): Make {
  return onRequest((call, next, hit) => {
    const send = call.send.bind(call)
    let at = 0
    call.send = (response) => {
      at += 1
      const changed = response instanceof Uint8Array ? response : change(response, at)
      if (changed !== response) hit()
      return changed === undefined ? undefined : send(changed)
    }
    return next()
  })
}

/**
 * Holds all responses until the stream ends. `change` returns the responses to send, or an ending
 * without responses.
 */
export function onResponsesAtEnd(
  change: (kept: Response[], requests: number, hit: Hit) => Response[] | Ending,
): Make {
  return onRequest(async (call, next, hit) => {
    const send = call.send.bind(call)
    const kept: Response[] = []
    call.send = (response) => {
      kept.push(response as Response)
      return undefined
    }
    let requests = 0
    watchRequests(call, () => (requests += 1))
    const ending = await next()
    const changed = change(kept, requests, hit)
    if (!Array.isArray(changed)) return changed
    for (const response of changed) await send(response)
    return ending
  })
}

/** Calls `onEach` with each request before the server responds to it. */
export function watchRequests(
  call: GreetingCall,
  onEach: (request: GreetingRequest) => unknown,
): void {
  const { requests } = call
  call.requests = (async function* () {
    for await (const request of requests) {
      await onEach(request)
      yield request
    }
  })()
}

/**
 * Changes requests before the server responds to them. `before` are the requests of the same stream
 * that arrived earlier.
 */
export function changeRequests(
  change: (request: GreetingRequest, before: readonly GreetingRequest[]) => GreetingRequest,
): Make {
  return onRequest((call, next, hit) => {
    const { requests } = call
    call.requests = (async function* () {
      const before: GreetingRequest[] = []
      for await (const request of requests) {
        const changed = change(request, before)
        if (changed.name !== request.name) hit()
        before.push(request)
        yield changed
      }
    })()
    return next()
  })
}

/**
 * Ends a stream with this status at the first request for which `isRefused` returns true. `at` is
 * the request's position in its stream, from 1.
 */
export function refuseRequests(
  isRefused: (request: GreetingRequest, at: number) => boolean,
  code = 3,
): Make {
  return onRequest(async (call, next, hit) => {
    const { requests } = call
    let refused = false
    call.requests = (async function* () {
      let at = 0
      for await (const request of requests) {
        at += 1
        if (isRefused(request, at)) {
          refused = true
          hit()
          return
        }
        yield request
      }
    })()
    const ending = await next()
    return refused ? { code, details: 'this request is not supported' } : ending
  })
}

/** Changes how streams end. */
export function onEnding(change: (ending: Ending) => Ending | Promise<Ending>): Make {
  return onRequest(async (_call, next, hit) => {
    const ending = await next()
    hit()
    return change(ending)
  })
}

/** The number of bytes before each message: a flag and the length of the message. */
export const prefixBytes = 5

export const isGreeting = (headers: IncomingHttpHeaders): boolean =>
  String(headers[':path']).endsWith('/BidirectionalGreeting')

/**
 * Intercepts every stream before gRPC handles it. `deviate` returns true if it has sent the
 * response itself.
 */
export function onStream(
  deviate: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, hit: Hit) => boolean | void,
): Make {
  return (hit) => ({ intercept: interceptorOf(deviate, hit) })
}

function interceptorOf(
  deviate: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, hit: Hit) => boolean | void,
  hit: Hit,
): StreamMiddleware {
  return (stream, headers, next) => {
    if (deviate(stream, headers, hit) !== true) next()
  }
}

/** Responds with headers only, which end the stream. */
export function endAtOnce(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): true {
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc+proto', ...headers },
    { endStream: true },
  )
  stream.resume()
  return true
}

/** Changes the headers of a response, unless the response consists of headers only. */
export function changeHeaders(
  stream: ServerHttp2Stream,
  change: (headers: OutgoingHttpHeaders) => OutgoingHttpHeaders,
): void {
  const respond = stream.respond.bind(stream)
  stream.respond = (headers = {}, options) =>
    respond('grpc-status' in headers ? headers : change(headers), options)
}

export function changeTrailers(
  stream: ServerHttp2Stream,
  change: (trailers: OutgoingHttpHeaders) => OutgoingHttpHeaders,
): void {
  const send = stream.sendTrailers.bind(stream)
  stream.sendTrailers = (trailers) => send(change(trailers))
}

/**
 * Changes framed messages. If `change` returns undefined, the message is dropped. This relies on
 * grpc-js, which writes each message as a whole, with a callback.
 */
export function changeMessages(
  stream: ServerHttp2Stream,
  change: (message: Buffer) => Buffer | undefined,
): void {
  const out = stream.write.bind(stream) as (message: Buffer, written?: () => void) => boolean
  stream.write = ((message: Buffer, written?: () => void) => {
    const changed = change(message)
    if (changed !== undefined) return out(changed, written)
    if (written !== undefined) setImmediate(written)
    return true
  }) as typeof stream.write
}

/** Calls `deviate` for each stream. Passes the open streams of its connection, the oldest first. */
export function withOpenStreams(
  deviate: (
    call: GreetingCall,
    open: readonly GreetingCall[],
    next: () => Promise<Ending>,
    hit: Hit,
  ) => Promise<Ending>,
): Make {
  return (hit) => {
    const numbers = new Map<Http2Session | undefined, string>()
    const open = new Map<string, GreetingCall[]>()
    const intercept: StreamMiddleware = (stream, headers, next) => {
      if (!numbers.has(stream.session)) numbers.set(stream.session, String(numbers.size))
      headers['x-connection'] = numbers.get(stream.session)
      next()
    }
    const around: GreetingMiddleware = async (call, next) => {
      const connection = String(call.metadata.get('x-connection')[0])
      const calls = open.get(connection) ?? []
      open.set(connection, calls)
      calls.push(call)
      try {
        return await deviate(call, calls, next, hit)
      } finally {
        calls.splice(calls.indexOf(call), 1)
      }
    }
    return { intercept, around }
  }
}

/** Encodes a string field of a message. */
export function stringField(number: number, text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text)
  const length: number[] = []
  for (let rest = bytes.length; ; rest >>>= 7) {
    if (rest < 128) {
      length.push(rest)
      break
    }
    length.push((rest & 127) | 128)
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
}

/** Encodes a number below 128 as a field of a message. */
export const smallNumberField = (number: number, value: number): Buffer =>
  Buffer.from([number << 3, value & 127])
