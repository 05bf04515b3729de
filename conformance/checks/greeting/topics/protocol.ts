import { bidirectionalGreeting as method } from '../../../../generated/greeting/index.ts'
import { Blocked, type Expectation, labelled } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { statusName, statusOf } from '../../../wire/grpc.ts'
import { check, watch } from '../support/define.ts'
import { endsOk, hasResponse, isOk, isEndedByServer } from '../support/expectations.ts'
import { bytesOf } from '../support/messages.ts'

/** Bytes that cannot be decoded as a Protocol Buffers message of any type. */
const unreadable = {
  'a field that is longer than the message': Buffer.from([0x0a, 0x64, 0x41, 0x64, 0x61]),
  'an unknown wire type': Buffer.from([0x0f, 0x01]),
  'an endless varint': Buffer.from([
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
  ]),
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
      const { operation, httpStatus } = exchange
      if (operation !== 'greet' || httpStatus === undefined) return []
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
    title: 'ends a stream without requests',
    door: 'a stream without requests',
    async run({ greet, expect }) {
      expect(await greet([]), {
        name: 'ends an empty stream',
        expected: 'a grpc-status or a reset from the server',
        test: isEndedByServer,
      })
    },
  }),

  check('GRT-GRPC-03', {
    title: 'ends a stream with OK after the client has half-closed it',
    // Does not have the usual root, GRT-SERVICE-02: if a stream with responses fails before it ends
    // with a status, this requirement blocks GRT-SERVICE-02.
    root: undefined,
    async run({ newRequests, greet, expect, requireMet }) {
      // Sends only one request: a server that refuses a second one violates GRT-RPC-03 instead.
      const exchange = await greet(newRequests(1))
      const { end, summary } = exchange
      if (!hasResponse(exchange)) throw new Blocked('GRT-SERVICE-02', summary)
      if (end?.grpcStatus === undefined && end?.failure === undefined)
        throw new Blocked('GRT-GRPC-02', summary)
      expect(exchange, endsOk)
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
      const expectRefused = async (label: string, bytes: Uint8Array) =>
        expect(await greet([{ name: newName(), bytes }], { operation }), labelled(label, refused))
      await Promise.all(
        Object.entries(unreadable).map(([label, bytes]) => expectRefused(label, bytes)),
      )

      const path = await methodPath()
      const exchange = await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path, operation })
        await stream.send(bytesOf({ name: newName() }))
        // Waits for the response to the valid message. A server that still responds when the
        // malformed message arrives might not end the stream in the usual way.
        await stream.next(Math.min(maxResponseMs, timeout))
        await wait(Math.min(maxResponseMs, timeout))
        await stream.send(unreadable['a field that is longer than the message'])
        stream.halfClose()
        await stream.drain()
        return stream.exchange
      })
      expect(exchange, labelled('a malformed message after a valid one', refused))
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
]
