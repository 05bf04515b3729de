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
    row: 'GRT-SERVICE-03',
    factor: 'when responses come',
    levels: [
      { name: 'at once', says: 'Answers as soon as a request comes.' },
      {
        name: 'after a moment',
        says: 'Lets a moment pass before its first response.',
        deviation: { around: slow },
      },
      {
        name: 'at the end',
        says: 'Answers when the client has ended the stream, and declares no relationship.',
        choices: { declared: false },
        deviation: { around: late },
      },
    ],
  },
  {
    row: 'GRT-ERROR-01',
    factor: 'statuses of refusals',
    levels: [
      {
        name: 'as usual',
        says: 'Refuses with INVALID_ARGUMENT, and with INTERNAL what it cannot read.',
      },
      {
        name: 'INVALID_ARGUMENT',
        says: 'Refuses with INVALID_ARGUMENT also what it cannot read.',
        deviation: { intercept: milder },
      },
      { name: 'UNKNOWN', says: 'Refuses with UNKNOWN.', choices: { refusalStatus: 2 } },
      {
        name: 'FAILED_PRECONDITION',
        alone: true,
        says: 'Refuses with FAILED_PRECONDITION.',
        choices: { refusalStatus: 9 },
      },
      {
        name: 'OUT_OF_RANGE',
        alone: true,
        says: 'Refuses with OUT_OF_RANGE, streams without a request too.',
        choices: { refusalStatus: 11 },
      },
    ],
  },
  {
    row: 'GRT-LIMIT-02',
    factor: 'size of messages',
    levels: [
      { name: '4 MiB', says: 'Takes messages of 4 MiB.' },
      { name: '64 KiB', says: 'Takes messages of 64 KiB.', choices: { maxReceiveBytes: 65_536 } },
      { name: 'any', says: 'Takes messages of any size.', choices: { maxReceiveBytes: -1 } },
    ],
  },
  {
    row: 'GRT-LIMIT-02',
    factor: 'length of streams',
    levels: [
      { name: 'any', says: 'Takes streams of any length.' },
      {
        name: 'a thousand',
        says: 'Takes a thousand requests on a stream.',
        choices: { streamLimit: 1000 },
      },
      {
        name: 'fifty',
        alone: true,
        says: 'Takes fifty requests on a stream.',
        choices: { streamLimit: 50 },
      },
    ],
  },
  {
    row: 'GRT-RPC-02',
    factor: 'name of the service',
    levels: [
      { name: 'GreetingService', says: 'Is called examples.GreetingService.' },
      {
        name: 'Greeter',
        says: 'Is called examples.Greeter.',
        choices: { service: 'examples.Greeter' },
      },
      {
        name: 'with an underscore',
        alone: true,
        says: 'Is called examples.greeting_v1.',
        choices: { service: 'examples.greeting_v1' },
      },
    ],
  },
  {
    row: 'GRT-RPC-02',
    factor: 'who names the service',
    levels: [
      { name: 'the target file', says: 'Is named in the target file.' },
      { name: 'reflection', says: 'Is named by reflection alone.', choices: { named: false } },
    ],
  },
  {
    row: 'GRT-VERSION-01',
    factor: 'versions of the service',
    levels: [
      { name: 'one', says: 'Has one version.' },
      {
        name: 'a second one',
        says: 'Has a second version in another package.',
        deviation: { intercept: versioned },
      },
    ],
  },
  {
    row: 'GRT-RPC-07',
    factor: 'metadata',
    levels: [
      { name: 'none', says: 'Sends no metadata of its own.' },
      {
        name: 'its own',
        says: 'Tells who serves, before the responses and after them.',
        choices: { metadata: 'own' },
      },
      {
        name: "the caller's",
        says: "Sends some of the caller's metadata back.",
        choices: { metadata: 'echo' },
      },
    ],
  },
  {
    row: 'GRT-AUTH-03',
    factor: 'callers',
    levels: [
      { name: 'with a token', says: 'Serves callers with a token.' },
      { name: 'anybody', says: 'Serves everybody.', choices: { token: false } },
    ],
  },
  {
    row: 'GRT-AUTH-03',
    factor: 'status of callers without a token',
    levels: [
      { name: 'UNAUTHENTICATED', says: 'Refuses them with UNAUTHENTICATED.' },
      {
        name: 'PERMISSION_DENIED',
        says: 'Refuses them with PERMISSION_DENIED.',
        choices: { unauthenticatedStatus: 7 },
      },
    ],
  },
  {
    row: 'GRT-AUTH-01',
    factor: 'TLS',
    levels: [
      { name: 'spoken', says: 'Speaks TLS.' },
      { name: 'not spoken', says: 'Speaks no TLS, as before production.', choices: { tls: false } },
    ],
  },
]
