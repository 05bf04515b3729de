import type { IncomingHttpHeaders, Http2Session } from 'node:http2'
import type { GreetingFault } from './fault.ts'
import {
  answersAlone,
  before,
  changesHeaders,
  changesMessages,
  changesTrailers,
  fault,
  isGreeting,
  onRequest,
} from './building.ts'

const services = ['grpc.', 'examples.GreetingService']
const pathOf = (headers: IncomingHttpHeaders) => String(headers[':path'])
const isUnknownMethod = (headers: IncomingHttpHeaders) =>
  pathOf(headers).startsWith('/examples.GreetingService/') && !isGreeting(headers)
const isUnknownService = (headers: IncomingHttpHeaders) =>
  !services.some((service) => pathOf(headers).startsWith(`/${service}`))
const isGzip = (headers: IncomingHttpHeaders) =>
  isGreeting(headers) && headers['grpc-encoding'] === 'gzip'
const known = '/examples.GreetingService/BidirectionalGreeting'

/** Answers alone what is not known. */
const unknown = (
  name: string,
  description: string,
  row: 'GRT-GRPC-04' | 'GRT-GRPC-05',
  sent: Parameters<typeof answersAlone>[1],
): GreetingFault =>
  fault(
    name,
    description,
    [row],
    before((stream, headers, hit) => {
      if (!(row === 'GRT-GRPC-04' ? isUnknownMethod : isUnknownService)(headers)) return false
      hit()
      return answersAlone(stream, sent)
    }),
  )

/** Changes the headers, or the trailers, of every greeting. */
const headers = (
  name: string,
  description: string,
  row: 'GRT-GRPC-01' | 'GRT-GRPC-02',
  changed: Parameters<typeof changesHeaders>[1],
): GreetingFault =>
  fault(
    name,
    description,
    [row],
    before((stream, incoming, hit) => {
      if (!isGreeting(incoming)) return
      changesHeaders(stream, (sent) => {
        hit()
        return changed(sent)
      })
    }),
  )
const trailers = (
  name: string,
  description: string,
  changed: Parameters<typeof changesTrailers>[1],
): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-GRPC-02'],
    before((stream, incoming, hit) => {
      if (!isGreeting(incoming)) return
      changesTrailers(stream, (sent) => {
        hit()
        return changed(sent)
      })
    }),
  )

/** Writes other words of the same length into what reflection describes. */
const described = (name: string, description: string, from: Buffer, to: Buffer): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-RPC-08'],
    before((stream, incoming, hit) => {
      if (!pathOf(incoming).startsWith('/grpc.reflection.')) return
      changesMessages(stream, (message) => {
        const at = message.indexOf(from)
        if (at === -1) return message
        hit()
        return Buffer.concat([message.subarray(0, at), to, message.subarray(at + from.length)])
      })
    }),
  )

/** What gRPC itself demands. */
export const protocol: readonly GreetingFault[] = [
  headers(
    'content-type-is-json',
    'Begins responses with the content type application/json.',
    'GRT-GRPC-01',
    (sent) => ({ ...sent, 'content-type': 'application/json' }),
  ),
  headers(
    'content-type-is-missing',
    'Begins responses without a content type.',
    'GRT-GRPC-01',
    ({ 'content-type': _type, ...sent }) => sent,
  ),
  headers(
    'responses-begin-with-206',
    'Begins responses with HTTP status 206.',
    'GRT-GRPC-01',
    (sent) => ({ ...sent, ':status': 206 }),
  ),

  trailers(
    'trailers-tell-no-status',
    'Ends with trailers in which no status stands.',
    ({ 'grpc-status': _status, ...sent }) => ({ ...sent, 'x-end': 'yes' }),
  ),
  trailers('status-is-a-word', 'Tells OK in place of 0.', (sent) => ({
    ...sent,
    'grpc-status': 'OK',
  })),
  fault(
    'trailers-are-missing',
    'Ends streams without trailers.',
    ['GRT-GRPC-02'],
    before((stream, incoming, hit) => {
      if (!isGreeting(incoming)) return
      const respond = stream.respond.bind(stream)
      stream.respond = (sent = {}, options = {}) => {
        if ('grpc-status' in sent) return respond(sent, options)
        hit()
        respond(sent, { ...options, waitForTrailers: false })
      }
    }),
  ),
  fault(
    'status-stands-in-the-headers',
    'Tells the status before the responses, and no more after them.',
    ['GRT-GRPC-02'],
    before((stream, incoming, hit) => {
      if (!isGreeting(incoming)) return
      changesHeaders(stream, (sent) => {
        hit()
        return { ...sent, 'grpc-status': '0' }
      })
      changesTrailers(stream, () => ({ 'x-end': 'yes' }))
    }),
  ),

  unknown('unknown-methods-are-ok', 'Ends with OK whatever method is called.', 'GRT-GRPC-04', {
    'grpc-status': '0',
  }),
  unknown(
    'unknown-methods-are-404',
    'Answers 404 without a status of gRPC where there is no such method.',
    'GRT-GRPC-04',
    { ':status': 404, 'content-type': 'text/plain' },
  ),
  unknown('unknown-services-are-ok', 'Ends with OK whatever service is called.', 'GRT-GRPC-05', {
    'grpc-status': '0',
  }),
  unknown(
    'unknown-services-are-404',
    'Answers 404 without a status of gRPC where there is no such service.',
    'GRT-GRPC-05',
    { ':status': 404, 'content-type': 'text/plain' },
  ),
  fault(
    'every-path-greets',
    'Greets whatever service and method are called.',
    ['GRT-GRPC-04', 'GRT-GRPC-05'],
    before((_stream, incoming, hit) => {
      if (!isUnknownMethod(incoming) && !isUnknownService(incoming)) return
      hit()
      incoming[':path'] = known
    }),
  ),

  fault(
    'gzip-is-an-internal-error',
    'Ends with an internal error where requests are compressed.',
    ['GRT-GRPC-07'],
    before((stream, incoming, hit) => {
      if (!isGzip(incoming)) return false
      hit()
      return answersAlone(stream, { 'grpc-status': '13' })
    }),
  ),
  fault(
    'gzip-is-passed-over',
    'Ends with OK and without an answer where requests are compressed.',
    ['GRT-GRPC-07'],
    before((stream, incoming, hit) => {
      if (!isGzip(incoming)) return
      changesMessages(stream, () => {
        hit()
        return undefined
      })
    }),
  ),
  fault(
    'gzip-is-garbled',
    'Says that responses are compressed where requests are, and does not compress them.',
    ['GRT-RPC-04'],
    before((stream, incoming, hit) => {
      if (!isGzip(incoming)) return
      changesHeaders(stream, (sent) => ({ ...sent, 'grpc-encoding': 'gzip' }))
      changesMessages(stream, (message) => {
        hit()
        return Buffer.concat([Buffer.from([1]), message.subarray(1)])
      })
    }),
  ),

  fault(
    'cancelling-ends-the-connection',
    'Ends the connection of a stream that was cancelled.',
    ['GRT-GRPC-08'],
    before((stream, _incoming, hit) => {
      stream.once('aborted', () => {
        hit()
        stream.session?.destroy()
      })
    }),
  ),
  fault(
    'cancelling-spoils-the-connection',
    'Ends with an internal error whatever comes after a cancelled stream.',
    ['GRT-GRPC-08'],
    (hit) => {
      const spoilt = new WeakSet<Http2Session>()
      return before((stream) => {
        const { session } = stream
        if (session === undefined) return false
        stream.once('aborted', () => spoilt.add(session))
        if (!spoilt.has(session)) return false
        hit()
        return answersAlone(stream, { 'grpc-status': '13' })
      })(hit)
    },
  ),

  fault(
    'few-streams-are-allowed',
    'Allows sixty streams on a connection.',
    ['GRT-GRPC-09'],
    (hit) => ({
      choices: { maxStreams: 60 },
      ...onRequest((_call, next) => {
        hit()
        return next()
      })(hit),
    }),
  ),

  ...slow(
    'slow-readers-get-nothing',
    'Sends nothing to a client with a small window, and ends with OK.',
    () => undefined,
  ),
  ...slow(
    'slow-readers-lose-a-tenth',
    'Drops every tenth response where a client has a small window.',
    (message, at) => (at % 10 === 0 ? undefined : message),
  ),
  fault(
    'slow-readers-are-cut-off',
    'Ends with an internal error where a client has a small window.',
    ['GRT-GRPC-10'],
    before((stream, incoming, hit) => {
      if (!isGreeting(incoming) || !isSlow(stream.session)) return
      changesTrailers(stream, (sent) => {
        hit()
        return { ...sent, 'grpc-status': '13' }
      })
    }),
  ),

  described(
    'reflection-describes-one-request',
    'Describes the method as one that takes and gives one message.',
    Buffer.from([0x28, 1, 0x30, 1]),
    Buffer.from([0x28, 0, 0x30, 0]),
  ),
  described(
    'reflection-describes-another-request',
    'Describes request_id under another name.',
    Buffer.from('request_id'),
    Buffer.from('request_no'),
  ),
  described(
    'reflection-describes-another-response',
    'Describes server_timestamp under another name.',
    Buffer.from('server_timestamp'),
    Buffer.from('server_time_text'),
  ),

  fault(
    'method-has-another-name',
    'Has the method as Greet, and no BidirectionalGreeting.',
    ['GRT-RPC-01'],
    before((_stream, incoming, hit) => {
      if (!isGreeting(incoming)) {
        if (pathOf(incoming) === '/examples.GreetingService/Greet') incoming[':path'] = known
        return
      }
      hit()
      incoming[':path'] = '/examples.GreetingService/Absent'
    }),
  ),
  ...elsewhere(
    'service-stands-in-another-package',
    'Has the service in the package samples.',
    'samples.GreetingService',
  ),
  ...elsewhere(
    'service-stands-below-the-package',
    'Has the service in the package examples.v1.',
    'examples.v1.GreetingService',
  ),

  fault(
    'tls-is-not-spoken',
    'Speaks no TLS where the target file says that it does.',
    ['GRT-AUTH-01'],
    (hit) => {
      hit()
      return { choices: { tls: 'claimed' } }
    },
  ),
]

function isSlow(session: Http2Session | undefined): boolean {
  return (session?.remoteSettings.initialWindowSize ?? 65_535) < 10_000
}

function slow(
  name: string,
  description: string,
  change: (message: Buffer, at: number) => Buffer | undefined,
): GreetingFault[] {
  return [
    fault(
      name,
      description,
      ['GRT-GRPC-10'],
      before((stream, incoming, hit) => {
        if (!isGreeting(incoming) || !isSlow(stream.session)) return
        let at = 0
        changesMessages(stream, (message) => {
          const changed = change(message, (at += 1))
          if (changed !== message) hit()
          return changed
        })
      }),
    ),
  ]
}

function elsewhere(name: string, description: string, service: string): GreetingFault[] {
  return [
    fault(name, description, ['GRT-RPC-01'], (hit) => ({
      choices: { service },
      ...onRequest((_call, next) => {
        hit()
        return next()
      })(hit),
    })),
  ]
}
