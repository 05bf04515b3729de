import { labelled, type Expectation } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { encodeFieldsOfMessage } from '../../../wire/grpc.ts'
import { check } from '../support/define.ts'
import { unknownFields, withPaddedLength } from '../support/encodings.ts'
import { containsNames, hasResponse } from '../support/expectations.ts'
import { joinGreetings, newId } from '../support/messages.ts'
import type { GreetingWorld } from '../support/world.ts'

/** Expects greetings to contain this name. Expects nothing if the server does not return names. */
const newNameExpectations = async ({ includesNames }: GreetingWorld, name: string) =>
  (await includesNames()) ? [containsNames([name])] : []

/** Expects the status of another stream, and a response if and only if that stream has one. */
const hasResultOf = (other: GrpcExchange): Expectation<GrpcExchange> => ({
  name: 'has the result of an absent field',
  expected: `the same result as for a request without the field: ${other.summary}`,
  test: (exchange) =>
    exchange.end?.grpcStatus === other.end?.grpcStatus &&
    hasResponse(exchange) === hasResponse(other),
})

/** An unknown field that follows the known fields. The other unknown fields precede them. */
const atTheEnd = ['a field after the known ones', unknownFields['a varint']!] as const

export const requestsChecks = [
  check('GRT-REQUEST-01', {
    title: 'reads the name from field 1 in any order of the fields',
    async run(world) {
      const name = world.newName()
      // Fields are identified by their number; their order has no meaning.
      const bytes = encodeFieldsOfMessage([
        [2, 'the-identifier-first'],
        [1, name],
      ])
      await world.expectSuccess([{ name, bytes }], {}, ...(await newNameExpectations(world, name)))
    },
  }),

  check('GRT-REQUEST-02', {
    title: 'accepts identifiers of many forms in field 2',
    async run({ newName, expectSuccess }) {
      const ids = {
        'a short identifier': '1',
        'a usual identifier': 'req-0001',
        'a UUID': '3f0b8a1c-5d3e-4c5e-9d0a-6a8f1d2b7c44',
        'an identifier with dots': 'client.7/stream:2',
        'a long identifier': 'r'.repeat(120),
        'a non-ASCII identifier': 'anfrage-ä-№7-日本',
      }
      await Promise.all(
        Object.entries(ids).map(([label, id]) =>
          expectSuccess([{ name: newName(), id }], { label }),
        ),
      )
    },
  }),

  check('GRT-REQUEST-03', {
    title: 'records whether responses contain identifiers',
    async run({ newName, sendOrBlock, observe }) {
      const ids = [`id-${newName()}`, `id-${newName()}`]
      const exchange = await sendOrBlock(ids.map((id) => ({ name: newName(), id })))
      const included = ids.filter((id) => exchange.received.some(({ bytes }) => bytes.includes(id)))
      observe(
        `the responses contain ${included.length === 0 ? 'no identifier' : included.length === ids.length ? 'the identifiers of their requests' : 'some identifiers'}`,
      )
    },
  }),

  check('GRT-REQUEST-04', {
    title: 'records the response to a request without a name',
    async run({ greet, observe }) {
      observe(`a request without a name: ${(await greet([{ name: '' }])).summary}`)
      observe(`a request whose name is a space: ${(await greet([{ name: ' ' }])).summary}`)
    },
  }),

  check('GRT-REQUEST-05', {
    title: 'records the response to a repeated identifier',
    async run({ newName, greet, observe }) {
      const requests = [1, 2, 3].map(() => ({ name: newName(), id: 'the-same' }))
      observe(`three requests with the same identifier: ${(await greet(requests)).summary}`)
    },
  }),

  check('GRT-REQUEST-06', {
    title: 'records the response to a request without an identifier',
    async run({ newName, greet, observe }) {
      observe(
        `a request without an identifier: ${(await greet([{ name: newName(), id: null }])).summary}`,
      )
    },
  }),

  check('GRT-REQUEST-07', {
    title: 'ignores unknown fields of requests',
    async run(world) {
      const { newName, expectSuccess } = world
      await Promise.all(
        [...Object.entries(unknownFields), atTheEnd].map(async ([label, unknown]) => {
          const name = newName()
          const known = encodeFieldsOfMessage([
            [1, name],
            [2, newId()],
          ])
          const bytes = Buffer.concat(label === atTheEnd[0] ? [known, unknown] : [unknown, known])
          await expectSuccess(
            [{ name, bytes }],
            { label },
            ...(await newNameExpectations(world, name)),
          )
        }),
      )
    },
  }),

  check('GRT-REQUEST-08', {
    title: 'uses the last name of a request that contains two names',
    async run(world) {
      const [first, last] = [world.newName(), world.newName()]
      const bytes = encodeFieldsOfMessage([
        [1, first],
        [2, newId()],
        [1, last],
      ])
      await world.expectSuccess(
        [{ name: last, bytes }],
        {},
        {
          name: 'does not greet the first name',
          expected: `greetings that do not contain ${first}`,
          test: (exchange) => !joinGreetings(exchange).includes(first),
        },
        ...(await newNameExpectations(world, last)),
      )
    },
  }),

  check('GRT-REQUEST-09', {
    title: 'accepts other valid encodings of requests',
    async run(world) {
      const { newName, expectSuccess, greet, expect } = world
      const name = newName()
      await expectSuccess(
        [{ name, bytes: withPaddedLength(name, newId()) }],
        { label: 'a length with an additional byte' },
        ...(await newNameExpectations(world, name)),
      )
      // The document leaves open how requests without a name or identifier are handled. So a server
      // violates the requirement only if an empty field and an absent one have different results.
      const explicit = [
        {
          label: 'an empty identifier',
          absent: { name: newName(), id: null },
          empty: encodeFieldsOfMessage([
            [1, newName()],
            [2, ''],
          ]),
        },
        {
          label: 'an empty name',
          absent: { name: '', id: newId() },
          empty: encodeFieldsOfMessage([
            [1, ''],
            [2, newId()],
          ]),
        },
      ]
      for (const { label, absent, empty } of explicit) {
        const without = await greet([absent])
        expect(await greet([{ ...absent, bytes: empty }]), labelled(label, hasResultOf(without)))
      }
    },
  }),

  check('GRT-REQUEST-10', {
    title: 'responds to a request whose identifier another stream has used',
    async run(world) {
      const { newName, sendOrBlock, expectSuccess } = world
      const [id, name] = [newId(), newName()]
      await sendOrBlock([{ name: newName(), id }])
      await expectSuccess([{ name, id }], {}, ...(await newNameExpectations(world, name)))
    },
  }),
]
