import type { GreetingCall } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFault } from './fault.ts'
import { beside, ends, fault, keeps, onMessage, onRequest, refuses } from './building.ts'

/** Streams that take too few requests, give too few responses, or end in a wrong way. */
export const streams: readonly GreetingFault[] = [
  fault(
    'nothing-is-answered',
    'Takes all requests, and ends with OK.',
    ['GRT-SERVICE-02'],
    onMessage(() => undefined),
  ),
  fault(
    'every-name-is-refused',
    'Refuses every name.',
    ['GRT-SERVICE-02'],
    refuses(() => true),
  ),

  fault(
    'one-request-is-enough',
    'Answers one request, and ends the stream.',
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
    'fifth-request-breaks-down',
    'Ends with an internal error at the fifth request of a stream.',
    ['GRT-RPC-03'],
    refuses((_request, at) => at === 5, 13),
  ),

  fault(
    'last-request-is-never-answered',
    'Sends a response when the next request comes.',
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
    'Sends every response twice, and is declared one-to-one.',
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
    'Answers backwards at the end, and is declared one-to-one.',
    ['GRT-PAIR-02', 'GRT-PAIR-03'],
    keeps((kept, _requests, hit) => {
      hit()
      return kept.reverse()
    }),
  ),
  fault(
    'neighbours-change-places',
    'Answers the second request before the first one, and the fourth before the third.',
    ['GRT-PAIR-02', 'GRT-PAIR-03'],
    keeps((kept, _requests, hit) => {
      hit()
      return kept.map((response, at) => kept[at ^ 1] ?? response)
    }),
  ),
  fault(
    'answers-wait-for-the-end',
    'Answers in order at the end, and is declared one-to-one.',
    ['GRT-PAIR-03'],
    keeps((kept, _requests, hit) => {
      hit()
      return kept
    }),
  ),

  fault(
    'streams-end-with-unknown',
    'Ends every stream with UNKNOWN.',
    ['GRT-GRPC-03'],
    ends((ending) => ({ ...ending, code: 2 })),
  ),
  fault(
    'streams-end-with-deadline-exceeded',
    'Ends every stream with DEADLINE_EXCEEDED.',
    ['GRT-GRPC-03'],
    ends((ending) => ({ ...ending, code: 4 })),
  ),
  fault(
    'streams-never-end',
    'Never ends a stream, though the client has.',
    ['GRT-GRPC-03'],
    ends(() => new Promise(() => {})),
  ),

  fault(
    'no-more-than-three-streams-are-answered',
    'Answers no more than three streams of a connection at a time, and ends the others with OK.',
    ['GRT-GRPC-09'],
    beside((call, open, next, hit) => {
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
    'stream-that-ends-breaks-older-ones',
    'Ends a stream with an internal error where a later one of its connection has ended before it.',
    ['GRT-GRPC-09'],
    (hit) => {
      const broken = new WeakSet<GreetingCall>()
      return beside(async (call, open, next) => {
        const ending = await next()
        for (const older of open.slice(0, open.indexOf(call))) broken.add(older)
        if (!broken.has(call)) return ending
        hit()
        return { code: 13, details: 'another stream has ended' }
      })(hit)
    },
  ),
]
