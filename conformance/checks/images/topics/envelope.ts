import { operations } from '../../../../generated/images/contract.ts'
import { respondsWithEnvelope } from '../support/expectations.ts'
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
    title: 'declares its envelopes as JSON',
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

  check('IMG-ENVELOPE-10', {
    title: 'records the fields of its envelopes',
    async run({ sendOrBlock, send, observe, request }) {
      const members = (value: unknown) => Object.keys(Object(value)).join(', ')
      const success = await sendOrBlock(request.list({ per_page: 1 }))
      const { headers: _, ...bare } = request.list({ per_page: 1 })
      observe(`fields of a success: ${members(success.json)}`)
      observe(`fields of a failure: ${members((await send(bare)).json)}`)
    },
  }),
]
