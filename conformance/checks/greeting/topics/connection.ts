import type { Expectation } from '../../../engine/index.ts'
import type { GrpcChannel, GrpcExchange, GrpcStream } from '../../../wire/index.ts'
import { requireNotCrowded } from '../support/stream.ts'
import { check } from '../support/define.ts'
import { bytesOf, joinGreetings } from '../support/messages.ts'
import { findNames } from '../support/names.ts'
import { responds, endsOk, hasResponse, isOk, containsNames } from '../support/expectations.ts'
import type { GreetingWorld } from '../support/world.ts'

const staysUsable: Expectation<GrpcChannel> = {
  name: 'keeps the connection',
  expected: 'a connection that accepts further calls',
  test: ({ failure }) => failure === undefined,
  received: ({ failure }) => failure ?? '',
}

/**
 * The number of streams that stay open while another is used. It is small, because a server may use
 * a thread for each.
 */
const openCount = 4
/**
 * How long to wait for the end of one stream while others are open, in milliseconds. A server may
 * handle streams one after the other, and then does not end the stream in this time.
 */
const shortWaitMs = 1000
/**
 * The number of streams that run at the same time. It is half of 100, the number that a server
 * should at least allow (RFC 9113).
 */
const concurrentCount = 50

const allowsStreams: Expectation<number | undefined> = {
  name: 'allows enough streams',
  expected: 'SETTINGS_MAX_CONCURRENT_STREAMS absent, or at least 100',
  test: (limit) => limit === undefined || limit >= 100,
  received: (limit) => `SETTINGS_MAX_CONCURRENT_STREAMS is ${limit}`,
}

const servedExpectation = (name: string, when: string): Expectation<GrpcExchange> => ({
  name,
  expected: `at least one response and status OK${when}`,
  test: (exchange) => hasResponse(exchange) && isOk(exchange),
})
const othersServed = servedExpectation(
  'serves the other streams',
  ` on each of ${openCount + 1} open streams, of which the last was half-closed first`,
)
const concurrentlyServed = servedExpectation(
  'serves concurrent streams',
  `, while ${concurrentCount - 1} other streams are open`,
)

/** Opens streams that each send one request and stay open. */
async function openStreams(
  { newRequests, startCall }: GreetingWorld,
  connection: GrpcChannel,
  path: string,
  count: number,
): Promise<GrpcStream[]> {
  const streams = Array.from({ length: count }, () => startCall(connection, { path }))
  for (const stream of streams) await stream.send(bytesOf(newRequests(1)[0]!))
  return streams
}

/** Half-closes streams, and waits for their ends. */
async function endStreams(streams: readonly GrpcStream[]): Promise<void> {
  for (const stream of streams) stream.halfClose()
  await Promise.all(streams.map((stream) => stream.drain()))
}

/** Reads a stream for a short time, and returns whether it is over. */
async function readUntilOver(
  stream: GrpcStream,
  { clock, timeout }: GreetingWorld,
): Promise<boolean> {
  const until = clock.now() + Math.min(shortWaitMs, timeout)
  for (let left = until - clock.now(); left > 0 && !stream.isOver; left = until - clock.now())
    await stream.next(left)
  return stream.isOver
}

/** How many streams a client cancels, one after the other. */
const cancelledStreams = 20

export const connectionChecks = [
  check('GRT-GRPC-08', {
    title: 'serves further streams on a connection after streams were cancelled',
    async run({
      newRequests,
      startCall,
      greet,
      grpc,
      sendOrBlock,
      blockIfOperationBroken,
      runThroughGate,
      methodPath,
      expect,
      expectValue,
      timeout,
    }) {
      const path = await methodPath()
      await sendOrBlock(newRequests(1))
      const channel = await runThroughGate(async () => {
        const channel = await grpc.openChannel()
        let respondsEarly = true
        for (const request of newRequests(cancelledStreams)) {
          const stream = startCall(channel, { path })
          await stream.send(bytesOf(request))
          // Waits for the first response, but at most half a second, and not again after that: some
          // servers respond only after the client half-closes.
          if (respondsEarly)
            respondsEarly = (await stream.next(Math.min(500, timeout))) !== undefined
          stream.cancel()
        }
        return channel
      })
      const after = await greet(newRequests(2), { channel })
      expectValue(channel, staysUsable)
      expect(await blockIfOperationBroken(after), responds, endsOk)
      channel.close()
    },
  }),

  check('GRT-GRPC-09', {
    title: 'serves fifty concurrent streams on one connection',
    async run(world) {
      const {
        newRequests,
        openChannel,
        sendOrBlock,
        runThroughGate,
        methodPath,
        expect,
        expectValue,
        waitForStage,
      } = world
      const path = await methodPath()
      await sendOrBlock(newRequests(1))
      await waitForStage('final')
      const connection = await openChannel()
      expectValue(connection.maxStreams, allowsStreams)
      const [few, all] = await runThroughGate(async () => {
        const few = await openStreams(world, connection, path, openCount + 1)
        // Half-closes the last stream first, and the others when it has ended or after a short
        // wait.
        few.at(-1)!.halfClose()
        await readUntilOver(few.at(-1)!, world)
        await endStreams(few)
        const all = await openStreams(world, connection, path, concurrentCount)
        await endStreams(all)
        return [few, all] as const
      })
      requireNotCrowded([...few, ...all].map(({ exchange }) => exchange))
      const judged = [
        ...few.map(({ exchange }) => [exchange, othersServed] as const),
        ...all.map(({ exchange }) => [exchange, concurrentlyServed] as const),
      ]
      // Judges all streams, so that every failure is reported, not only the first.
      await Promise.all(
        judged.map(async ([exchange, expectation]) => expect(exchange, expectation)),
      )
    },
  }),

  check('GRT-GRPC-10', {
    title: 'sends all responses to a client that reads slowly',
    async run({
      target,
      newRequests,
      startCall,
      grpc,
      sendOrBlock,
      blockIfOperationBroken,
      runThroughGate,
      methodPath,
      expect,
      timeout,
      waitForStage,
      wait,
    }) {
      const path = await methodPath()
      await waitForStage('stable-reads')
      const requests = newRequests(400)
      // First sends the same requests as a fast client, to know what to expect.
      const limits = { timeout: 6 * timeout, idle: timeout }
      const quick = await sendOrBlock(requests, limits)
      const exchange = await runThroughGate(async () => {
        // This flow-control window is full after a few responses, so that the server must wait.
        const channel = await grpc.openChannel({ window: 1024 })
        const stream = startCall(channel, { path, ...limits })
        stream.pause()
        for (const request of requests) await stream.send(bytesOf(request))
        stream.halfClose()
        await wait(1000)
        stream.resume()
        await stream.drain()
        channel.close()
        return stream.exchange
      })
      const complete: Expectation<GrpcExchange>[] =
        target.relationship === undefined
          ? []
          : [
              {
                name: 'loses no response',
                expected: `${quick.receivedCount} responses, as for a fast client`,
                test: ({ receivedCount }) => receivedCount === quick.receivedCount,
              },
            ]
      const included = new Set(findNames(joinGreetings(quick)))
      const names = requests.map(({ name }) => name).filter((name) => included.has(name))
      expect(
        await blockIfOperationBroken(exchange),
        responds,
        endsOk,
        ...complete,
        ...(names.length > 0 ? [containsNames(names)] : []),
      )
    },
  }),

  check('GRT-GRPC-11', {
    title: 'records whether streams are served concurrently',
    async run(world) {
      const {
        newRequests,
        openChannel,
        sendOrBlock,
        runThroughGate,
        methodPath,
        observe,
        waitForStage,
      } = world
      const path = await methodPath()
      await sendOrBlock(newRequests(1))
      await waitForStage('final')
      await runThroughGate(async () => {
        const streams = await openStreams(world, await openChannel(), path, openCount + 1)
        const last = streams.at(-1)!
        last.halfClose()
        const atOnce = await readUntilOver(last, world)
        await endStreams(streams)
        observe(
          `a stream that was started while ${openCount} others were open: ${atOnce ? 'ended before them' : `did not end within ${Math.min(shortWaitMs, world.timeout) / 1000} s`}; ${last.exchange.summary}`,
        )
      })
    },
  }),
]
