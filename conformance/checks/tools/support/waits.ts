import { NotCovered, type Clock } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** The bounds of the time that a call waited for a silent upstream, in milliseconds. */
export interface MeasuredWait {
  exchange: McpExchange
  atLeast: number
  /** Undefined if the call had not ended when the suite gave up. */
  atMost: number | undefined
}

/**
 * Offsets of the target's clock, in seconds. At the first offset, a call must not have timed out
 * yet. At the second offset, every call must have timed out.
 */
const clockOffsets = [25, 40] as const
/** The maximum time until the server responds if nothing delays the response, in milliseconds. */
const responseTime = 300
/**
 * How long a call may take in real time, in milliseconds, after the target's clock has passed every
 * allowed timeout. If the timer of a call started after the first offset was set, the call ends at
 * most 15 seconds after the second offset is set. A call with a timeout of one minute, which is too
 * long, ends 20 seconds after the second offset is set.
 */
const maxWaitAfterTimeout = 17_000
/**
 * The maximum real time, in milliseconds, from the start of the calls until the first offset has
 * been tried. If more time has passed, even a call with the allowed timeout of 30 seconds can have
 * ended at this offset.
 */
const maxRealTime = 5000

/** The documented timeout, in milliseconds. */
const documentedTimeout = 30_000

/**
 * Starts to measure for how long this process cannot run. Then the suite's clock stops, but that of
 * the target does not. Returns a function that returns the milliseconds until now.
 */
export function measureStalls(
  clock: Pick<Clock, 'now'>,
  realTime = () => performance.now(),
): () => number {
  const [started, startedReal] = [clock.now(), realTime()]
  return () => Math.max(0, realTime() - startedReal - (clock.now() - started))
}

/**
 * Measures how long the calls wait, in real time. `stalls` is the result of `measureStalls`, which
 * was called before the first call. A call waited at least as long as the suite's clock says, and
 * at most for the stalls in addition. Returns the time in between that is closest to the documented
 * timeout, because that may be true.
 */
export async function measureWaits(
  calls: readonly Promise<McpExchange>[],
  stalls: () => number,
): Promise<MeasuredWait[]> {
  return await Promise.all(
    calls.map(async (call) => {
      const exchange = await call
      const shortest = exchange.milliseconds
      const wait = Math.min(Math.max(shortest, documentedTimeout), shortest + stalls())
      return { exchange, atLeast: wait, atMost: exchange.failure === undefined ? wait : undefined }
    }),
  )
}

/**
 * Measures, with the target's clock, how long the calls wait. Sets the clock to each offset, and
 * then resets it. `started` is performance.now() before the first call. The caller must hold the
 * upstream lock exclusively, because the clock affects the calls of all checks.
 */
export async function measureWaitsByClock(
  world: ToolsWorld,
  url: string,
  sessions: readonly Session[],
  calls: readonly Promise<McpExchange>[],
  started: number,
): Promise<MeasuredWait[]> {
  const ended = new Map<McpExchange, number>()
  let ahead = 0
  const all = calls.map(async (call) => {
    const exchange = await call
    if (exchange.failure === undefined) ended.set(exchange, ahead)
    return exchange
  })
  // The wait is limited, because a server that handles one request at a time does not answer the
  // pings before the calls end.
  const settle = async () => {
    const pings = Promise.all(
      sessions.map((session) => session.withRunner({ run: (_, send) => send() }).request('ping')),
    )
    await world.waitAtMost(4 * responseTime, pings)
    await world.wait(responseTime)
  }
  try {
    // Waits first, because a request may arrive at the upstream before the server starts its timer.
    await settle()
    for (const seconds of clockOffsets) {
      ahead = seconds
      await setClock(world, url, seconds)
      // A call that times out at this offset has ended when the server has answered the pings.
      await settle()
      if (ahead === clockOffsets[0] && ended.size > 0 && performance.now() - started > maxRealTime)
        throw new NotCovered('this machine was too busy to measure how long a call waits')
    }
    const [early, late] = clockOffsets.map((seconds) => seconds * 1000) as [number, number]
    // Waits at most `maxWaitAfterTimeout`. After that, calls whose timeout is too long would also
    // end.
    await world.waitAtMost(maxWaitAfterTimeout, Promise.all(all))
    const endedInTime = new Map(ended)
    const span = (exchange: McpExchange): Omit<MeasuredWait, 'exchange'> => {
      const at = endedInTime.get(exchange)
      if (at === undefined) return { atLeast: late, atMost: undefined }
      return at === clockOffsets[1]
        ? { atLeast: early, atMost: late }
        : { atLeast: 0, atMost: early }
    }
    return (await Promise.all(all)).map((exchange) => ({ exchange, ...span(exchange) }))
  } finally {
    await setClock(world, url, 0)
  }
}

async function setClock(
  { sendHttp }: ToolsWorld,
  url: string,
  offsetSeconds: number,
): Promise<void> {
  await sendHttp({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { offsetSeconds },
    operation: 'clock',
  })
}
