import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { defaultRules, type GreetingCall } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFault } from './fault.ts'
import {
  withOpenStreams,
  changeRequests,
  fault,
  onRequest,
  onResponsesAtEnd,
  onMessage,
  refuseRequests,
  replaceRules,
  watchRequests,
} from './building.ts'

/** Changes the text of greetings. */
const changeGreeting = (change: (greeting: string) => string) =>
  replaceRules((_rules, hit) => ({
    formatMessage: (requests, choices) => {
      const right = defaultRules.formatMessage(requests, choices)
      const wrong = change(right)
      if (wrong !== right) hit()
      return wrong
    },
  }))

/**
 * Sends every response on the stream that `choose` selects from the open streams of its connection.
 */
const misdirected = (
  name: string,
  description: string,
  choose: (open: readonly GreetingCall[]) => GreetingCall,
): GreetingFault =>
  fault(name, description, ['GRT-SERVICE-01'], (hit) => {
    const own = new WeakMap<GreetingCall, GreetingCall['send']>()
    return withOpenStreams(async (call, open, next) => {
      own.set(call, call.send.bind(call))
      call.send = (response) => {
        const to = choose(open)
        if (to !== call) hit()
        return own.get(to)!(response)
      }
      // Waits, so that concurrent streams overlap.
      await sleep(10)
      const ending = await next()
      await sleep(10)
      return ending
    })(hit)
  })

/** Faults in which names are lost, changed, or sent to the wrong stream. */
export const names: readonly GreetingFault[] = [
  fault(
    'every-tenth-response-is-dropped',
    'Drops every tenth response of a stream.',
    ['GRT-NAME-01', 'GRT-PAIR-01'],
    onMessage((response, at) => (at % 10 === 0 ? undefined : response)),
  ),
  fault(
    'every-hundredth-response-is-dropped',
    'Drops every hundredth response of a stream.',
    ['GRT-NAME-01'],
    onMessage((response, at) => (at % 100 === 0 ? undefined : response)),
  ),
  fault(
    'later-names-are-forgotten',
    'Greets "friend" in all responses of a stream except the first three.',
    ['GRT-NAME-01'],
    onMessage((response, at) => (at > 3 ? { ...response, message: 'Hello, friend!' } : response)),
  ),
  fault(
    'longer-streams-are-an-error',
    'Ends streams of more than ten requests with an internal error and sends no responses.',
    ['GRT-NAME-01', 'GRT-PAIR-01', 'GRT-PAIR-02'],
    onResponsesAtEnd((kept, requests, hit) => {
      if (requests <= 10) return kept
      hit()
      return { code: 13, details: 'too many requests' }
    }),
  ),

  fault(
    'other-scripts-become-question-marks',
    'Replaces each character outside Latin-1 with a question mark.',
    ['GRT-NAME-02'],
    changeGreeting((greeting) => greeting.replace(/[^\0-\xff]/gu, '?')),
  ),
  fault(
    'accents-are-lost',
    'Removes the accents from letters.',
    ['GRT-NAME-02'],
    changeGreeting((greeting) => greeting.normalize('NFD').replace(/\p{M}/gu, '')),
  ),
  fault(
    'other-scripts-are-refused',
    'Refuses names that are not ASCII.',
    ['GRT-NAME-02'],
    refuseRequests(({ name }) => /[^\0-\x7f]/.test(name)),
  ),

  fault(
    'connection-keeps-one-name',
    'Greets the name that arrived last on the connection, even if it arrived on another stream.',
    ['GRT-NAME-04'],
    (hit) => {
      const last = new WeakMap<readonly GreetingCall[], string>()
      return withOpenStreams((call, open, next) => {
        const { requests } = call
        call.requests = (async function* () {
          for await (const { name, request_id } of requests) {
            last.set(open, name)
            if (open.length > 1) await setImmediate()
            const latest = last.get(open)!
            if (latest !== name) hit()
            yield { name: latest, request_id }
          }
        })()
        return next()
      })(hit)
    },
  ),
  fault(
    'greetings-go-to-another-stream-too',
    'Sends each greeting to another open stream of the connection as well.',
    ['GRT-NAME-04'],
    (hit) => {
      const own = new WeakMap<GreetingCall, GreetingCall['send']>()
      return withOpenStreams((call, open, next) => {
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

  fault(
    'unnamed-requests-get-the-last-name',
    'Greets a request without a name by the last name that it received on any stream.',
    ['GRT-NAME-04'],
    (hit) => {
      let last = ''
      return changeRequests((request) => {
        if (request.name !== '') last = request.name
        return { ...request, name: last }
      })(hit)
    },
  ),
  fault(
    'cancelled-requests-are-greeted-later',
    'Greets the requests of a cancelled stream on the next stream.',
    ['GRT-NAME-04'],
    (hit) => {
      let left: string[] = []
      return onRequest(async (call, next) => {
        const names: string[] = []
        watchRequests(call, ({ name }) => names.push(name))
        for (const name of left.splice(0)) {
          hit()
          await call.send({
            message: `Hello, ${name}!`,
            server_timestamp: new Date(call.server.now()).toISOString(),
          })
        }
        try {
          return await next()
        } finally {
          if (call.hasDisconnected) left = names
        }
      })(hit)
    },
  ),

  fault(
    'identifiers-are-greeted',
    'Greets the identifier of a request and not the name.',
    ['GRT-NAME-06'],
    changeRequests((request) => ({ ...request, name: request.request_id })),
  ),
  fault(
    'first-name-of-a-stream-is-kept',
    'Greets the first name of a stream in every response.',
    ['GRT-NAME-06', 'GRT-PAIR-02'],
    changeRequests((request, [first = request]) => ({ ...request, name: first.name })),
  ),
  fault(
    'name-of-the-request-before-is-greeted',
    'From the second request of a stream on, greets the name of the previous request.',
    ['GRT-NAME-06', 'GRT-PAIR-02'],
    changeRequests((request, before) => ({ ...request, name: (before.at(-1) ?? request).name })),
  ),

  misdirected(
    'newest-stream-gets-everything',
    'Sends the responses of all streams of a connection on the newest one.',
    (open) => open.at(-1)!,
  ),
  misdirected(
    'oldest-stream-gets-everything',
    'Sends the responses of all streams of a connection on the oldest one.',
    (open) => open[0]!,
  ),
]
