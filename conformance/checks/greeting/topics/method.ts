import {
  bidirectionalGreeting as method,
  messages,
  type MessageName,
} from '../../../../generated/greeting/index.ts'
import { Blocked, NotApplicable, type Expectation } from '../../../engine/index.ts'
import type { DescribedMessage, DescribedMethod, GrpcExchange } from '../../../wire/index.ts'
import { statusOf } from '../../../wire/grpc.ts'
import { check, watch } from '../support/define.ts'
import { endsOk, hasResponse } from '../support/expectations.ts'
import { bytesOf, decodeResponses } from '../support/messages.ts'
import type { JudgedService } from '../support/service.ts'

const typeOfString = 9

const inPackage: Expectation<JudgedService> = {
  name: 'is in the package',
  expected: `a service in the package ${method.package}`,
  test: ({ name }) => new RegExp(`^${method.package}\\.[^.]+$`).test(name),
  received: ({ name, source }) => `the service ${name}, according to ${source}`,
}

const streamsBothWays: Expectation<DescribedMethod> = {
  name: 'streams both ways',
  expected: 'a stream of requests and a stream of responses',
  test: ({ requestStream, responseStream }) => requestStream && responseStream,
  received: ({ requestStream, responseStream }) =>
    `${requestStream ? 'a stream of requests' : 'one request'}, ${responseStream ? 'a stream of responses' : 'one response'}`,
}

/**
 * Expects reflection to describe a message with the fields of the contract. Other fields are
 * allowed.
 */
function describesMessage(message: MessageName): Expectation<DescribedMessage | undefined> {
  const fields = messages[message]
  return {
    name: `describes ${message}`,
    expected: fields.map(({ name, number }) => `string ${name} = ${number}`).join('; '),
    test: (described) =>
      fields.every(({ name, number }) =>
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

/** How many requests to send in a call. Every server must accept the smaller number. */
const requestCounts = [3, 5]

const stillOpen = (count: number): Expectation<GrpcExchange> => ({
  name: 'waits for the last request',
  expected: 'a stream that stays open until the client half-closes it',
  test: ({ end, halfClosedAt }) => halfClosedAt !== undefined && end !== undefined,
  received: ({ summary, sentCount }) => `ended after ${sentCount} of ${count} requests: ${summary}`,
})

/** Metadata of the gRPC protocol. */
const protocolMetadata = /^(grpc-.*|content-type|date|server)$/

export const methodChecks = [
  check('GRT-RPC-01', {
    title: `offers ${method.name} in a service of the package ${method.package}`,
    root: undefined,
    async run({ newRequests, greet, findService, expect, expectValue, requireMet }) {
      const exchange = await greet(newRequests(1))
      if (!hasResponse(exchange) && exchange.end?.grpcStatus !== statusOf.UNIMPLEMENTED)
        throw new Blocked('GRT-SERVICE-02', exchange.summary)
      expect(exchange, {
        name: 'has the method',
        expected: `a response from ${method.name}`,
        test: hasResponse,
      })
      expectValue(await findService(), inPackage)
      // A server that responds at every path may lack the method. So GRT-SERVICE-02 (the server
      // responds to ordinary names) must be met too.
      await requireMet('GRT-SERVICE-02')
    },
  }),

  check('GRT-RPC-02', {
    title: 'records the name of the service',
    async run({ findService, observe }) {
      const { name, source } = await findService()
      observe(`the service is ${name} (source: ${source})`)
    },
  }),

  check('GRT-RPC-03', {
    title: 'accepts several requests in one call',
    async run({
      newRequests,
      startCall,
      openChannel,
      runThroughGate,
      methodPath,
      expect,
      blockIfOperationBroken,
    }) {
      const path = await methodPath()
      for (const count of requestCounts) {
        const exchange = await runThroughGate(async () => {
          const stream = startCall(await openChannel(), { path })
          for (const { name } of newRequests(count)) {
            if (!(await stream.send(bytesOf({ name })))) break
            // Waits, because a server that accepts only one request ends the stream after its
            // response.
            await stream.next(100)
          }
          stream.halfClose()
          await stream.drain()
          return stream.exchange
        })
        expect(await blockIfOperationBroken(exchange), stillOpen(count), endsOk)
      }
    },
  }),

  watch('GRT-RPC-04', {
    title: 'responds with Protocol Buffers messages',
    examine: (exchange) => {
      if (
        exchange.operation !== 'greet' ||
        (exchange.receivedCount === 0 && exchange.problems.length === 0)
      )
        return []
      const decoded = decodeResponses(exchange)
      const wrong = decoded.findIndex(({ decodes }) => !decodes)
      // If all responses decode, the problem is in a frame after them.
      const at = wrong === -1 ? exchange.receivedCount : wrong
      const problem =
        wrong === -1
          ? exchange.problems[0]
          : `response ${wrong + 1}: ${exchange.received[wrong]!.bytes.subarray(0, 40).toString('hex')}… is not a message`
      const findingAt = (position: string, held: boolean) => ({
        name: `${position}: is a message`,
        held,
        expected: 'frames that contain Protocol Buffers messages',
        received: held ? 'as expected' : problem!,
      })
      const isBroken = problem !== undefined
      return [
        findingAt('the first response', !isBroken || at > 0),
        ...(at > 0 && (isBroken || exchange.receivedCount > 1)
          ? [findingAt('later responses', !isBroken)]
          : []),
      ]
    },
  }),

  check('GRT-RPC-05', {
    title: 'records how many responses a stream gets',
    async run({ newRequests, sendOrBlock, observe }) {
      for (const count of [1, 3])
        observe(
          `responses to ${count} ${count === 1 ? 'request' : 'requests'}: ${(await sendOrBlock(newRequests(count))).receivedCount}`,
        )
    },
  }),

  check('GRT-RPC-06', {
    title: 'records the response to a stream without a request',
    async run({ greet, observe }) {
      observe(`a stream that the client half-closes at once: ${(await greet([])).summary}`)
    },
  }),

  check('GRT-RPC-07', {
    title: 'records the metadata of a response',
    async run({ newRequests, sendOrBlock, observe }) {
      const { headers, trailers } = await sendOrBlock(newRequests(1))
      const namesIn = (pairs: typeof headers) =>
        [...new Set(pairs.map(([name]) => name))]
          .filter((name) => !protocolMetadata.test(name))
          .join(', ') || 'none'
      observe(
        `metadata that gRPC does not define: ${namesIn(headers)} before the responses, ${namesIn(trailers)} after them`,
      )
    },
  }),

  check('GRT-RPC-08', {
    title: 'returns, through reflection, definitions that agree with the document',
    async run({ readReflection, findService, expectValue }) {
      const [{ name }, found] = [await findService(), await readReflection()]
      const described =
        found.kind === 'described' ? found.methods.find((one) => one.service === name) : undefined
      if (found.kind !== 'described' || described === undefined)
        throw new NotApplicable(`reflection does not describe ${name}`)
      const findMessage = (type: string) => found.messages.find((one) => one.name === type)
      expectValue(described, streamsBothWays)
      expectValue(findMessage(described.input), describesMessage('GreetingRequest'))
      expectValue(findMessage(described.output), describesMessage('GreetingResponse'))
    },
  }),

  check('GRT-VERSION-01', {
    title: `records which services contain ${method.name}`,
    async run({ readReflection, observe }) {
      const found = await readReflection()
      observe(
        found.kind === 'described'
          ? `services that contain ${method.name}: ${found.methods.map(({ service }) => service).join(', ') || 'none'}`
          : 'the server does not support reflection',
      )
    },
  }),
]
