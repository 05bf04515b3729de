import { NotCovered, type Expectation, labelled } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check as greetingCheck } from '../support/define.ts'
import { bytesOf, decodeResponses } from '../support/messages.ts'
import { isEndedByServer, isOk } from '../support/expectations.ts'
import { findNames } from '../support/names.ts'
import { newLimitReached, requireJudgeable } from '../support/stream.ts'

const hasResponses = (count: number): Expectation<GrpcExchange> => ({
  name: 'has one response per request',
  expected: `${count} ${count === 1 ? 'response' : 'responses'}`,
  test: ({ receivedCount }) => receivedCount === count,
})

/** Defines a check that GRT-RPC-03 blocks if the server accepts only one request per stream. */
const check: typeof greetingCheck = (requirement, options) =>
  greetingCheck(requirement, { root: 'GRT-RPC-03', ...options })

/** For each response, the positions of the requests whose names it contains. */
const positionsOf = (exchange: GrpcExchange, names: readonly string[]): number[][] =>
  decodeResponses(exchange).map(({ message }) =>
    findNames(message)
      .map((name) => names.indexOf(name))
      .filter((position) => position !== -1),
  )

/**
 * Expects each response to contain the name of the request at the same position, or no name. If the
 * numbers of responses and requests differ, which GRT-PAIR-01 reports, judges only the order of the
 * names.
 */
function inOrder(names: readonly string[]): Expectation<GrpcExchange> {
  const isOrdered = (positions: readonly number[]) =>
    positions.every((position, index) => index === 0 || position >= positions[index - 1]!)
  return {
    name: 'keeps the order',
    expected: 'greetings in the order of the requests',
    test: (exchange) => {
      const positions = positionsOf(exchange, names)
      return positions.length === names.length
        ? positions.every((found, index) => found.length === 0 || found.includes(index))
        : isOrdered(positions.flat())
    },
    received: (exchange) =>
      `greetings of the requests ${positionsOf(exchange, names)
        .flat()
        .map((position) => position + 1)
        .join(', ')}`,
  }
}

/** The number of requests on a stream on which the client waits for each response. */
const rounds = 16
/** The length of a long name that most servers accept. */
const longNameLength = 3000

export const pairsChecks = [
  check('GRT-PAIR-01', {
    title: 'sends as many responses as it receives requests',
    door: 'ordinary names',
    async run({ newRequests, expectSuccess }) {
      await Promise.all(
        [1, 2, 12].map((count) =>
          expectSuccess(
            newRequests(count),
            {},
            labelled(count === 1 ? 'one request' : `${count} requests`, hasResponses(count)),
          ),
        ),
      )
    },
  }),

  check('GRT-PAIR-01', {
    title: 'sends one response to a request with a long name',
    door: 'a long name',
    async run({ newName, greet, blockIfOperationBroken, expect }) {
      const names = [newName().padEnd(longNameLength, 'a'), newName()]
      const exchange = await greet(names.map((name) => ({ name })))
      // A server may limit the length of names.
      if (isEndedByServer(exchange) && !isOk(exchange))
        throw new NotCovered(`the server refuses a long name: ${exchange.summary}`)
      expect(await blockIfOperationBroken(exchange), hasResponses(names.length))
    },
  }),

  check('GRT-PAIR-02', {
    title: 'greets in the order of the requests',
    async run({ newRequests, expectSuccess }) {
      const names = newRequests(12)
      await expectSuccess(names, {}, inOrder(names.map(({ name }) => name)))
    },
  }),

  check('GRT-PAIR-03', {
    title: 'responds to each request before it receives the next one',
    async run({
      newRequests,
      target,
      startCall,
      openChannel,
      clock,
      runThroughGate,
      methodPath,
      expect,
      observe,
      blockIfOperationBroken,
      timeout,
    }) {
      const path = await methodPath()
      const times: number[] = []
      const { exchange, count } = await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path, timeout: 6 * timeout })
        let count = 0
        for (const request of newRequests(rounds)) {
          const sentAt = clock.now()
          await stream.send(bytesOf(request))
          const message = await stream.next(timeout)
          if (message === undefined) break
          count += 1
          times.push(Math.round(message.at - sentAt))
        }
        stream.halfClose()
        await stream.drain()
        return { exchange: stream.exchange, count }
      })
      // If no response arrives because every stream fails, the check is blocked.
      if (exchange.receivedCount === 0) await blockIfOperationBroken(exchange)
      requireJudgeable(exchange, target)
      if (exchange.halfClosedAt === undefined && isOk(exchange)) throw newLimitReached(exchange)
      expect(
        exchange,
        labelled('requests in turn', {
          name: 'responds before the next request',
          expected: 'a response to each request before the next one is sent',
          test: () => count === rounds,
          received: ({ summary }) =>
            `${count} of ${rounds} responses arrived before the next request; ${summary}`,
        }),
      )
      observe(
        `time from a request to its response: ${Math.min(...times)} to ${Math.max(...times)} ms`,
      )
    },
  }),
]
