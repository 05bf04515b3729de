import { setTimeout as sleep } from 'node:timers/promises'
import type { GreetingMiddleware, StreamMiddleware } from '../../../../mocks/stateful/greeting.ts'
import { refuseRequests } from '../../faults/greeting/building.ts'
import type { GreetingFactor } from './variation.ts'

/**
 * Replaces the status INTERNAL, which grpc-js sends for unreadable requests, with INVALID_ARGUMENT.
 */
const invalidArgument: StreamMiddleware = (stream, _headers, next) => {
  const change = (sent: Record<string, unknown>) =>
    String(sent['grpc-status']) === '13' ? { ...sent, 'grpc-status': '3' } : sent
  const [respond, sendTrailers] = [stream.respond.bind(stream), stream.sendTrailers.bind(stream)]
  stream.respond = (sent = {}, options) =>
    respond(change(sent as Record<string, unknown>) as typeof sent, options)
  stream.sendTrailers = (sent) => sendTrailers(change(sent) as typeof sent)
  next()
}

/** Also serves the calls of a second version of the service. */
const versioned: StreamMiddleware = (_stream, headers, next) => {
  headers[':path'] = headers[':path']?.replace('/examples.v2.', '/examples.')
  next()
}

/** Delays the first response of each stream. */
const delayed: GreetingMiddleware = async (call, next) => {
  const send = call.send.bind(call)
  let begun: Promise<unknown> | undefined
  call.send = (response) => {
    begun = (begun ?? sleep(20)).then(() => send(response))
    return begun as Promise<void>
  }
  return next()
}

/** Sends all responses in order when the client has ended the stream. */
const atEnd: GreetingMiddleware = async (call, next) => {
  const send = call.send.bind(call)
  const kept: Parameters<typeof send>[0][] = []
  call.send = (response) => {
    kept.push(response)
    return undefined
  }
  const ending = await next()
  for (const response of kept) await send(response)
  return ending
}

/** Ends a stream with this status after `count` requests. */
const endsAfter = (count: number, code: number) =>
  refuseRequests((_request, at) => at > count, code)(() => {})

/** Refuses a stream while another one is open. */
function oneAtATime(): GreetingMiddleware {
  let open = 0
  return async (_call, next) => {
    open += 1
    try {
      return open > 1 ? { code: 8, details: 'another stream is open' } : await next()
    } finally {
      open -= 1
    }
  }
}

/** Choices that the document leaves for streams, their limits, and authentication. */
export const streams: readonly GreetingFactor[] = [
  {
    requirement: 'GRT-SERVICE-03',
    name: 'time of responses',
    values: [
      { name: 'at once', description: 'Responds as soon as a request arrives.' },
      {
        name: 'after a moment',
        description: 'Delays its first response.',
        deviation: { around: delayed },
      },
      {
        name: 'after the last request',
        description: 'Responds when the client has ended the stream, and declares no relationship.',
        choices: { declared: false },
        deviation: { around: atEnd },
      },
    ],
  },
  {
    requirement: 'GRT-ERROR-01',
    name: 'status of refusals',
    values: [
      {
        name: 'INTERNAL or INVALID_ARGUMENT, depending on the mistake',
        description:
          'Refuses unreadable requests with INTERNAL, and other requests with INVALID_ARGUMENT.',
      },
      {
        name: 'INVALID_ARGUMENT',
        description: 'Refuses requests with INVALID_ARGUMENT, including unreadable ones.',
        deviation: { intercept: invalidArgument },
      },
      {
        name: 'UNKNOWN',
        description: 'Refuses requests with UNKNOWN.',
        choices: { refusalStatus: 2 },
      },
      {
        name: 'FAILED_PRECONDITION',
        notCombined: true,
        description: 'Refuses requests with FAILED_PRECONDITION.',
        choices: { refusalStatus: 9 },
      },
      {
        name: 'OUT_OF_RANGE',
        notCombined: true,
        description: 'Refuses requests, and streams without a request, with OUT_OF_RANGE.',
        choices: { refusalStatus: 11 },
      },
    ],
  },
  {
    requirement: 'GRT-LIMIT-02',
    name: 'maximum size of messages',
    values: [
      { name: '4 MiB', description: 'Accepts messages of up to 4 MiB.' },
      {
        name: '64 KiB',
        description: 'Accepts messages of up to 64 KiB.',
        choices: { maxReceiveBytes: 65_536 },
      },
      {
        name: 'none',
        description: 'Accepts messages of any size.',
        choices: { maxReceiveBytes: -1 },
      },
    ],
  },
  {
    requirement: 'GRT-LIMIT-02',
    name: 'maximum length of streams',
    values: [
      { name: 'none', description: 'Accepts streams of any length.' },
      {
        name: '1000 requests',
        description: 'Accepts at most a thousand requests on a stream.',
        choices: { streamLimit: 1000 },
      },
      {
        name: '50 requests',
        notCombined: true,
        description: 'Accepts at most fifty requests on a stream.',
        choices: { streamLimit: 50 },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'end of long streams',
    values: [
      { name: 'none', description: 'Does not end a stream early because of its length.' },
      {
        name: 'OUT_OF_RANGE',
        notCombined: true,
        description: 'Ends a stream with OUT_OF_RANGE after ten requests.',
        deviation: endsAfter(10, 11),
      },
      {
        name: 'OK',
        notCombined: true,
        description: 'Ends a stream with OK after ten requests.',
        choices: { declared: false },
        deviation: endsAfter(10, 0),
        unmet: ['GRT-LIMIT-04'],
      },
    ],
  },
  {
    requirement: 'none',
    name: 'concurrent streams of the server',
    values: [
      { name: 'any', description: 'Serves any number of streams.' },
      {
        name: 'one',
        notCombined: true,
        description: 'Refuses a stream with RESOURCE_EXHAUSTED while another one is open.',
        deviation: { around: oneAtATime() },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-02',
    name: 'name of the service',
    values: [
      { name: 'GreetingService', description: 'Is named examples.GreetingService.' },
      {
        name: 'Greeter',
        description: 'Is named examples.Greeter.',
        choices: { service: 'examples.Greeter' },
      },
      {
        name: 'a name with an underscore',
        notCombined: true,
        description: 'Is named examples.greeting_v1.',
        choices: { service: 'examples.greeting_v1' },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-02',
    name: 'way to find out the name',
    values: [
      {
        name: 'the operator of the server states it',
        description: 'Has its name in the target file.',
      },
      {
        name: 'reflection',
        description: 'Has its name in reflection only, not in the target file.',
        choices: { named: false },
      },
    ],
  },
  {
    requirement: 'GRT-VERSION-01',
    name: 'versions of the service',
    values: [
      { name: 'one', description: 'Has one version.' },
      {
        name: 'a second version in a different package',
        description: 'Has a second version in another package.',
        deviation: { intercept: versioned },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-07',
    name: 'metadata in responses',
    values: [
      { name: 'none', description: 'Adds no metadata.' },
      {
        name: 'metadata of the server',
        description: 'Adds metadata in headers and trailers.',
        choices: { metadata: 'own' },
      },
      {
        name: 'some metadata of the request',
        description: "Returns some of the caller's metadata.",
        choices: { metadata: 'echo' },
      },
    ],
  },
  {
    requirement: 'GRT-AUTH-03',
    name: 'accepted callers',
    values: [
      { name: 'only with a token', description: 'Serves callers with a token only.' },
      { name: 'all', description: 'Serves every caller.', choices: { token: false } },
    ],
  },
  {
    requirement: 'GRT-AUTH-03',
    name: 'status of calls without a token',
    values: [
      {
        name: 'UNAUTHENTICATED',
        description: 'Refuses callers without a token with UNAUTHENTICATED.',
      },
      {
        name: 'PERMISSION_DENIED',
        description: 'Refuses callers without a token with PERMISSION_DENIED.',
        choices: { unauthenticatedStatus: 7 },
      },
    ],
  },
  {
    requirement: 'GRT-AUTH-01',
    name: 'TLS',
    values: [
      { name: 'used', description: 'Uses TLS.' },
      {
        name: 'not used',
        description: 'Does not use TLS, as is allowed before production.',
        choices: { tls: false },
      },
    ],
  },
]
