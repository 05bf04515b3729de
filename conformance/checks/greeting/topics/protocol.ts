import { bidirectionalGreeting as method } from '../../../../generated/greeting/index.ts'
import { Blocked, type Expectation, labelled } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { statusName, statusOf } from '../../../wire/grpc.ts'
import { check, watch } from '../support/define.ts'
import { endsOk, hasResponse, isOk, isEndedByServer } from '../support/expectations.ts'
import { bytesOf } from '../support/messages.ts'

/** Bytes that no library decodes as a Protocol Buffers message. */
const endlessVarint = Buffer.from(Array.from({ length: 11 }, () => 0xff))

/**
 * Bytes that are not a valid Protocol Buffers message of any type, but that some libraries decode:
 * they take the bytes that are left, or ignore the wire type of a known field.
 */
const decodedBySome = {
  'a field that is longer than the message': Buffer.from([0x0a, 0x64, 0x41, 0x64, 0x61]),
  'an unknown wire type': Buffer.from([0x0f, 0x01]),
}

/** Metadata with which a client may send requests, by what is unusual about it. */
const validMetadata: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the media type application/grpc+proto': { 'content-type': 'application/grpc+proto' },
  'custom metadata': { 'x-touchstone': 'a value' },
  'binary metadata': { 'x-touchstone-bin': Buffer.from([0, 1, 255]).toString('base64') },
}

/** Timeouts of a minute or more, by their units. */
const timeouts: Readonly<Record<string, string>> = {
  'a timeout in seconds': '60S',
  'a timeout in hours': '1H',
  'a timeout in milliseconds': '60000m',
  'a timeout in microseconds': '60000000u',
}

/** After how many bytes of a message, with its prefix, the first of two parts ends. */
const firstParts = {
  'a message in two parts': 9,
  'a prefix in two parts': 3,
}

/**
 * How long the second part of a message waits, and the second message of a stream with a timeout,
 * in milliseconds.
 */
const pauseMs = 200

const isServed: Expectation<GrpcExchange> = {
  name: 'is served',
  expected: 'at least one response and status OK',
  test: (exchange) => hasResponse(exchange) && isOk(exchange),
}

/** How long to wait for the response to a message, in milliseconds. */
const maxResponseMs = 500

const refused: Expectation<GrpcExchange> = {
  name: 'does not end with OK',
  expected: 'a grpc-status other than OK, or a reset of the stream',
  test: (exchange) => isEndedByServer(exchange) && !isOk(exchange),
}

/**
 * Accepts HTTP status 404 without a grpc-status, which gRPC clients map to UNIMPLEMENTED.
 *
 * @see https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md
 */
const isUnimplemented: Expectation<GrpcExchange> = {
  name: 'is not implemented',
  expected: `status ${statusName(statusOf.UNIMPLEMENTED)}, or HTTP status 404`,
  test: ({ end }) =>
    end?.grpcStatus === undefined
      ? end?.httpStatus === 404
      : end.grpcStatus === statusOf.UNIMPLEMENTED,
}

const endsStream: Expectation<GrpcExchange> = {
  name: 'ends the stream',
  expected: 'a grpc-status or a reset from the server',
  test: isEndedByServer,
}

/** An encoding that no server supports. */
const unknownEncoding = 'touchstone'

const answersGzip: Expectation<GrpcExchange> = {
  name: 'responds, or does not support gzip',
  expected: 'at least one response and status OK, or status UNIMPLEMENTED (12)',
  test: (exchange) =>
    (hasResponse(exchange) && isOk(exchange)) ||
    exchange.end?.grpcStatus === statusOf.UNIMPLEMENTED,
}

export const protocolChecks = [
  watch('GRT-GRPC-01', {
    title: 'starts responses with HTTP status 200 and the gRPC content type',
    examine: (exchange) => {
      const { operation, httpStatus, end } = exchange
      if (httpStatus === undefined) return []
      // For an unknown method or service, GRT-GRPC-04 and GRT-GRPC-05 also allow a response that is
      // not gRPC: HTTP status 404 without a grpc-status.
      if (operation !== 'greet' && end?.grpcStatus === undefined) return []
      const type = exchange.header('content-type')
      const held = httpStatus === 200 && /^application\/grpc(?![a-z])/i.test(type ?? '')
      return [
        {
          name: 'starts as gRPC',
          held,
          expected: 'HTTP status 200 and a content-type that starts with application/grpc',
          received: held
            ? 'as expected'
            : `HTTP status ${httpStatus}, content-type ${type ?? 'missing'}`,
        },
      ]
    },
  }),

  watch('GRT-GRPC-02', {
    title: 'ends streams with a grpc-status',
    door: 'all streams of the run',
    examine: ({ operation, end, summary }) => {
      // A stream that the client ended, or that was interrupted, has no trailers. But if the client
      // ended it because of far too many responses (`flood`), the server did not end it in time.
      const isFlood = end?.gaveUp === 'flood'
      if (
        operation !== 'greet' ||
        end === undefined ||
        (end.failure !== undefined && !isFlood) ||
        end.httpStatus !== 200
      )
        return []
      const held = end.grpcStatus !== undefined
      return [
        {
          name: 'has a status',
          held,
          expected: 'trailers that contain grpc-status with a decimal number',
          received: held ? 'as expected' : summary,
        },
      ]
    },
  }),

  check('GRT-GRPC-02', {
    title: 'ends a stream without requests, or without a name',
    async run({ greet, expect }) {
      const [empty, unnamed] = await Promise.all([greet([]), greet([{ name: '' }])])
      expect(empty, labelled('a stream without requests', endsStream))
      expect(unnamed, labelled('a request without a name', endsStream))
    },
  }),

  check('GRT-GRPC-03', {
    title: 'ends a stream with OK after the client has half-closed it',
    // Does not have the usual root, GRT-SERVICE-02: if a stream with responses fails before it ends
    // with a status, this requirement blocks GRT-SERVICE-02.
    root: undefined,
    async run({ newRequests, greet, expect, requireMet }) {
      // A server that refuses a second request violates GRT-RPC-03 instead.
      const exchange = await greet(newRequests(1))
      const { end, summary } = exchange
      if (!hasResponse(exchange)) throw new Blocked('GRT-SERVICE-02', summary)
      if (end?.grpcStatus === undefined && end?.failure === undefined)
        throw new Blocked('GRT-GRPC-02', summary)
      expect(exchange, labelled('one request', endsOk))
      expect(await greet(newRequests(2)), labelled('two requests', endsStream))
      await requireMet('GRT-SERVICE-02')
    },
  }),

  check('GRT-GRPC-04', {
    title: 'returns UNIMPLEMENTED for an unknown method',
    async run({ greet, newName, findService, expect }) {
      expect(
        await greet([], {
          operation: 'call another method',
          path: `/${(await findService()).name}/${newName()}`,
        }),
        isUnimplemented,
      )
    },
  }),

  check('GRT-GRPC-05', {
    title: 'returns UNIMPLEMENTED for an unknown service',
    async run({ greet, newName, expect }) {
      expect(
        await greet([], {
          operation: 'call another service',
          path: `/${method.package}.${newName()}/${method.name}`,
        }),
        isUnimplemented,
      )
    },
  }),

  check('GRT-GRPC-06', {
    title: 'does not end a stream with OK after an invalid message',
    async run({
      greet,
      newName,
      expect,
      startCall,
      openChannel,
      methodPath,
      runThroughGate,
      wait,
      timeout,
    }) {
      const operation = 'send an invalid message'
      expect(
        await greet([{ name: newName(), bytes: endlessVarint }], { operation }),
        labelled('an endless varint', refused),
      )

      const path = await methodPath()
      const exchange = await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path, operation })
        await stream.send(bytesOf({ name: newName() }))
        // Waits for the response to the valid message. A server that still responds when the
        // malformed message arrives might not end the stream in the usual way.
        await stream.next(Math.min(maxResponseMs, timeout))
        await wait(Math.min(maxResponseMs, timeout))
        await stream.send(endlessVarint)
        stream.halfClose()
        await stream.drain()
        return stream.exchange
      })
      expect(exchange, labelled('a malformed message after a valid one', refused))
    },
  }),

  check('GRT-GRPC-13', {
    title: 'does not end a stream with OK after a message that only some libraries decode',
    async run({ greet, newName, expect }) {
      const operation = 'send an invalid message'
      await Promise.all(
        Object.entries(decodedBySome).map(async ([label, bytes]) =>
          expect(
            await greet([{ name: newName(), bytes }], { operation }),
            labelled(label, refused),
          ),
        ),
      )
    },
  }),

  check('GRT-GRPC-14', {
    title: 'accepts every valid form of a request',
    async run({
      newRequests,
      blockIfOperationBroken,
      greet,
      expect,
      startCall,
      openChannel,
      methodPath,
      runThroughGate,
      wait,
    }) {
      const path = await methodPath()
      const sendWithPause = ({ length, timeout }: { length?: number; timeout?: string }) =>
        runThroughGate(async () => {
          const metadata = timeout === undefined ? {} : { 'grpc-timeout': timeout }
          const stream = startCall(await openChannel(), { path, metadata })
          const [first, second] = newRequests(2).map(bytesOf)
          const pause = () => wait(pauseMs)
          if (length === undefined) {
            await stream.send(first!)
            await pause()
          } else await stream.sendInTwo(first!, length, pause)
          await stream.send(second!)
          stream.halfClose()
          await stream.drain()
          return stream.exchange
        })
      const streams = [
        ...Object.entries(validMetadata).map(
          ([label, metadata]) => [label, greet(newRequests(2), { metadata })] as const,
        ),
        // A server that reads a wrong unit ends the stream in the pause.
        ...Object.entries(timeouts).map(
          ([label, timeout]) => [label, sendWithPause({ timeout })] as const,
        ),
        // The first part ends within the message, or within its length.
        ...Object.entries(firstParts).map(
          ([label, length]) => [label, sendWithPause({ length })] as const,
        ),
      ]
      const exchanges = await Promise.all(streams.map(([, exchange]) => exchange))
      for (const [index, [label]] of streams.entries())
        expect(await blockIfOperationBroken(exchanges[index]!), labelled(label, isServed))
    },
  }),

  check('GRT-GRPC-07', {
    title: 'accepts gzip-compressed requests, or returns UNIMPLEMENTED',
    async run({ newRequests, greet, blockIfOperationBroken, expect }) {
      const exchange = await greet(newRequests(2), {
        gzip: true,
        metadata: { 'grpc-encoding': 'gzip' },
      })
      expect(
        exchange.end?.grpcStatus === statusOf.UNIMPLEMENTED
          ? exchange
          : await blockIfOperationBroken(exchange),
        answersGzip,
      )
    },
  }),

  check('GRT-GRPC-15', {
    title: 'does not end a stream with OK after requests in an unknown encoding',
    async run({ newRequests, greet, expect }) {
      expect(
        await greet(newRequests(1), { gzip: true, metadata: { 'grpc-encoding': unknownEncoding } }),
        refused,
      )
    },
  }),

  check('GRT-GRPC-16', {
    title: 'sends uncompressed messages to a client that supports no encoding',
    async run({ newRequests, greet, blockIfOperationBroken, expect }) {
      const exchange = await greet(newRequests(2), {
        metadata: { 'grpc-accept-encoding': 'identity' },
      })
      expect(await blockIfOperationBroken(exchange), {
        name: 'is not compressed',
        expected: 'uncompressed messages, because grpc-accept-encoding is identity',
        test: ({ compressedCount }) => compressedCount === 0,
        received: ({ compressedCount, summary }) => `${compressedCount} compressed; ${summary}`,
      })
    },
  }),
]
