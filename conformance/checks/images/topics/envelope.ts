import { operations } from '../../../../generated/images/contract.ts'
import { jsonAt, respondsWithEnvelope } from '../support/expectations.ts'
import { check, watch } from '../support/define.ts'

export const envelopeChecks = [
  check('IMG-ADDRESS-01', {
    title: 'responds at the path of the account',
    root: undefined,
    async run({ send, expect, request }) {
      const exchange = await send({ ...request.list({ per_page: 1 }), meaning: 'success' })
      expect(exchange, respondsWithEnvelope)
    },
  }),

  watch('IMG-ENVELOPE-09', {
    title: 'declares the content type of envelopes as JSON',
    sources: [],
    examine: (exchange) => {
      if (!(exchange.operation in operations) || exchange.operation === 'completeDirectUpload')
        return []
      if (typeof exchange.json !== 'object' || exchange.status === undefined) return []
      const type = exchange.header('content-type')
      return [
        {
          name: 'has a JSON media type',
          held: /^application\/([\w.!#$&^-]+\+)?json\s*(;|$)/i.test(type ?? ''),
          expected: 'Content-Type: application/json',
          received: type === undefined ? 'no Content-Type' : `Content-Type: ${type}`,
        },
      ]
    },
  }),

  watch('IMG-ENVELOPE-11', {
    title: 'sends JSON without a byte order mark',
    sources: [],
    examine: (exchange) => {
      if (!(exchange.operation in operations) || exchange.body.length === 0) return []
      const hasMark = exchange.body.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))
      return [
        {
          name: 'has no byte order mark',
          held: !hasMark,
          expected: `a body that begins with JSON, in the response to ${exchange.operation}`,
          received: hasMark ? 'a byte order mark before the JSON' : 'as expected',
        },
      ]
    },
  }),

  watch('IMG-ENVELOPE-12', {
    title: 'describes each failure with at least one error',
    sources: [],
    examine: (exchange) => {
      const errors = jsonAt(exchange, 'errors')
      if (!(exchange.operation in operations) || jsonAt(exchange, 'success') !== false) return []
      // If `errors` is not an array, the check of IMG-ENVELOPE-06 reports that.
      if (!Array.isArray(errors)) return []
      return [
        {
          name: 'has an error',
          held: errors.length > 0,
          expected: `at least one error in the response to ${exchange.operation}, because its status is ${exchange.status}`,
          received: errors.length > 0 ? 'as expected' : 'an empty array of errors',
        },
      ]
    },
  }),

  check('IMG-ENVELOPE-10', {
    title: 'records the fields of response envelopes',
    async run({ sendOrBlock, send, observe, request }) {
      const members = (value: unknown) => Object.keys(Object(value)).join(', ')
      const success = await sendOrBlock(request.list({ per_page: 1 }))
      const { headers: _, ...bare } = request.list({ per_page: 1 })
      observe(`fields of a success: ${members(success.json)}`)
      observe(`fields of a failure: ${members((await send(bare)).json)}`)
    },
  }),
]
