import { tells } from '../support/expectations.ts'
import { decodeGreetingRequest } from '../../../../generated/greeting/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { bytesOf, greetingsOf, responsesOf, type GreetingInput } from '../support/messages.ts'
import { namesIn, otherScripts } from '../support/names.ts'

const all = (asked: readonly GreetingInput[]) => asked.map(({ name }) => name)

/** Names that stand in the requests of a stream. */
function askedOn({ sent }: GrpcExchange): Set<string> {
  return new Set(
    sent.flatMap(({ message }) => {
      try {
        return message === undefined ? [] : namesIn(decodeGreetingRequest(message).name)
      } catch {
        return []
      }
    }),
  )
}

export const telling = [
  check('GRT-NAME-01', {
    title: 'tells every name of a stream',
    async run({ asked, succeeds, telling }) {
      await telling()
      const names = asked(12)
      await succeeds(names, {}, tells(all(names)))
    },
  }),

  check('GRT-NAME-01', {
    title: 'tells every name of a stream of ten thousand',
    async run({ tenThousand, blockIfOperationBroken, expect, telling, waitForStage: turn }) {
      await telling()
      await turn('late-writes')
      const { names, exchange } = await tenThousand()
      expect(await blockIfOperationBroken(exchange), tells(names))
    },
  }),

  check('GRT-NAME-02', {
    title: 'tells names in other scripts as they came',
    async run({ succeeds, telling }) {
      await telling()
      // As few on a stream as were told for certain: that later ones are told too is another row's affair.
      const pairs = otherScripts.flatMap((name, at) =>
        at % 2 === 0 ? [[name, ...otherScripts.slice(at + 1, at + 2)]] : [],
      )
      await Promise.all(
        pairs.map((names) =>
          succeeds(
            names.map((name) => ({ name })),
            { label: names.join(', ') },
            tells(names),
          ),
        ),
      )
    },
  }),

  watch('GRT-NAME-03', {
    title: 'never tells a name in server_timestamp',
    examine: (exchange) => {
      if (exchange.operation !== 'greet' || exchange.receivedCount === 0) return []
      const asked = askedOn(exchange)
      const wrong =
        asked.size === 0
          ? undefined
          : responsesOf(exchange).find(({ server_timestamp }) =>
              namesIn(server_timestamp).some((name) => asked.has(name)),
            )
      const received =
        wrong === undefined
          ? 'as expected'
          : `server_timestamp ${JSON.stringify(wrong.server_timestamp.slice(0, 160))}`
      return asked.size === 0
        ? []
        : [
            {
              name: 'server_timestamp tells no name',
              held: wrong === undefined,
              expected: 'a server_timestamp in which no name stands',
              received,
            },
          ]
    },
  }),

  check('GRT-NAME-04', {
    title: 'keeps the names of fifty concurrent streams apart',
    async run({
      asked,
      begin,
      channel,
      runThroughGate,
      path,
      expectOf,
      blockIfOperationBroken,
      telling,
      waitForStage: turn,
    }) {
      await telling()
      await turn('stable-reads')
      const way = await path()
      const each = Array.from({ length: 50 }, () => asked(3))
      const exchanges = await runThroughGate(async () => {
        const connection = await channel()
        const streams = each.map(() => begin(connection, { path: way }))
        const ends = streams.map((stream) => stream.drain())
        // By turns, so that all of them are under way together.
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
        namesIn(greetingsOf(exchange))
          .filter((name) => (owner.get(name) ?? index) !== index)
          .map(
            (name) =>
              `${name} was asked for on stream ${owner.get(name)}, and told on stream ${index}`,
          ),
      )
      expectOf(strays, {
        name: 'keeps streams apart',
        expected: 'greetings that tell the names of their own stream only',
        test: ({ length }) => length === 0,
        received: (list) => list.slice(0, 3).join('; '),
      })
    },
  }),
]
