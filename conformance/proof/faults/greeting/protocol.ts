import type { IncomingHttpHeaders, Http2Session } from 'node:http2'
import { gzipSync } from 'node:zlib'
import type { GreetingFault } from './fault.ts'
import {
  endAtOnce,
  onStream,
  changeHeaders,
  changeMessages,
  changeTrailers,
  fault,
  isGreeting,
  onRequest,
  prefixBytes,
  watchRequests,
} from './building.ts'

const services = ['grpc.', 'examples.GreetingService']
const pathOf = (headers: IncomingHttpHeaders) => String(headers[':path'])
const isUnknownMethod = (headers: IncomingHttpHeaders) =>
  pathOf(headers).startsWith('/examples.GreetingService/') && !isGreeting(headers)
const isUnknownService = (headers: IncomingHttpHeaders) =>
  !services.some((service) => pathOf(headers).startsWith(`/${service}`))
const isGzip = (headers: IncomingHttpHeaders) =>
  isGreeting(headers) && headers['grpc-encoding'] === 'gzip'
const isUnknownEncoding = (headers: IncomingHttpHeaders) =>
  isGreeting(headers) &&
  !['identity', 'deflate', 'gzip', undefined].includes(headers['grpc-encoding'] as string)
const known = '/examples.GreetingService/BidirectionalGreeting'

/** Sends this response to a call of an unknown method or service. */
const unknownCall = (
  name: string,
  description: string,
  requirement: 'GRT-GRPC-04' | 'GRT-GRPC-05',
  sent: Parameters<typeof endAtOnce>[1],
): GreetingFault =>
  fault(
    name,
    description,
    [requirement],
    onStream((stream, headers, hit) => {
      if (!(requirement === 'GRT-GRPC-04' ? isUnknownMethod : isUnknownService)(headers))
        return false
      hit()
      return endAtOnce(stream, sent)
    }),
  )

/** Changes the headers of the response of every greeting stream. */
const headersFault = (
  name: string,
  description: string,
  requirement: 'GRT-GRPC-01' | 'GRT-GRPC-02',
  changed: Parameters<typeof changeHeaders>[1],
): GreetingFault =>
  fault(
    name,
    description,
    [requirement],
    onStream((stream, incoming, hit) => {
      if (!isGreeting(incoming)) return
      changeHeaders(stream, (sent) => {
        hit()
        return changed(sent)
      })
    }),
  )
const trailersFault = (
  name: string,
  description: string,
  changed: Parameters<typeof changeTrailers>[1],
): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-GRPC-02'],
    onStream((stream, incoming, hit) => {
      if (!isGreeting(incoming)) return
      changeTrailers(stream, (sent) => {
        hit()
        return changed(sent)
      })
    }),
  )

/** Replaces bytes in the responses of server reflection with other bytes of the same length. */
const reflectionFault = (
  name: string,
  description: string,
  from: Buffer,
  to: Buffer,
): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-RPC-08'],
    onStream((stream, incoming, hit) => {
      if (!pathOf(incoming).startsWith('/grpc.reflection.')) return
      changeMessages(stream, (message) => {
        const at = message.indexOf(from)
        if (at === -1) return message
        hit()
        return Buffer.concat([message.subarray(0, at), to, message.subarray(at + from.length)])
      })
    }),
  )

/** Compresses messages for clients that accept only uncompressed ones. */
const unacceptedFault = (
  name: string,
  description: string,
  isCompressed: (at: number) => boolean,
): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-GRPC-16'],
    onStream((stream, headers, hit) => {
      if (headers['grpc-accept-encoding'] !== 'identity') return
      let at = 0
      changeHeaders(stream, (sent) => ({ ...sent, 'grpc-encoding': 'gzip' }))
      changeMessages(stream, (message) => {
        at += 1
        if (!isCompressed(at)) return message
        hit()
        const body = gzipSync(message.subarray(prefixBytes))
        const prefix = Buffer.alloc(prefixBytes)
        prefix.writeUInt8(1)
        prefix.writeUInt32BE(body.length, 1)
        return Buffer.concat([prefix, body])
      })
    }),
  )

/** Faults of gRPC itself, of reflection, of the service's names and of TLS. */
export const protocol: readonly GreetingFault[] = [
  headersFault(
    'content-type-is-json',
    'Begins responses with the content type application/json.',
    'GRT-GRPC-01',
    (sent) => ({ ...sent, 'content-type': 'application/json' }),
  ),
  headersFault(
    'content-type-is-missing',
    'Begins responses without a content type.',
    'GRT-GRPC-01',
    ({ 'content-type': _type, ...sent }) => sent,
  ),
  headersFault(
    'responses-begin-with-206',
    'Begins responses with HTTP status 206.',
    'GRT-GRPC-01',
    (sent) => ({ ...sent, ':status': 206 }),
  ),
  fault(
    'unknown-methods-are-500-with-a-status',
    'Returns HTTP status 500, with a gRPC status, for an unknown method.',
    ['GRT-GRPC-01'],
    onStream((stream, headers, hit) => {
      if (!isUnknownMethod(headers)) return false
      hit()
      return endAtOnce(stream, { ':status': 500, 'grpc-status': '12' })
    }),
  ),

  trailersFault(
    'trailers-without-status',
    'Sends trailers without a status.',
    ({ 'grpc-status': _status, ...sent }) => ({ ...sent, 'x-end': 'yes' }),
  ),
  trailersFault('status-is-a-word', 'Sends the status OK instead of 0.', (sent) => ({
    ...sent,
    'grpc-status': 'OK',
  })),
  fault(
    'streams-without-requests-never-end',
    'Never ends a stream that the client half-closes without a request.',
    ['GRT-GRPC-02'],
    onRequest(async (call, next, hit) => {
      let count = 0
      watchRequests(call, () => (count += 1))
      const ending = await next()
      if (count > 0) return ending
      hit()
      return new Promise(() => {})
    }),
  ),
  fault(
    'streams-without-a-name-never-end',
    'Never ends a stream after a request without a name.',
    ['GRT-GRPC-02'],
    onRequest(async (call, next, hit) => {
      let isUnnamed = false
      watchRequests(call, ({ name }) => (isUnnamed ||= name === ''))
      const ending = await next()
      if (!isUnnamed) return ending
      hit()
      return new Promise(() => {})
    }),
  ),
  fault(
    'streams-of-two-requests-never-end',
    'Never ends a stream of several requests.',
    ['GRT-GRPC-03'],
    onRequest(async (call, next, hit) => {
      let count = 0
      watchRequests(call, () => (count += 1))
      const ending = await next()
      if (count < 2) return ending
      hit()
      return new Promise(() => {})
    }),
  ),
  fault(
    'twelve-thousand-greetings',
    'Sends each greeting 12,000 times.',
    ['GRT-GRPC-02'],
    onRequest((call, next, hit) => {
      const send = call.send.bind(call)
      call.send = async (response) => {
        hit()
        for (let count = 0; count < 12_000; count += 1) await send(response)
      }
      return next()
    }),
  ),
  fault(
    'trailers-are-missing',
    'Ends streams without trailers.',
    ['GRT-GRPC-02'],
    onStream((stream, incoming, hit) => {
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
    'status-is-in-the-headers',
    'Sends the status in the headers and not in the trailers.',
    ['GRT-GRPC-02'],
    onStream((stream, incoming, hit) => {
      if (!isGreeting(incoming)) return
      changeHeaders(stream, (sent) => {
        hit()
        return { ...sent, 'grpc-status': '0' }
      })
      changeTrailers(stream, () => ({ 'x-end': 'yes' }))
    }),
  ),

  unknownCall('unknown-methods-are-ok', 'Ends calls of an unknown method with OK.', 'GRT-GRPC-04', {
    'grpc-status': '0',
  }),
  unknownCall(
    'unknown-methods-are-500',
    'Returns 500 without a gRPC status for an unknown method.',
    'GRT-GRPC-04',
    { ':status': 500, 'content-type': 'text/plain' },
  ),
  unknownCall(
    'unknown-services-are-ok',
    'Ends calls of an unknown service with OK.',
    'GRT-GRPC-05',
    {
      'grpc-status': '0',
    },
  ),
  unknownCall(
    'unknown-services-are-500',
    'Returns 500 without a gRPC status for an unknown service.',
    'GRT-GRPC-05',
    { ':status': 500, 'content-type': 'text/plain' },
  ),
  fault(
    'every-path-greets',
    'Responds with greetings to calls of any service and method.',
    ['GRT-GRPC-04', 'GRT-GRPC-05'],
    onStream((_stream, incoming, hit) => {
      if (!isUnknownMethod(incoming) && !isUnknownService(incoming)) return
      hit()
      incoming[':path'] = known
    }),
  ),

  fault(
    'gzip-is-an-internal-error',
    'Ends with an internal error if requests are compressed.',
    ['GRT-GRPC-07'],
    onStream((stream, incoming, hit) => {
      if (!isGzip(incoming)) return false
      hit()
      return endAtOnce(stream, { 'grpc-status': '13' })
    }),
  ),
  fault(
    'gzip-is-ignored',
    'Ends with OK and sends no response if requests are compressed.',
    ['GRT-GRPC-07'],
    onStream((stream, incoming, hit) => {
      if (!isGzip(incoming)) return
      changeMessages(stream, () => {
        hit()
        return undefined
      })
    }),
  ),
  fault(
    'gzip-is-garbled',
    'Marks responses to compressed requests as compressed, but does not compress them.',
    ['GRT-RPC-04'],
    onStream((stream, incoming, hit) => {
      if (!isGzip(incoming)) return
      changeHeaders(stream, (sent) => ({ ...sent, 'grpc-encoding': 'gzip' }))
      changeMessages(stream, (message) => {
        hit()
        return Buffer.concat([Buffer.from([1]), message.subarray(1)])
      })
    }),
  ),

  fault(
    'every-encoding-is-gzip',
    'Decompresses requests with gzip, whatever their encoding is.',
    ['GRT-GRPC-15'],
    onStream((_stream, headers, hit) => {
      if (!isUnknownEncoding(headers)) return
      hit()
      headers['grpc-encoding'] = 'gzip'
    }),
  ),
  fault(
    'unknown-encodings-are-ok',
    'Ends with OK and sends no response if requests have an unknown encoding.',
    ['GRT-GRPC-15'],
    onStream((stream, headers, hit) => {
      if (!isUnknownEncoding(headers)) return false
      hit()
      return endAtOnce(stream, { 'grpc-status': '0' })
    }),
  ),
  unacceptedFault(
    'responses-are-always-compressed',
    'Compresses messages with gzip, whatever the client accepts.',
    () => true,
  ),
  unacceptedFault(
    'second-responses-are-always-compressed',
    'Compresses each message after the first with gzip, whatever the client accepts.',
    (at) => at > 1,
  ),

  fault(
    'cancelled-streams-keep-their-slots',
    'Once five streams of a connection were cancelled, ends later ones with an internal error.',
    ['GRT-GRPC-08'],
    (hit) => {
      const cancelled = new WeakMap<Http2Session, number>()
      return onStream((stream) => {
        const { session } = stream
        if (session === undefined) return false
        const count = () => cancelled.get(session) ?? 0
        stream.once('aborted', () => cancelled.set(session, count() + 1))
        if (count() < 5) return false
        hit()
        return endAtOnce(stream, { 'grpc-status': '13' })
      })(hit)
    },
  ),
  fault(
    'cancelling-ends-the-connection',
    'Closes the connection of a stream that was cancelled.',
    ['GRT-GRPC-08'],
    onStream((stream, _incoming, hit) => {
      stream.once('aborted', () => {
        hit()
        stream.session?.destroy()
      })
    }),
  ),
  fault(
    'cancelling-breaks-the-connection',
    'Once a stream was cancelled, ends every later stream of its connection with an internal error.',
    ['GRT-GRPC-08'],
    (hit) => {
      const broken = new WeakSet<Http2Session>()
      return onStream((stream) => {
        const { session } = stream
        if (session === undefined) return false
        stream.once('aborted', () => broken.add(session))
        if (!broken.has(session)) return false
        hit()
        return endAtOnce(stream, { 'grpc-status': '13' })
      })(hit)
    },
  ),

  fault(
    'few-streams-are-allowed',
    'Allows at most sixty concurrent streams on a connection.',
    ['GRT-GRPC-09'],
    (hit) => ({
      choices: { maxStreams: 60 },
      ...onRequest((_call, next) => {
        hit()
        return next()
      })(hit),
    }),
  ),

  ...slowReaderFault(
    'slow-readers-get-nothing',
    'Sends nothing to a client with a small window and ends with OK.',
    () => undefined,
  ),
  ...slowReaderFault(
    'slow-readers-lose-a-tenth',
    'Drops every tenth response to a client with a small window.',
    (message, at) => (at % 10 === 0 ? undefined : message),
  ),
  fault(
    'slow-readers-are-cut-off',
    'Ends with an internal error if the client has a small window.',
    ['GRT-GRPC-10'],
    onStream((stream, incoming, hit) => {
      if (!isGreeting(incoming) || !isSlow(stream.session)) return
      changeTrailers(stream, (sent) => {
        hit()
        return { ...sent, 'grpc-status': '13' }
      })
    }),
  ),

  reflectionFault(
    'reflection-describes-one-request',
    'Describes the method as one that accepts and returns a single message.',
    Buffer.from([0x28, 1, 0x30, 1]),
    Buffer.from([0x28, 0, 0x30, 0]),
  ),
  reflectionFault(
    'reflection-describes-another-request',
    'Describes request_id under another name.',
    Buffer.from('request_id'),
    Buffer.from('request_no'),
  ),
  reflectionFault(
    'reflection-describes-another-response',
    'Describes server_timestamp under another name.',
    Buffer.from('server_timestamp'),
    Buffer.from('server_time_text'),
  ),

  fault(
    'method-has-another-name',
    'Names the method Greet instead of BidirectionalGreeting.',
    ['GRT-RPC-01'],
    onStream((_stream, incoming, hit) => {
      if (!isGreeting(incoming)) {
        if (pathOf(incoming) === '/examples.GreetingService/Greet') incoming[':path'] = known
        return
      }
      hit()
      incoming[':path'] = '/examples.GreetingService/Absent'
    }),
  ),
  ...otherServiceName(
    'service-is-in-another-package',
    'Has the service in the package samples.',
    'samples.GreetingService',
  ),
  ...otherServiceName(
    'service-is-in-a-subpackage',
    'Has the service in the package examples.v1.',
    'examples.v1.GreetingService',
  ),

  fault(
    'tls-is-missing',
    'Does not use TLS although the target file declares it.',
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

function slowReaderFault(
  name: string,
  description: string,
  change: (message: Buffer, at: number) => Buffer | undefined,
): GreetingFault[] {
  return [
    fault(
      name,
      description,
      ['GRT-GRPC-10'],
      onStream((stream, incoming, hit) => {
        if (!isGreeting(incoming) || !isSlow(stream.session)) return
        let at = 0
        changeMessages(stream, (message) => {
          const changed = change(message, (at += 1))
          if (changed !== message) hit()
          return changed
        })
      }),
    ),
  ]
}

function otherServiceName(name: string, description: string, service: string): GreetingFault[] {
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
