import { encodeFieldsOfMessage } from '../../../wire/grpc.ts'
import { check } from '../support/define.ts'
import { containsNames } from '../support/expectations.ts'

export const requests = [
  check('GRT-REQUEST-01', {
    title: 'takes the name from field 1, wherever it stands in the message',
    async run({ newName, expectSuccess, includesNames }) {
      const wanted = newName()
      // The number tells what a field is: its place in the message tells nothing.
      const bytes = encodeFieldsOfMessage([
        [2, 'the-identifier-first'],
        [1, wanted],
      ])
      await expectSuccess(
        [{ name: wanted, bytes }],
        {},
        ...((await includesNames()) ? [containsNames([wanted])] : []),
      )
    },
  }),

  check('GRT-REQUEST-02', {
    title: 'takes identifiers of many forms in field 2',
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
    title: 'tells identifiers, or does not',
    async run({ newName, sendOrBlock, observe }) {
      const ids = [`id-${newName()}`, `id-${newName()}`]
      const exchange = await sendOrBlock(ids.map((id) => ({ name: newName(), id })))
      const told = ids.filter((id) => exchange.received.some(({ bytes }) => bytes.includes(id)))
      observe(
        `the responses tell ${told.length === 0 ? 'no identifier' : told.length === ids.length ? 'the identifiers of their requests' : 'some identifiers'}`,
      )
    },
  }),

  check('GRT-REQUEST-04', {
    title: 'meets a request without a name',
    async run({ greet, observe }) {
      observe(`a request without a name: ${(await greet([{ name: '' }])).summary}`)
      observe(`a request whose name is a space: ${(await greet([{ name: ' ' }])).summary}`)
    },
  }),

  check('GRT-REQUEST-05', {
    title: 'meets an identifier that comes again',
    async run({ newName, greet, observe }) {
      const same = [1, 2, 3].map(() => ({ name: newName(), id: 'the-same' }))
      observe(`three requests with one identifier: ${(await greet(same)).summary}`)
    },
  }),

  check('GRT-REQUEST-06', {
    title: 'meets a request without an identifier',
    async run({ newName, greet, observe }) {
      observe(
        `a request without an identifier: ${(await greet([{ name: newName(), id: null }])).summary}`,
      )
    },
  }),
]
