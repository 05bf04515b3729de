import {
  bidirectionalGreeting as method,
  messages,
  type MessageName,
} from '../../../../generated/greeting/index.ts'
import { Blocked, NotApplicable, type Expectation } from '../../../engine/index.ts'
import type { DescribedMessage, DescribedMethod, GrpcExchange } from '../../../wire/index.ts'
import { statusOf } from '../../../wire/grpc.ts'
import { check, watch } from '../support/define.ts'
import { endsOk, isAnswered } from '../support/expectations.ts'
import { bytesOf, decodeResponses } from '../support/messages.ts'
import type { JudgedService } from '../support/service.ts'

const typeOfString = 9

const inPackage: Expectation<JudgedService> = {
  name: 'stands in the package',
  expected: `a service in the package ${method.package}`,
  test: ({ name }) => new RegExp(`^${method.package}\\.[^.]+$`).test(name),
  received: ({ name, source }) => `${name}, by ${source}`,
}

const streamsBothWays: Expectation<DescribedMethod> = {
  name: 'streams both ways',
  expected: 'a stream of requests and a stream of responses',
  test: ({ requestStream, responseStream }) => requestStream && responseStream,
  received: ({ requestStream, responseStream }) =>
    `${requestStream ? 'a stream of requests' : 'one request'}, ${responseStream ? 'a stream of responses' : 'one response'}`,
}

/** That a message is described with the fields of the contract; it may have more of them. */
function describesMessage(message: MessageName): Expectation<DescribedMessage | undefined> {
  const wanted = messages[message]
  return {
    name: `describes ${message}`,
    expected: wanted.map(({ name, number }) => `string ${name} = ${number}`).join('; '),
    test: (described) =>
      wanted.every(({ name, number }) =>
        described?.fields.some(
          (field) =>
            field.name === name &&
            field.number === number &&
            field.type === typeOfString &&
            !field.repeated,
        ),
      ),
    received: (described) =>
      described === undefined
        ? 'no such message'
        : `${described.name}: ${described.fields.map(({ name, number, type, repeated }) => `${repeated ? 'repeated ' : ''}${type === typeOfString ? 'string' : `type ${type}`} ${name} = ${number}`).join('; ')}`,
  }
}

const stillOpen: Expectation<GrpcExchange> = {
  name: 'waits for the last request',
  expected: 'a stream that is open until the client half-closes',
  test: ({ end, halfClosedAt }) => halfClosedAt !== undefined && end !== undefined,
  received: ({ summary, sentCount }) => `ended after ${sentCount} of 5 requests: ${summary}`,
}

/** Metadata that gRPC writes itself. */
const protocolMetadata = /^(grpc-.*|content-type|date|server)$/

export const rpc = [
  check('GRT-RPC-01', {
    title: 'has the method in a service of the package',
    root: undefined,
    async run({ newRequests, greet, findService, expect, expectOf, requireMet }) {
      const exchange = await greet(newRequests(1))
      if (!isAnswered(exchange) && exchange.end?.grpcStatus !== statusOf.UNIMPLEMENTED)
        throw new Blocked('GRT-SERVICE-02', exchange.summary)
      expect(exchange, {
        name: 'has the method',
        expected: `an answer from ${method.name}`,
        test: isAnswered,
      })
      expectOf(await findService(), inPackage)
      // What sends something back, whatever comes, may have no methods at all.
      await requireMet('GRT-SERVICE-02')
    },
  }),

  check('GRT-RPC-02', {
    title: 'calls its service in its own way',
    async run({ findService, observe }) {
      const { name, source } = await findService()
      observe(`the service: ${name}, by ${source}`)
    },
  }),

  check('GRT-RPC-03', {
    title: 'takes several requests in one call',
    async run({
      newRequests,
      startCall,
      openChannel,
      runThroughGate,
      methodPath,
      expect,
      blockIfOperationBroken,
    }) {
      const way = await methodPath()
      const exchange = await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path: way })
        for (const { name } of newRequests(5)) {
          if (!(await stream.send(bytesOf({ name })))) break
          // Whoever takes one request only ends the stream when it has answered that.
          await stream.next(100)
        }
        stream.halfClose()
        await stream.drain()
        return stream.exchange
      })
      expect(await blockIfOperationBroken(exchange), stillOpen, endsOk)
    },
  }),

  watch('GRT-RPC-04', {
    title: 'answers with messages of Protocol Buffers',
    examine: (exchange) => {
      if (
        exchange.operation !== 'greet' ||
        (exchange.receivedCount === 0 && exchange.problems.length === 0)
      )
        return []
      const wrong = decodeResponses(exchange).findIndex(({ decodes }) => !decodes)
      const problem =
        exchange.problems[0] ??
        (wrong === -1
          ? undefined
          : `response ${wrong + 1}: ${exchange.received[wrong]!.bytes.subarray(0, 40).toString('hex')}…, which is no message`)
      return [
        {
          name: 'is a message',
          held: problem === undefined,
          expected: 'frames with messages of Protocol Buffers in them',
          received: problem ?? 'as expected',
        },
      ]
    },
  }),

  check('GRT-RPC-05', {
    title: 'answers as often as it likes',
    async run({ newRequests, sendOrBlock, observe }) {
      for (const count of [1, 3])
        observe(
          `a stream of ${count} ${count === 1 ? 'request' : 'requests'} gets ${(await sendOrBlock(newRequests(count))).receivedCount} responses`,
        )
    },
  }),

  check('GRT-RPC-06', {
    title: 'meets a stream without a request',
    async run({ greet, observe }) {
      observe(`a stream that is half-closed at once: ${(await greet([])).summary}`)
    },
  }),

  check('GRT-RPC-07', {
    title: 'sends metadata, or none',
    async run({ newRequests, sendOrBlock, observe }) {
      const { headers, trailers } = await sendOrBlock(newRequests(1))
      const names = (pairs: typeof headers) =>
        [...new Set(pairs.map(([name]) => name))]
          .filter((name) => !protocolMetadata.test(name))
          .join(', ') || 'none'
      observe(`metadata before the responses: ${names(headers)}; after them: ${names(trailers)}`)
    },
  }),

  check('GRT-RPC-08', {
    title: 'is described by reflection as it is',
    async run({ readReflection, findService, expectOf }) {
      const [{ name }, found] = [await findService(), await readReflection()]
      const described =
        found.kind === 'described' ? found.methods.find((one) => one.service === name) : undefined
      if (found.kind !== 'described' || described === undefined)
        throw new NotApplicable(`reflection does not describe ${name}`)
      const message = (type: string) => found.messages.find((one) => one.name === type)
      expectOf(described, streamsBothWays)
      expectOf(message(described.input), describesMessage('GreetingRequest'))
      expectOf(message(described.output), describesMessage('GreetingResponse'))
    },
  }),

  check('GRT-VERSION-01', {
    title: 'tells versions apart in its own way',
    async run({ readReflection, observe }) {
      const found = await readReflection()
      observe(
        found.kind === 'described'
          ? `services with the method: ${found.methods.map(({ service }) => service).join(', ') || 'none is described'}`
          : 'there is no reflection to tell',
      )
    },
  }),
]
