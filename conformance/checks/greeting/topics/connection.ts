import type { Expectation } from '../../../engine/index.ts'
import type { GrpcChannel, GrpcExchange, GrpcStream } from '../../../wire/index.ts'
import { sendAll } from '../support/stream.ts'
import { check } from '../support/define.ts'
import { bytesOf, joinGreetings } from '../support/messages.ts'
import { findNames } from '../support/names.ts'
import { answered, endsOk, isAnswered, isOk, containsNames } from '../support/expectations.ts'
import type { GreetingWorld } from '../support/world.ts'

const staysUsable: Expectation<GrpcChannel> = {
  name: 'keeps the connection',
  expected: 'a connection that takes further calls',
  test: ({ failure }) => failure === undefined,
  received: ({ failure }) => failure ?? '',
}

/** Streams that are left open beside another one: few, since a server may have a thread for each. */
const openCount = 4
/** Milliseconds in which a stream is served that is served beside others at all. A server may take one after the other. */
const shortWaitMs = 1000
/** Streams that are under way at a time and end by themselves; servers are advised to allow a hundred. */
const concurrentCount = 50

const allowsStreams: Expectation<number | undefined> = {
  name: 'allows streams enough',
  expected: 'no bound below 100 on the streams of a connection',
  test: (most) => most === undefined || most >= 100,
  received: (most) => `SETTINGS_MAX_CONCURRENT_STREAMS is ${most}`,
}

const isServed = (name: string, when: string): Expectation<GrpcExchange> => ({
  name,
  expected: `a stream that is answered and ends with OK ${when}`,
  test: (exchange) => isAnswered(exchange) && isOk(exchange),
})
const unharmed = isServed(
  'lets others go on',
  `whichever of ${openCount + 1} the client ends first`,
)
const together = isServed('serves many', `with ${concurrentCount - 1} others at the same time`)

/** Streams that have each sent a request, and are left open. */
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

/** Half-closes streams, and waits until they are over. */
async function endStreams(streams: readonly GrpcStream[]): Promise<void> {
  for (const stream of streams) stream.halfClose()
  await Promise.all(streams.map((stream) => stream.drain()))
}

/** Reads until a stream is over, but for no longer than a moment. */
async function readUntilOver(
  stream: GrpcStream,
  { clock, timeout }: GreetingWorld,
): Promise<boolean> {
  const until = clock.now() + Math.min(shortWaitMs, timeout)
  for (let left = until - clock.now(); left > 0 && !stream.isOver; left = until - clock.now())
    await stream.next(left)
  return stream.isOver
}

export const connection = [
  check('GRT-GRPC-08', {
    title: 'serves further streams on the connection of one that was cancelled',
    async run({
      newRequests,
      startCall,
      door,
      sendOrBlock,
      blockIfOperationBroken,
      runThroughGate,
      methodPath,
      expect,
      expectOf,
      timeout,
    }) {
      const way = await methodPath()
      await sendOrBlock(newRequests(1))
      const channel = await runThroughGate(async () => {
        const channel = await door.openChannel()
        const stream = startCall(channel, { path: way })
        await stream.send(bytesOf(newRequests(1)[0]!))
        // After the first response, where one comes before the half-close.
        await stream.next(Math.min(500, timeout))
        stream.cancel()
        return channel
      })
      const after = await runThroughGate(async () =>
        sendAll(startCall(channel, { path: way }), newRequests(2)),
      )
      expectOf(channel, staysUsable)
      expect(await blockIfOperationBroken(after), answered, endsOk)
      channel.close()
    },
  }),

  check('GRT-GRPC-09', {
    title: 'carries fifty streams on one connection',
    async run(world) {
      const {
        newRequests,
        openChannel,
        sendOrBlock,
        runThroughGate,
        methodPath,
        expect,
        expectOf,
        waitForStage,
      } = world
      const way = await methodPath()
      await sendOrBlock(newRequests(1))
      await waitForStage('final')
      const connection = await openChannel()
      expectOf(connection.maxStreams, allowsStreams)
      const [few, all] = await runThroughGate(async () => {
        const few = await openStreams(world, connection, way, openCount + 1)
        // The others are ended when it has gone, where that is soon.
        few.at(-1)!.halfClose()
        await readUntilOver(few.at(-1)!, world)
        await endStreams(few)
        const all = await openStreams(world, connection, way, concurrentCount)
        await endStreams(all)
        return [few, all] as const
      })
      const judged = [
        ...few.map(({ exchange }) => [exchange, unharmed] as const),
        ...all.map(({ exchange }) => [exchange, together] as const),
      ]
      // All of them are told, whichever breaks first.
      await Promise.all(
        judged.map(async ([exchange, expectation]) => expect(exchange, expectation)),
      )
    },
  }),

  check('GRT-GRPC-10', {
    title: 'waits for a client that reads slowly, and loses nothing',
    async run({
      target,
      newRequests,
      startCall,
      door,
      sendOrBlock,
      blockIfOperationBroken,
      runThroughGate,
      methodPath,
      expect,
      timeout,
      waitForStage,
      wait,
    }) {
      const way = await methodPath()
      await waitForStage('stable-reads')
      const requests = newRequests(400)
      // Read at once, the same requests show what there is to be lost.
      const limits = { timeout: 6 * timeout, idle: timeout }
      const quick = await sendOrBlock(requests, limits)
      const exchange = await runThroughGate(async () => {
        // The window is full after some responses: from there on the server has to wait.
        const channel = await door.openChannel({ window: 1024 })
        const stream = startCall(channel, { path: way, ...limits })
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
                expected: `${quick.receivedCount} responses, as when they are read at once`,
                test: ({ receivedCount }) => receivedCount === quick.receivedCount,
              },
            ]
      const told = new Set(findNames(joinGreetings(quick)))
      const names = requests.map(({ name }) => name).filter((name) => told.has(name))
      expect(
        await blockIfOperationBroken(exchange),
        answered,
        endsOk,
        ...complete,
        ...(names.length > 0 ? [containsNames(names)] : []),
      )
    },
  }),

  check('GRT-GRPC-11', {
    title: 'serves streams side by side, or one after the other',
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
      const way = await methodPath()
      await sendOrBlock(newRequests(1))
      await waitForStage('final')
      await runThroughGate(async () => {
        const streams = await openStreams(world, await openChannel(), way, openCount + 1)
        const last = streams.at(-1)!
        last.halfClose()
        const atOnce = await readUntilOver(last, world)
        await endStreams(streams)
        observe(
          `a stream beside ${openCount} that are left open: ${atOnce ? 'over while they were open' : `not over within ${Math.min(shortWaitMs, world.timeout) / 1000} s`}; ${last.exchange.summary}`,
        )
      })
    },
  }),
]
