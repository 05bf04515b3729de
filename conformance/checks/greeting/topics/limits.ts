import { type Expectation, labelled } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { sendAll } from '../support/stream.ts'
import { check } from '../support/define.ts'
import { isEndedByServer } from '../support/expectations.ts'

const mebibyte = 1024 * 1024

/** A request with a name of this many bytes. */
const largeRequest = (name: string, bytes: number) => [{ name: name.padEnd(bytes, 'a') }]

const answeredOrRefused: Expectation<GrpcExchange> = {
  name: 'responds or refuses',
  expected: 'a grpc-status or a reset from the server',
  test: isEndedByServer,
}

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
        // Sends without the retries of `greet`, because refused calls are what is recorded.
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
            largeRequest(newName(), bytes),
          ),
        )
        observe(`a name of ${label}: ${summary}`)
      }
      const { summary, milliseconds } = (await streamTenThousand()).exchange
      observe(`a stream of 10,000 requests: ${summary}, in ${milliseconds} ms`)
    },
  }),

  check('GRT-LIMIT-03', {
    title: 'responds to or refuses a name of one megabyte',
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
          largeRequest(newName(), mebibyte),
        ),
      )
      expect(exchange, labelled('1 MiB', answeredOrRefused))
    },
  }),
]
