import { labelled, type Expectation } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import {
  containsIgnoringCase,
  containsNames,
  isEndedByServer,
  isOk,
} from '../support/expectations.ts'
import { findStrays, sentNames } from '../support/issued-names.ts'
import { bytesOf, decodeResponses, type GreetingInput } from '../support/messages.ts'
import { requireNotCrowded } from '../support/stream.ts'
import { findNames, otherScripts } from '../support/names.ts'

const namesOf = (requests: readonly GreetingInput[]) => requests.map(({ name }) => name)

/** Names that a server may wrongly change, and the parts that greetings must contain. */
interface UnusualNames {
  names: string[]
  parts?: string[]
}

/** Makes a name of this many letters, in which no part is repeated. */
const longName = (newName: () => string, length: number) => {
  let name = ''
  while (name.length < length) name += newName()
  return name.slice(0, length)
}

/**
 * Kinds of names that servers cut or change. If a name contains a control character, greetings must
 * contain the parts before and after it. A server may remove the character, but not the text after
 * it. `extra` is a random number, so that lengths and digits differ between runs.
 */
const unusualNames: Record<string, (newName: () => string, extra: number) => UnusualNames> = {
  'a name of sixty letters': (newName) => ({ names: [longName(newName, 60)] }),
  'a name of hundreds of letters': (newName, extra) => ({
    names: [longName(newName, 300 + extra)],
  }),
  'a name of 30,000 letters': (newName, extra) => ({ names: [longName(newName, 30_000 + extra)] }),
  'a name of 70,000 letters': (newName, extra) => ({ names: [longName(newName, 70_000 + extra)] }),
  'a name of digits': (_newName, extra) => ({ names: [`00${extra + 1}`] }),
  'names that are words of programming languages': () => ({
    names: ['null', 'None', 'undefined', 'true', 'NaN'],
  }),
  'a line break in a name': (newName) => withSeparator(newName, '\n'),
  'a null character in a name': (newName) => withSeparator(newName, '\0'),
  'characters of markup in a name': (newName) => ({ names: [`${newName()} & <${newName()}>`] }),
  'quotation marks and a backslash in a name': (newName) => ({
    names: [`"${newName()}" 'O${newName()}' \\${newName()}`],
  }),
  'percent signs and braces in a name': (newName) => ({
    names: [`${newName()}%41 %s {0} \${${newName()}}`],
  }),
  // Without other percent signs, which decoders of URLs refuse.
  'percent escapes in a name': (newName) => ({ names: [`${newName()}%20${newName()}%41`] }),
  'plus signs in a name': (newName) => ({ names: [`${newName()}+${newName()}`] }),
  'escape sequences in a name': (newName) => ({ names: [`${newName()}\\n\\u0041${newName()}`] }),
  'HTML entities in a name': (newName) => ({ names: [`${newName()} &amp; ${newName()} &#65;`] }),
  'dollar signs in a name': (newName) => ({ names: [`${newName()} $& $$ $1 ${newName()}`] }),
}

function withSeparator(newName: () => string, separator: string): UnusualNames {
  const parts = [newName(), newName()]
  return { names: [parts.join(separator)], parts }
}

/** Expects unusual names unchanged, unless the server refuses them. */
function keepsOrRefuses({ names, parts = names }: UnusualNames): Expectation<GrpcExchange> {
  const kept = containsIgnoringCase(parts)
  return {
    ...kept,
    name: 'returns the name, or refuses it',
    expected: `${kept.expected}, or a status other than OK`,
    test: (exchange) => (isEndedByServer(exchange) && !isOk(exchange)) || kept.test(exchange),
  }
}

export const greetingsChecks = [
  check('GRT-NAME-01', {
    title: 'greets every name of a stream',
    door: 'a short stream',
    async run({ newRequests, greet, expectEveryName, requireNames }) {
      await requireNames()
      const names = newRequests(12)
      await expectEveryName(await greet(names), namesOf(names))
    },
  }),

  check('GRT-NAME-01', {
    title: 'greets every name in a stream of 10,000 requests',
    door: 'a long stream',
    async run({ streamTenThousand, expectEveryName, requireNames, waitForStage }) {
      await requireNames()
      await waitForStage('late-writes')
      const { names, exchange } = await streamTenThousand()
      await expectEveryName(exchange, names)
    },
  }),

  check('GRT-NAME-02', {
    title: 'returns non-ASCII names unchanged in greetings',
    async run({ expectSuccess, requireNames }) {
      await requireNames()
      // Sends only two names on each stream, like `includesNames`. GRT-NAME-01 covers later names
      // on longer streams.
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
      const requested = sentNames(exchange)
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
    title: 'does not mix up the names of fifty concurrent streams',
    door: 'concurrent streams',
    async run({
      newRequests,
      startCall,
      greet,
      openChannel,
      runThroughGate,
      methodPath,
      expectValue,
      blockIfOperationBroken,
      waitForStage,
    }) {
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
        const cancelled = startCall(connection, { path })
        await cancelled.send(bytesOf(newRequests(1)[0]!))
        cancelled.cancel()
        return streams.map(({ exchange }) => exchange)
      })
      requireNotCrowded(exchanges)
      for (const exchange of exchanges) await blockIfOperationBroken(exchange)
      // This request has no name, so a name in its greeting comes from another stream, such as the
      // cancelled one.
      exchanges.push(await greet([{ name: '' }]))
      const strays = exchanges.flatMap((exchange, index) =>
        findStrays(exchange).map(
          (name) =>
            `${name} of stream ${each.findIndex((names) => namesOf(names).includes(name))} was received on stream ${index}`,
        ),
      )
      expectValue(strays, {
        name: 'contains only names of its own stream',
        expected: 'greetings that contain only names of their own stream',
        test: ({ length }) => length === 0,
        received: (list) => list.slice(0, 3).join('; '),
      })
    },
  }),

  watch('GRT-NAME-04', {
    title: 'never returns names from the requests of other streams',
    door: 'all streams of the run',
    examine: (exchange) => {
      if (exchange.receivedCount === 0) return []
      const strays = findStrays(exchange)
      return [
        {
          name: 'contains only names of its own stream',
          held: strays.length === 0,
          expected: 'greetings that contain only names of their own stream',
          received: strays.length === 0 ? 'as expected' : strays.slice(0, 3).join(', '),
        },
      ]
    },
  }),

  check('GRT-NAME-05', {
    title: 'returns unusual names unchanged in greetings, or refuses them',
    async run({ newName, greet, expect, randomInt, requireNames }) {
      await requireNames()
      await Promise.all(
        Object.entries(unusualNames).map(async ([label, make]) => {
          const unusual = make(newName, randomInt(0, 100))
          const exchange = await greet(unusual.names.map((name) => ({ name })))
          expect(exchange, labelled(label, keepsOrRefuses(unusual)))
        }),
      )
    },
  }),

  check('GRT-NAME-06', {
    title: 'greets with the names of the requests',
    async run({ newRequests, greet, blockIfOperationBroken, expect }) {
      const names = newRequests(3)
      expect(await blockIfOperationBroken(await greet(names)), containsIgnoringCase(namesOf(names)))
    },
  }),
]
