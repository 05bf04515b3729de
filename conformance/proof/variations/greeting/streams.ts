import { setTimeout as sleep } from 'node:timers/promises'
import type { GreetingMiddleware, StreamMiddleware } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFactor } from './variation.ts'

/** Ends with INVALID_ARGUMENT what grpc-js ends with INTERNAL. */
const milder: StreamMiddleware = (stream, _headers, next) => {
  const change = (sent: Record<string, unknown>) =>
    String(sent['grpc-status']) === '13' ? { ...sent, 'grpc-status': '3' } : sent
  const [respond, sendTrailers] = [stream.respond.bind(stream), stream.sendTrailers.bind(stream)]
  stream.respond = (sent = {}, options) =>
    respond(change(sent as Record<string, unknown>) as typeof sent, options)
  stream.sendTrailers = (sent) => sendTrailers(change(sent) as typeof sent)
  next()
}

/** Also greets where a later version of the service is called. */
const versioned: StreamMiddleware = (_stream, headers, next) => {
  headers[':path'] = headers[':path']?.replace('/examples.v2.', '/examples.')
  next()
}

/** Lets a moment pass before the first response of each stream. */
const slow: GreetingMiddleware = async (call, next) => {
  const send = call.send.bind(call)
  let begun: Promise<unknown> | undefined
  call.send = (response) => {
    begun = (begun ?? sleep(20)).then(() => send(response))
    return begun as Promise<void>
  }
  return next()
}

/** Answers in the order of the requests, when the last one has come. */
const late: GreetingMiddleware = async (call, next) => {
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

/** What the document leaves open of streams, of their bounds, and of who may call. */
export const streams: readonly GreetingFactor[] = [
  {
    requirement: 'GRT-SERVICE-03',
    name: 'when responses come',
    levels: [
      { name: 'at once', description: 'Answers as soon as a request comes.' },
      {
        name: 'after a moment',
        description: 'Lets a moment pass before its first response.',
        deviation: { around: slow },
      },
      {
        name: 'at the end',
        description: 'Answers when the client has ended the stream, and declares no relationship.',
        choices: { declared: false },
        deviation: { around: late },
      },
    ],
  },
  {
    requirement: 'GRT-ERROR-01',
    name: 'statuses of refusals',
    levels: [
      {
        name: 'as usual',
        description: 'Refuses with INVALID_ARGUMENT, and with INTERNAL what it cannot read.',
      },
      {
        name: 'INVALID_ARGUMENT',
        description: 'Refuses with INVALID_ARGUMENT also what it cannot read.',
        deviation: { intercept: milder },
      },
      { name: 'UNKNOWN', description: 'Refuses with UNKNOWN.', choices: { refusalStatus: 2 } },
      {
        name: 'FAILED_PRECONDITION',
        notCombined: true,
        description: 'Refuses with FAILED_PRECONDITION.',
        choices: { refusalStatus: 9 },
      },
      {
        name: 'OUT_OF_RANGE',
        notCombined: true,
        description: 'Refuses with OUT_OF_RANGE, streams without a request too.',
        choices: { refusalStatus: 11 },
      },
    ],
  },
  {
    requirement: 'GRT-LIMIT-02',
    name: 'size of messages',
    levels: [
      { name: '4 MiB', description: 'Takes messages of 4 MiB.' },
      {
        name: '64 KiB',
        description: 'Takes messages of 64 KiB.',
        choices: { maxReceiveBytes: 65_536 },
      },
      { name: 'any', description: 'Takes messages of any size.', choices: { maxReceiveBytes: -1 } },
    ],
  },
  {
    requirement: 'GRT-LIMIT-02',
    name: 'length of streams',
    levels: [
      { name: 'any', description: 'Takes streams of any length.' },
      {
        name: 'a thousand',
        description: 'Takes a thousand requests on a stream.',
        choices: { streamLimit: 1000 },
      },
      {
        name: 'fifty',
        notCombined: true,
        description: 'Takes fifty requests on a stream.',
        choices: { streamLimit: 50 },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-02',
    name: 'name of the service',
    levels: [
      { name: 'GreetingService', description: 'Is called examples.GreetingService.' },
      {
        name: 'Greeter',
        description: 'Is called examples.Greeter.',
        choices: { service: 'examples.Greeter' },
      },
      {
        name: 'with an underscore',
        notCombined: true,
        description: 'Is called examples.greeting_v1.',
        choices: { service: 'examples.greeting_v1' },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-02',
    name: 'who names the service',
    levels: [
      { name: 'the target file', description: 'Is named in the target file.' },
      {
        name: 'reflection',
        description: 'Is named by reflection alone.',
        choices: { named: false },
      },
    ],
  },
  {
    requirement: 'GRT-VERSION-01',
    name: 'versions of the service',
    levels: [
      { name: 'one', description: 'Has one version.' },
      {
        name: 'a second one',
        description: 'Has a second version in another package.',
        deviation: { intercept: versioned },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-07',
    name: 'metadata',
    levels: [
      { name: 'none', description: 'Sends no metadata of its own.' },
      {
        name: 'its own',
        description: 'Tells who serves, before the responses and after them.',
        choices: { metadata: 'own' },
      },
      {
        name: "the caller's",
        description: "Sends some of the caller's metadata back.",
        choices: { metadata: 'echo' },
      },
    ],
  },
  {
    requirement: 'GRT-AUTH-03',
    name: 'callers',
    levels: [
      { name: 'with a token', description: 'Serves callers with a token.' },
      { name: 'anybody', description: 'Serves everybody.', choices: { token: false } },
    ],
  },
  {
    requirement: 'GRT-AUTH-03',
    name: 'status of callers without a token',
    levels: [
      { name: 'UNAUTHENTICATED', description: 'Refuses them with UNAUTHENTICATED.' },
      {
        name: 'PERMISSION_DENIED',
        description: 'Refuses them with PERMISSION_DENIED.',
        choices: { unauthenticatedStatus: 7 },
      },
    ],
  },
  {
    requirement: 'GRT-AUTH-01',
    name: 'TLS',
    levels: [
      { name: 'spoken', description: 'Speaks TLS.' },
      {
        name: 'not spoken',
        description: 'Speaks no TLS, as before production.',
        choices: { tls: false },
      },
    ],
  },
]
