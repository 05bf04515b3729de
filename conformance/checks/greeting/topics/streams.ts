import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, type Expectation, labelled } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { statusOf } from '../../../wire/grpc.ts'
import { check } from '../support/define.ts'
import { responds, hasResponse, isEcho } from '../support/expectations.ts'
import { bytesOf, findFlaw, decodeResponses } from '../support/messages.ts'
import { requireNotCrowded } from '../support/stream.ts'

const isNotAnEcho: Expectation<GrpcExchange> = {
  name: 'does not echo the requests',
  expected: 'a response that is not a copy of a request',
  test: (exchange) => !isEcho(exchange),
  received: ({ summary }) => `${summary}; each response is a copy of a request`,
}

/**
 * If a stream with responses contains no greeting, or ends without a status, returns the
 * requirement that it violates; otherwise undefined.
 */
function findStreamFlaw(exchange: GrpcExchange): RequirementId | undefined {
  const { end } = exchange
  if (end?.grpcStatus === undefined)
    return end?.failure === undefined ? 'GRT-GRPC-02' : 'GRT-GRPC-03'
  return decodeResponses(exchange).some(({ decodes, message }) => decodes && message !== '')
    ? undefined
    : findFlaw(exchange)
}

export const streamsChecks = [
  check('GRT-SERVICE-01', {
    title: 'responds on each of two open streams',
    async run({
      newRequests,
      startCall,
      openChannel,
      runThroughGate,
      methodPath,
      expect,
      blockIfOperationBroken,
    }) {
      const path = await methodPath()
      const both = await runThroughGate(async () => {
        const connection = await openChannel()
        const open = [startCall(connection, { path }), startCall(connection, { path })] as const
        for (const { name } of newRequests(2))
          for (const stream of open) await stream.send(bytesOf({ name }))
        // Both streams are still open. Half-closes the second one first.
        for (const stream of open.toReversed()) stream.halfClose()
        await Promise.all(open.map((stream) => stream.drain()))
        return open.map(({ exchange }) => exchange)
      })
      requireNotCrowded(both)
      for (const exchange of both)
        if (!hasResponse(exchange)) await blockIfOperationBroken(exchange)
      both.forEach((exchange, index) =>
        expect(
          exchange,
          labelled(index === 0 ? 'the first stream' : 'the second stream', responds),
        ),
      )
    },
  }),

  check('GRT-SERVICE-02', {
    title: 'responds to a stream of names that consist of letters',
    root: undefined,
    async run({ newRequests, greet, expect }) {
      const exchange = await greet(newRequests(2))
      const { end, problems, summary } = exchange
      if (!hasResponse(exchange) && end?.grpcStatus === statusOf.UNIMPLEMENTED)
        throw new Blocked('GRT-RPC-01', summary)
      if (!hasResponse(exchange) && problems.length > 0) throw new Blocked('GRT-RPC-04', summary)
      expect(exchange, responds)
      expect(exchange, isNotAnEcho)
      const flaw = findStreamFlaw(exchange)
      if (flaw !== undefined) throw new Blocked(flaw, summary)
    },
  }),

  check('GRT-SERVICE-03', {
    title: 'records when the first response arrives',
    async run({ newRequests, startCall, openChannel, runThroughGate, methodPath, observe }) {
      const path = await methodPath()
      await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path })
        await stream.send(bytesOf(newRequests(1)[0]!))
        const early = await stream.next(1000)
        stream.halfClose()
        const first = early ?? (await stream.next())
        await stream.drain()
        const { startedAt } = stream.exchange
        const when =
          first === undefined
            ? 'never'
            : `after ${Math.round(first.at - startedAt)} ms, ${early === undefined ? 'after the client had half-closed the stream' : 'before the client half-closed the stream'}`
        observe(`the first response to a single request: ${when}`)
      })
    },
  }),
]
