import { type Expectation, labelled } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { sendAll } from '../support/stream.ts'
import { check, watch } from '../support/define.ts'
import { hasResponse, isEndedByServer, isOk } from '../support/expectations.ts'
import { bytesOf } from '../support/messages.ts'

const mebibyte = 1024 * 1024

/** Requests with one name, which has this many bytes. */
const newLargeRequests = (name: string, bytes: number) => [{ name: name.padEnd(bytes, 'a') }]

const answeredOrRefused: Expectation<GrpcExchange> = {
  name: 'responds or refuses',
  expected: 'a response, or a status other than OK',
  test: (exchange) => isEndedByServer(exchange) && (hasResponse(exchange) || !isOk(exchange)),
}

const staysOpen: Expectation<GrpcExchange> = {
  name: 'stays open',
  expected: 'a stream that ends with OK only after the client has half-closed it',
  test: (exchange) => !isOk(exchange) || exchange.halfClosedAt !== undefined,
}

/** A request of zero bytes: both fields are absent. */
const empty = { name: '', id: null }
/** The maximum time to wait for a response, in milliseconds. */
const shortWaitMs = 2000

export const limitsChecks = [
  check('GRT-ERROR-01', {
    title: 'records how malformed requests are handled',
    async run({ greet, newName, observe }) {
      const malformed = {
        'no bytes at all': new Uint8Array(0),
        'a name that is not valid UTF-8': Buffer.from([0x0a, 2, 0xc3, 0x28]),
        'a name that is a number': Buffer.from([0x08, 7]),
        'an unknown field number': Buffer.from([0x7a, 1, 0x41]),
      }
      for (const [label, bytes] of Object.entries(malformed))
        observe(`a request with ${label}: ${(await greet([{ name: newName(), bytes }])).summary}`)
    },
  }),

  check('GRT-LIMIT-01', {
    title: 'records the results of thirty consecutive calls',
    async run({ newRequests, startCall, openChannel, observe, runThroughGate, methodPath }) {
      const path = await methodPath()
      const endings = new Map<string, number>()
      for (let call = 0; call < 30; call += 1) {
        // Does not use `greet`, which retries the refused calls that this check must record.
        const { end } = await runThroughGate(async () =>
          sendAll(startCall(await openChannel(), { path }), newRequests(1)),
        )
        const ending =
          end?.grpcStatus === undefined
            ? (end?.failure ?? 'no grpc-status')
            : `status ${end.grpcStatus}`
        endings.set(ending, (endings.get(ending) ?? 0) + 1)
      }
      observe(
        `of 30 consecutive calls, ${[...endings].map(([ending, count]) => `${count} ended with ${ending}`).join(', ')}`,
      )
    },
  }),

  check('GRT-LIMIT-02', {
    title: 'records how large messages and long streams are handled',
    async run({
      startCall,
      openChannel,
      newName,
      observe,
      runThroughGate,
      methodPath,
      streamTenThousand,
      timeout,
      waitForStage,
    }) {
      const path = await methodPath()
      await waitForStage('late-writes')
      for (const [label, bytes] of [
        ['64 KiB', mebibyte / 16],
        ['5 MiB', 5 * mebibyte],
      ] as const) {
        const { summary } = await runThroughGate(async () =>
          sendAll(
            startCall(await openChannel(), { path, timeout: 6 * timeout, idle: timeout }),
            newLargeRequests(newName(), bytes),
          ),
        )
        observe(`a name of ${label}: ${summary}`)
      }
      const { summary, milliseconds } = (await streamTenThousand()).exchange
      observe(`a stream of 10,000 requests: ${summary}, in ${milliseconds} ms`)
    },
  }),

  check('GRT-LIMIT-03', {
    title: 'responds to a name of one megabyte, or refuses it',
    async run({
      startCall,
      openChannel,
      expect,
      sendOrBlock,
      newRequests,
      newName,
      runThroughGate,
      methodPath,
      timeout,
      waitForStage,
    }) {
      const path = await methodPath()
      await sendOrBlock(newRequests(1))
      await waitForStage('stable-reads')
      const exchange = await runThroughGate(async () =>
        sendAll(
          startCall(await openChannel(), { path, timeout: 6 * timeout, idle: timeout }),
          newLargeRequests(newName(), mebibyte),
        ),
      )
      expect(exchange, labelled('1 MiB', answeredOrRefused))
    },
  }),

  check('GRT-LIMIT-04', {
    title: 'does not end an open stream with OK after a request without fields',
    door: 'a request without fields',
    async run({
      newName,
      startCall,
      openChannel,
      runThroughGate,
      methodPath,
      expect,
      timeout,
      blockIfOperationBroken,
    }) {
      const path = await methodPath()
      const exchange = await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path })
        const requests = [{ name: newName() }, empty, { name: newName() }]
        for (const request of requests) await stream.send(bytesOf(request))
        // Waits for up to one response per request. None is required, because the document leaves
        // open how many responses a server sends, and when.
        for (const _request of requests)
          if ((await stream.next(Math.min(shortWaitMs, timeout))) === undefined) break
        stream.halfClose()
        await stream.drain()
        return stream.exchange
      })
      if (!hasResponse(exchange)) await blockIfOperationBroken(exchange)
      expect(exchange, staysOpen)
    },
  }),

  watch('GRT-LIMIT-04', {
    title: 'never ends a stream with OK before the client half-closes it',
    door: 'all streams of the run',
    examine: (exchange) =>
      exchange.operation !== 'greet' || !isOk(exchange)
        ? []
        : [
            {
              name: staysOpen.name,
              held: staysOpen.test(exchange),
              expected: staysOpen.expected,
              received: staysOpen.test(exchange)
                ? 'as expected'
                : `${exchange.summary}, after ${exchange.sentCount} requests`,
            },
          ],
  }),
]
