import type { GrpcExchange } from '../../../wire/index.ts'
import type { GreetingCheckContext } from './context.ts'
import { bytesOf } from './messages.ts'

/** The pause in milliseconds: longer than a second, because servers may send times in seconds. */
const pauseMs = 1500
/** Requests before the pause: more than the first few, which a server may handle specially. */
const countBeforePause = 12

/** Streams on which the client paused. */
export interface PausedStreams {
  /** Requests before and after the pause. */
  readonly long: GrpcExchange
  readonly names: readonly string[]
  /** One request before the pause, and the half-close after it. */
  readonly idle: GrpcExchange
  /** The same name before and after the pause. */
  readonly same: GrpcExchange
  /**
   * A stream that was started after the pause. Its second request repeats a name from before the
   * pause.
   */
  readonly fresh: GrpcExchange
  /** For how many milliseconds the suite's clock stopped; the server's clock did not stop. */
  readonly stoppedMs: number
}

/**
 * Runs streams with a pause in which none of them sends requests. Call this in the stage `final`,
 * when most other checks have ended.
 */
export async function runPausedStreams({
  clock,
  newRequests,
  openChannel,
  startCall,
  wait,
  waitAtMost,
  runThroughGate,
  methodPath,
}: GreetingCheckContext): Promise<PausedStreams> {
  const path = await methodPath()
  const [began, reallyBegan] = [clock.now(), clock.realTime()]
  const before = newRequests(countBeforePause)
  const after = newRequests(1)
  const idleRequest = newRequests(1)
  const sameRequest = newRequests(1)
  const freshRequest = newRequests(1)
  const streams = await runThroughGate(async () => {
    const connection = await openChannel()
    const start = () => {
      const stream = startCall(connection, { path })
      return { stream, end: stream.drain() }
    }
    const sendOn = async (
      { stream }: ReturnType<typeof start>,
      requests: readonly { name: string }[],
    ) => {
      for (const { name } of requests) await stream.send(bytesOf({ name }))
    }
    const [long, idle, same] = [start(), start(), start()]
    await sendOn(idle, idleRequest)
    await sendOn(same, sameRequest)
    await sendOn(long, before)
    // The pause begins when every request has a response, or after one second.
    for (let step = 0; step < 50 && long.stream.exchange.receivedCount < before.length; step += 1)
      await wait(20)
    await wait(pauseMs)
    const fresh = start()
    await sendOn(fresh, [...freshRequest, before[0]!])
    fresh.stream.halfClose()
    // The wait is limited: a server that handles streams one after the other ends `fresh` only
    // after the others.
    await waitAtMost(pauseMs, fresh.end)
    await sendOn(long, after)
    await sendOn(same, sameRequest)
    idle.stream.halfClose()
    long.stream.halfClose()
    same.stream.halfClose()
    await Promise.all([long.end, idle.end, same.end, fresh.end])
    return { long, idle, same, fresh }
  })
  return {
    long: streams.long.stream.exchange,
    idle: streams.idle.stream.exchange,
    same: streams.same.stream.exchange,
    fresh: streams.fresh.stream.exchange,
    names: [...before, ...after].map(({ name }) => name),
    stoppedMs: Math.max(0, clock.realTime() - reallyBegan - (clock.now() - began)),
  }
}
