import { Blocked, type Expectation, labelled, NotApplicable } from '../../../engine/index.ts'
import type { McpExchange, McpReceived } from '../../../wire/index.ts'
import { check } from '../support/define.ts'

/** The only version of MCP with batches. */
const versionWithBatches = '2025-03-26'
/** More requests than an ordinary client sends together. */
const manyRequests = 120

const requestWith = (id: string) => ({ jsonrpc: '2.0', id, method: 'ping' })
const notification = { jsonrpc: '2.0', method: 'notifications/touchstone/nothing' }

/** Expects one response to each request. `stray` are responses that match no request. */
const answersEach = (
  ids: readonly string[],
  stray: readonly McpReceived[],
): Expectation<McpExchange> => ({
  name: 'answers each request once',
  expected: `exactly ${ids.length} responses, with the ids of the requests`,
  test: ({ responses }) =>
    stray.length === 0 &&
    responses.length === ids.length &&
    ids.every((id) => responses.some(({ json }) => json['id'] === id)),
  received: ({ responses, summary }) =>
    `${responses.length + stray.length} responses, with the ids ${[...stray, ...responses]
      .slice(0, 5)
      .map(({ json }) => JSON.stringify(json['id']))
      .join(', ')}: ${summary}`,
})

const isAccepted: Expectation<McpExchange> = {
  name: 'gets no response',
  expected: 'status 202',
  test: ({ httpStatus }) => httpStatus === 202,
}

export const batchesChecks = [
  check('TOOL-MCP-19', {
    title: 'answers the requests of a batch in MCP 2025-03-26',
    root: 'TOOL-HTTP-01',
    needs: ['tools.http'],
    async run({ openSession, expect, runThroughGate }) {
      const { connection, request } = await openSession('http', {
        protocolVersion: versionWithBatches,
      })
      if (connection.protocolVersion !== versionWithBatches)
        throw new NotApplicable(`the server does not support MCP ${versionWithBatches}`)
      const usual = await request('ping')
      if (usual.result === undefined) throw new Blocked('TOOL-MCP-07', usual.summary)
      // That version does not define the header MCP-Protocol-Version, so its clients send none. A
      // server without sessions may use this to distinguish them from clients of later versions.
      connection.protocolVersion = undefined
      const withoutHeader = await request('ping')
      if (withoutHeader.result === undefined)
        throw new Blocked('TOOL-HTTP-12', withoutHeader.summary)
      const send = async (batch: readonly object[], operation: string) => {
        const before = connection.unmatchedResponses.length
        const exchange = await runThroughGate(() => connection.send(batch, { operation }))
        return { exchange, stray: connection.unmatchedResponses.slice(before) }
      }
      const newIds = (count: number) =>
        Array.from({ length: count }, () => `touchstone-${crypto.randomUUID()}`)
      const two = newIds(2)
      const batch = await send(two.map(requestWith), 'a batch')
      expect(batch.exchange, labelled('requests', answersEach(two, batch.stray)))
      // A server that refuses this batch refuses the others, too.
      if (!batch.exchange.responses.some(({ json }) => 'result' in json)) return
      const one = newIds(1)
      const mixed = await send([notification, ...one.map(requestWith), notification], 'a batch')
      expect(mixed.exchange, labelled('a request and notifications', answersEach(one, mixed.stray)))
      const notifications = await send([notification, notification], 'a batch of notifications')
      expect(notifications.exchange, labelled('notifications', isAccepted))
      const many = newIds(manyRequests)
      const large = await send(many.map(requestWith), 'a large batch')
      // A server may limit the number of messages, and then refuses the batch as a whole.
      if (large.exchange.responses.some(({ json }) => 'result' in json))
        expect(large.exchange, labelled('many requests', answersEach(many, large.stray)))
    },
  }),
]
