import { encodeFieldsOfMessage } from '../../../wire/grpc.ts'
import { check } from '../support/define.ts'
import { containsNames } from '../support/expectations.ts'

export const requestsChecks = [
  check('GRT-REQUEST-01', {
    title: 'reads the name from field 1, regardless of the order of the fields',
    async run({ newName, expectSuccess, includesNames }) {
      const name = newName()
      // Fields are identified by their number; their order has no meaning.
      const bytes = encodeFieldsOfMessage([
        [2, 'the-identifier-first'],
        [1, name],
      ])
      await expectSuccess(
        [{ name, bytes }],
        {},
        ...((await includesNames()) ? [containsNames([name])] : []),
      )
    },
  }),

  check('GRT-REQUEST-02', {
    title: 'accepts identifiers of many forms in field 2',
    async run({ newName, expectSuccess }) {
      const ids = {
        short: '1',
        usual: 'req-0001',
        'a UUID': '3f0b8a1c-5d3e-4c5e-9d0a-6a8f1d2b7c44',
        dotted: 'client.7/stream:2',
        long: 'r'.repeat(120),
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
      const same = [1, 2, 3].map(() => ({ name: newName(), id: 'the-same' }))
      observe(`three requests with the same identifier: ${(await greet(same)).summary}`)
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
]
