import { containsNames } from '../support/expectations.ts'
import { decodeGreetingRequest } from '../../../../generated/greeting/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { bytesOf, joinGreetings, decodeResponses, type GreetingInput } from '../support/messages.ts'
import { findNames, otherScripts } from '../support/names.ts'

const namesOf = (requests: readonly GreetingInput[]) => requests.map(({ name }) => name)

/** The names in the requests of a stream. */
function requestedNames({ sent }: GrpcExchange): Set<string> {
  return new Set(
    sent.flatMap(({ message }) => {
      try {
        return message === undefined ? [] : findNames(decodeGreetingRequest(message).name)
      } catch {
        return []
      }
    }),
  )
}

export const greetingsChecks = [
  check('GRT-NAME-01', {
    title: 'greets every name of a stream',
    async run({ newRequests, expectSuccess, requireNames }) {
      await requireNames()
      const names = newRequests(12)
      await expectSuccess(names, {}, containsNames(namesOf(names)))
    },
  }),

  check('GRT-NAME-01', {
    title: 'greets every name in a stream of 10,000 requests',
    async run({ streamTenThousand, blockIfOperationBroken, expect, requireNames, waitForStage }) {
      await requireNames()
      await waitForStage('late-writes')
      const { names, exchange } = await streamTenThousand()
      expect(await blockIfOperationBroken(exchange), containsNames(names))
    },
  }),

  check('GRT-NAME-02', {
    title: 'returns non-Latin names unchanged in greetings',
    async run({ expectSuccess, requireNames }) {
      await requireNames()
      // Sends two names on each stream, like `includesNames`. GRT-NAME-01 covers the names that
      // follow on longer streams.
      const pairs = otherScripts.flatMap((name, at) =>
        at % 2 === 0 ? [[name, ...otherScripts.slice(at + 1, at + 2)]] : [],
      )
      await Promise.all(
        pairs.map((names) =>
          expectSuccess(
            names.map((name) => ({ name })),
            { label: names.join(', ') },
            containsNames(names),
          ),
        ),
      )
    },
  }),

  watch('GRT-NAME-03', {
    title: 'puts no name into the field server_timestamp',
    examine: (exchange) => {
      if (exchange.operation !== 'greet' || exchange.receivedCount === 0) return []
      const requested = requestedNames(exchange)
      const violation =
        requested.size === 0
          ? undefined
          : decodeResponses(exchange).find(({ server_timestamp }) =>
              findNames(server_timestamp).some((name) => requested.has(name)),
            )
      const received =
        violation === undefined
          ? 'as expected'
          : `server_timestamp ${JSON.stringify(violation.server_timestamp.slice(0, 160))}`
      return requested.size === 0
        ? []
        : [
            {
              name: 'server_timestamp contains no name',
              held: violation === undefined,
              expected: 'a field server_timestamp that contains no name',
              received,
            },
          ]
    },
  }),

  check('GRT-NAME-04', {
    title: 'keeps the names of fifty concurrent streams apart',
    async run({
      newRequests,
      startCall,
      openChannel,
      runThroughGate,
      methodPath,
      expectValue,
      blockIfOperationBroken,
      requireNames,
      waitForStage,
    }) {
      await requireNames()
      await waitForStage('stable-reads')
      const path = await methodPath()
      const each = Array.from({ length: 50 }, () => newRequests(3))
      const exchanges = await runThroughGate(async () => {
        const connection = await openChannel()
        const streams = each.map(() => startCall(connection, { path }))
        const ends = streams.map((stream) => stream.drain())
        // Sends on the streams in turn, so that all of them are open at the same time.
        for (const turn of [0, 1, 2])
          for (const [index, stream] of streams.entries())
            await stream.send(bytesOf(each[index]![turn]!))
        for (const stream of streams) stream.halfClose()
        await Promise.all(ends)
        return streams.map(({ exchange }) => exchange)
      })
      for (const exchange of exchanges) await blockIfOperationBroken(exchange)
      const owner = new Map(
        each.flatMap((names, index) => names.map(({ name }) => [name, index] as const)),
      )
      const strays = exchanges.flatMap((exchange, index) =>
        findNames(joinGreetings(exchange))
          .filter((name) => (owner.get(name) ?? index) !== index)
          .map((name) => `${name} of stream ${owner.get(name)} was received on stream ${index}`),
      )
      expectValue(strays, {
        name: 'keeps streams apart',
        expected: 'greetings that contain only names of their own stream',
        test: ({ length }) => length === 0,
        received: (list) => list.slice(0, 3).join('; '),
      })
    },
  }),
]
