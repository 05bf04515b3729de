import type { GrpcExchange } from '../../../wire/index.ts'
import type { GreetingCheckContext } from './context.ts'
import { bytesOf } from './messages.ts'

/** The pause in milliseconds: longer than the second to which a time can be exact. */
const pauseMs = 1500
/** More requests than a server usually handles in a special way. */
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
  /** Started after the pause; the second request has a name from before it. */
  readonly fresh: GrpcExchange
  /** By how many milliseconds the suite's clock stopped: a server's clock did not. */
  readonly stoppedMs: number
}

/** Runs streams with a pause in which no other stream sends requests, in the stage `final`. */
export async function runPausedStreams({
  clock,
  newRequests,
  openChannel,
  startCall,
  wait,
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
    // The pause begins with the last response, or without one after a while.
    for (let step = 0; step < 50 && long.stream.exchange.receivedCount < before.length; step += 1)
      await wait(20)
    await wait(pauseMs)
    const fresh = start()
    await sendOn(fresh, [...freshRequest, before[0]!])
    fresh.stream.halfClose()
    // A server that handles streams one after the other ends this stream after the others.
    await Promise.race([fresh.end, wait(pauseMs)])
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
