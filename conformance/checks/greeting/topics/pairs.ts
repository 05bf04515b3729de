import { type Expectation, labelled } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check as anyCheck } from '../support/define.ts'
import { bytesOf, decodeResponses } from '../support/messages.ts'
import { findNames } from '../support/names.ts'

const hasResponses = (count: number): Expectation<GrpcExchange> => ({
  name: 'answers in pairs',
  expected: `${count} ${count === 1 ? 'response' : 'responses'}`,
  test: ({ receivedCount }) => receivedCount === count,
})

/** What takes one request of a stream only cannot give its responses in pairs. */
const check: typeof anyCheck = (requirement, options) =>
  anyCheck(requirement, { root: 'GRT-RPC-03', ...options })

/** The places of the requests whose names the responses tell, in the order of the responses. */
const positionsOf = (exchange: GrpcExchange, names: readonly string[]) =>
  decodeResponses(exchange).flatMap(({ message }) =>
    findNames(message)
      .map((name) => names.indexOf(name))
      .filter((place) => place !== -1),
  )

export const pairs = [
  check('GRT-PAIR-01', {
    title: 'gives as many responses as it gets requests',
    async run({ newRequests, expectSuccess }) {
      await Promise.all(
        [1, 2, 12].map((count) =>
          expectSuccess(newRequests(count), {}, labelled(`${count}`, hasResponses(count))),
        ),
      )
    },
  }),

  check('GRT-PAIR-02', {
    title: 'answers in the order of the requests',
    async run({ newRequests, expectSuccess, requireNames }) {
      await requireNames()
      const names = newRequests(12)
      const told = (exchange: GrpcExchange) =>
        positionsOf(
          exchange,
          names.map(({ name }) => name),
        )
      // Whether all of them are told is another row's affair.
      const ordered: Expectation<GrpcExchange> = {
        name: 'keeps the order',
        expected: 'names in the order of their requests',
        test: (exchange) =>
          told(exchange).every(
            (place, index, places) => index === 0 || place >= places[index - 1]!,
          ),
        received: (exchange) =>
          `requests ${told(exchange)
            .map((place) => place + 1)
            .join(', ')}`,
      }
      await expectSuccess(names, {}, ordered)
    },
  }),

  check('GRT-PAIR-03', {
    title: 'answers each request before another one comes',
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
      const way = await methodPath()
      const times: number[] = []
      const { exchange, rounds } = await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path: way, timeout: 6 * timeout })
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
      // Where nothing came at all, that is no question of pairs.
      if (exchange.receivedCount === 0) await blockIfOperationBroken(exchange)
      expect(
        exchange,
        labelled('five by turns', {
          name: 'answers at once',
          expected: 'a response to each request before the next one goes out',
          test: () => rounds === 5,
          received: ({ summary }) =>
            `${rounds} of 5 requests were answered before another one came; ${summary}`,
        }),
      )
      observe(`a request and its response take ${Math.min(...times)} to ${Math.max(...times)} ms`)
    },
  }),
]
