import { type Expectation, labelled } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check as greetingCheck } from '../support/define.ts'
import { bytesOf, decodeResponses } from '../support/messages.ts'
import { findNames } from '../support/names.ts'

const hasResponses = (count: number): Expectation<GrpcExchange> => ({
  name: 'has one response per request',
  expected: `${count} ${count === 1 ? 'response' : 'responses'}`,
  test: ({ receivedCount }) => receivedCount === count,
})

/** A server that accepts only one request per stream is covered by GRT-RPC-03. */
const check: typeof greetingCheck = (requirement, options) =>
  greetingCheck(requirement, { root: 'GRT-RPC-03', ...options })

/**
 * The positions of the requests whose names the responses contain, in the order of the responses.
 */
const positionsOf = (exchange: GrpcExchange, names: readonly string[]) =>
  decodeResponses(exchange).flatMap(({ message }) =>
    findNames(message)
      .map((name) => names.indexOf(name))
      .filter((position) => position !== -1),
  )

export const pairsChecks = [
  check('GRT-PAIR-01', {
    title: 'sends as many responses as it receives requests',
    async run({ newRequests, expectSuccess }) {
      await Promise.all(
        [1, 2, 12].map((count) =>
          expectSuccess(newRequests(count), {}, labelled(`${count}`, hasResponses(count))),
        ),
      )
    },
  }),

  check('GRT-PAIR-02', {
    title: 'greets in the order of the requests',
    async run({ newRequests, expectSuccess, requireNames }) {
      await requireNames()
      const names = newRequests(12)
      const order = (exchange: GrpcExchange) =>
        positionsOf(
          exchange,
          names.map(({ name }) => name),
        )
      // Whether all names are included is covered by GRT-NAME-01.
      const ordered: Expectation<GrpcExchange> = {
        name: 'keeps the order',
        expected: 'greetings in the order of the requests',
        test: (exchange) =>
          order(exchange).every(
            (position, index, positions) => index === 0 || position >= positions[index - 1]!,
          ),
        received: (exchange) =>
          `greetings of the requests ${order(exchange)
            .map((position) => position + 1)
            .join(', ')}`,
      }
      await expectSuccess(names, {}, ordered)
    },
  }),

  check('GRT-PAIR-03', {
    title: 'responds to each request before it receives the next one',
    async run({
      newRequests,
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
      const { exchange, rounds } = await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path, timeout: 6 * timeout })
        let rounds = 0
        for (const request of newRequests(5)) {
          const sentAt = clock.now()
          await stream.send(bytesOf(request))
          const message = await stream.next(timeout)
          if (message === undefined) break
          rounds += 1
          times.push(Math.round(message.at - sentAt))
        }
        stream.halfClose()
        await stream.drain()
        return { exchange: stream.exchange, rounds }
      })
      // If there is no response, possibly all streams fail.
      if (exchange.receivedCount === 0) await blockIfOperationBroken(exchange)
      expect(
        exchange,
        labelled('five requests', {
          name: 'responds at once',
          expected: 'a response to each request before the next one is sent',
          test: () => rounds === 5,
          received: ({ summary }) =>
            `${rounds} of 5 responses arrived before the next request; ${summary}`,
        }),
      )
      observe(
        `time from a request to its response: ${Math.min(...times)} to ${Math.max(...times)} ms`,
      )
    },
  }),
]
