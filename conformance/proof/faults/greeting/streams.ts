import type { GreetingCall } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFault } from './fault.ts'
import {
  withOpenStreams,
  onEnding,
  fault,
  onResponsesAtEnd,
  onMessage,
  onRequest,
  refuseRequests,
  watchRequests,
} from './building.ts'

/** Ends a stream with OK at the first request for which `isEnd` returns true. */
const endsEarly = (
  name: string,
  description: string,
  isEnd: Parameters<typeof refuseRequests>[0],
): GreetingFault => fault(name, description, ['GRT-LIMIT-04'], refuseRequests(isEnd, 0))

/** Ends a stream with this status if it was idle for a second before the client half-closed it. */
const lateHalfClose = (name: string, description: string, code: number): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-GRPC-12'],
    onRequest(async (call, next, hit) => {
      let last = call.server.now()
      watchRequests(call, () => (last = call.server.now()))
      const ending = await next()
      if (call.server.now() - last < 1000) return ending
      hit()
      return { code, details: 'the stream was idle' }
    }),
  )

/** Faults in the number and order of responses, and in the ends of streams. */
export const streams: readonly GreetingFault[] = [
  fault(
    'nothing-is-answered',
    'Reads all requests, sends no response and ends with OK.',
    ['GRT-SERVICE-02'],
    onMessage(() => undefined),
  ),
  fault(
    'every-name-is-refused',
    'Refuses every name.',
    ['GRT-SERVICE-02'],
    refuseRequests(() => true),
  ),

  fault(
    'one-request-is-enough',
    'Responds to one request and ends the stream.',
    ['GRT-RPC-03'],
    onRequest((call, next, hit) => {
      const { requests } = call
      call.requests = (async function* () {
        for await (const request of requests) {
          yield request
          hit()
          return
        }
      })()
      return next()
    }),
  ),
  fault(
    'fifth-request-is-an-error',
    'Ends with an internal error at the fifth request of a stream.',
    ['GRT-RPC-03'],
    refuseRequests((_request, at) => at === 5, 13),
  ),

  fault(
    'last-request-is-never-answered',
    'Sends each response only when the next request arrives.',
    ['GRT-PAIR-01'],
    onRequest((call, next, hit) => {
      const send = call.send.bind(call)
      let kept: Parameters<typeof send>[0] | undefined
      call.send = (response) => {
        const before = kept
        kept = response
        hit()
        return before === undefined ? undefined : send(before)
      }
      return next()
    }),
  ),
  fault(
    'each-request-is-answered-twice',
    'Sends every response twice although the target file declares one response per request.',
    ['GRT-PAIR-01'],
    onRequest((call, next, hit) => {
      const send = call.send.bind(call)
      call.send = async (response) => {
        hit()
        await send(response)
        await send(response)
      }
      return next()
    }),
  ),
  fault(
    'last-is-answered-first',
    'Sends all responses at the end in reverse order, although the target file declares one per request.',
    ['GRT-PAIR-02', 'GRT-PAIR-03'],
    onResponsesAtEnd((kept, _requests, hit) => {
      hit()
      return kept.reverse()
    }),
  ),
  fault(
    'adjacent-responses-are-swapped',
    'Swaps adjacent responses: responds to the second request before the first, and so on.',
    ['GRT-PAIR-02', 'GRT-PAIR-03'],
    onResponsesAtEnd((kept, _requests, hit) => {
      hit()
      return kept.map((response, at) => kept[at ^ 1] ?? response)
    }),
  ),
  fault(
    'long-greetings-are-sent-in-parts',
    'Sends a greeting of more than 2,000 characters as several responses.',
    ['GRT-PAIR-01'],
    onRequest((call, next, hit) => {
      const send = call.send.bind(call)
      call.send = async (response) => {
        if (response instanceof Uint8Array || (response.message ?? '').length <= 2000)
          return send(response)
        hit()
        for (const message of response.message!.match(/[^]{1,2000}/g)!)
          await send({ ...response, message })
      }
      return next()
    }),
  ),
  fault(
    'later-answers-wait-for-the-end',
    'Sends the responses from the tenth one on only when the client has ended the stream.',
    ['GRT-PAIR-03'],
    onRequest(async (call, next, hit) => {
      const send = call.send.bind(call)
      const kept: Parameters<typeof send>[0][] = []
      let count = 0
      call.send = (response) => {
        count += 1
        if (count < 10) return send(response)
        hit()
        kept.push(response)
        return undefined
      }
      const ending = await next()
      for (const response of kept) await send(response)
      return ending
    }),
  ),
  fault(
    'answers-wait-for-the-end',
    'Sends all responses at the end in order, although the target file declares one per request.',
    ['GRT-PAIR-03'],
    onResponsesAtEnd((kept, _requests, hit) => {
      hit()
      return kept
    }),
  ),

  fault(
    'streams-end-with-unknown',
    'Ends every stream with UNKNOWN.',
    ['GRT-GRPC-03'],
    onEnding((ending) => ({ ...ending, code: 2 })),
  ),
  fault(
    'streams-end-with-deadline-exceeded',
    'Ends every stream with DEADLINE_EXCEEDED.',
    ['GRT-GRPC-03'],
    onEnding((ending) => ({ ...ending, code: 4 })),
  ),
  fault(
    'streams-never-end',
    'Never ends a stream, even if the client has ended it.',
    ['GRT-GRPC-03'],
    onEnding(() => new Promise(() => {})),
  ),

  lateHalfClose(
    'late-half-close-is-a-cancellation',
    'Ends a stream with CANCELLED if the client half-closes it a second after its last request.',
    1,
  ),
  lateHalfClose(
    'late-half-close-is-an-error',
    'Ends a stream with INTERNAL if the client half-closes it a second after its last request.',
    13,
  ),
  fault(
    'requests-after-a-pause-are-lost',
    'Sends no response to a request that arrives a second after the one before.',
    ['GRT-NAME-01'],
    onRequest((call, next, hit) => {
      const { requests } = call
      call.requests = (async function* () {
        let last = call.server.now()
        for await (const request of requests) {
          const pause = call.server.now() - last
          last = call.server.now()
          if (pause < 1000) yield request
          else hit()
        }
      })()
      return next()
    }),
  ),

  endsEarly(
    'empty-request-is-the-end',
    'Ends a stream with OK at a request without fields.',
    ({ name, request_id: id }) => name === '' && id === '',
  ),
  endsEarly(
    'stream-ends-after-thirty-requests',
    'Ends a stream with OK after thirty requests.',
    (_request, at) => at > 30,
  ),

  fault(
    'no-more-than-three-streams-are-answered',
    'Responds to at most three streams of a connection at a time and ends the others with OK.',
    ['GRT-GRPC-09'],
    withOpenStreams((call, open, next, hit) => {
      if (open.length > 3) {
        call.send = () => {
          hit()
          return undefined
        }
      }
      return next()
    }),
  ),
  fault(
    'ended-stream-breaks-older-ones',
    'Ends a stream with an internal error if a newer stream of its connection has ended before it.',
    ['GRT-GRPC-09'],
    (hit) => {
      const broken = new WeakSet<GreetingCall>()
      return withOpenStreams(async (call, open, next) => {
        const ending = await next()
        for (const older of open.slice(0, open.indexOf(call))) broken.add(older)
        if (!broken.has(call)) return ending
        hit()
        return { code: 13, details: 'another stream has ended' }
      })(hit)
    },
  ),
]
