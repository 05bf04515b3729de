import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { defaultRules, type GreetingCall } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFault } from './fault.ts'
import { beside, fault, keeps, onMessage, refuses, replaceRules } from './building.ts'

/** Tells greetings in another way. */
const tells = (change: (greeting: string) => string) =>
  replaceRules((_rules, hit) => ({
    message: (requests, choices) => {
      const right = defaultRules.message(requests, choices)
      const wrong = change(right)
      if (wrong !== right) hit()
      return wrong
    },
  }))

/** Sends what every stream gets to one of those that its connection carries. */
const mixed = (
  name: string,
  description: string,
  choose: (open: readonly GreetingCall[]) => GreetingCall,
): GreetingFault =>
  fault(name, description, ['GRT-SERVICE-01'], (hit) => {
    const own = new WeakMap<GreetingCall, GreetingCall['send']>()
    return beside(async (call, open, next) => {
      own.set(call, call.send.bind(call))
      call.send = (response) => {
        const to = choose(open)
        if (to !== call) hit()
        return own.get(to)!(response)
      }
      // Streams that come together are under way together.
      await sleep(10)
      const ending = await next()
      await sleep(10)
      return ending
    })(hit)
  })

/** Names that are lost, changed, or told on a wrong stream. */
export const names: readonly GreetingFault[] = [
  fault(
    'every-tenth-request-is-dropped',
    'Answers nine of ten requests of a stream.',
    ['GRT-NAME-01', 'GRT-PAIR-01'],
    onMessage((response, at) => (at % 10 === 0 ? undefined : response)),
  ),
  fault(
    'every-hundredth-request-is-dropped',
    'Answers 99 of a hundred requests of a stream.',
    ['GRT-NAME-01'],
    onMessage((response, at) => (at % 100 === 0 ? undefined : response)),
  ),
  fault(
    'later-names-are-forgotten',
    'Greets a friend from the fourth request of a stream on.',
    ['GRT-NAME-01'],
    onMessage((response, at) => (at > 3 ? { ...response, message: 'Hello, friend!' } : response)),
  ),
  fault(
    'longer-streams-break-down',
    'Ends streams of more than ten requests with an internal error, and without an answer.',
    ['GRT-NAME-01', 'GRT-PAIR-01'],
    keeps((kept, requests, hit) => {
      if (requests <= 10) return kept
      hit()
      return { code: 13, details: 'too many requests' }
    }),
  ),

  fault(
    'other-scripts-become-question-marks',
    'Tells a question mark for each letter that Latin-1 does not have.',
    ['GRT-NAME-02'],
    tells((greeting) => greeting.replace(/[^\0-\xff]/gu, '?')),
  ),
  fault(
    'accents-are-lost',
    'Tells letters without their accents.',
    ['GRT-NAME-02'],
    tells((greeting) => greeting.normalize('NFD').replace(/\p{M}/gu, '')),
  ),
  fault(
    'other-scripts-are-refused',
    'Refuses names with letters that ASCII does not have.',
    ['GRT-NAME-02'],
    refuses(({ name }) => /[^\0-\x7f]/.test(name)),
  ),

  fault(
    'connection-keeps-one-name',
    'Greets whoever was named last on the connection.',
    ['GRT-NAME-04'],
    (hit) => {
      const last = new WeakMap<readonly GreetingCall[], string>()
      return beside((call, open, next) => {
        const { requests } = call
        call.requests = (async function* () {
          for await (const { name, request_id } of requests) {
            last.set(open, name)
            if (open.length > 1) await setImmediate()
            const told = last.get(open)!
            if (told !== name) hit()
            yield { name: told, request_id }
          }
        })()
        return next()
      })(hit)
    },
  ),
  fault(
    'neighbours-are-told-too',
    'Sends each greeting to another open stream of the connection as well.',
    ['GRT-NAME-04'],
    (hit) => {
      const own = new WeakMap<GreetingCall, GreetingCall['send']>()
      return beside((call, open, next) => {
        const send = call.send.bind(call)
        own.set(call, send)
        call.send = (response) => {
          const other = open.find((one) => one !== call)
          if (other !== undefined) {
            hit()
            void own.get(other)?.(response)
          }
          return send(response)
        }
        return next()
      })(hit)
    },
  ),

  mixed(
    'newest-stream-gets-everything',
    'Answers all streams of a connection on the one that came last.',
    (open) => open.at(-1)!,
  ),
  mixed(
    'oldest-stream-gets-everything',
    'Answers all streams of a connection on the one that came first.',
    (open) => open[0]!,
  ),
]
