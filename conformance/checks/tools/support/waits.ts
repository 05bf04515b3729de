import type { McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** How long a call waited for an upstream that said nothing, in milliseconds: as much as is known of it. */
export interface MeasuredWait {
  exchange: McpExchange
  atLeast: number
  /** Undefined where it was not over when nobody waited any longer. */
  atMost: number | undefined
}

/** Seconds to which the target's clock is set: before a call may be given up, and when it must have been. */
const clockOffsets = [25, 40] as const
/** Milliseconds in which an answer comes that nothing holds up. */
const responseTime = 300

/** Lets the calls wait out, as long as they want. */
export async function measureWaits(
  calls: readonly Promise<McpExchange>[],
): Promise<MeasuredWait[]> {
  return (await Promise.all(calls)).map((exchange) => ({
    exchange,
    atLeast: exchange.milliseconds,
    atMost: exchange.failure === undefined ? exchange.milliseconds : undefined,
  }))
}

/**
 * The same by the target's own clock: it is set ahead to each moment, and put back. To be done while nobody else calls a tool, since everything that waits
 * there waits by that clock.
 */
export async function measureWaitsByClock(
  world: ToolsWorld,
  url: string,
  sessions: readonly Session[],
  calls: readonly Promise<McpExchange>[],
): Promise<MeasuredWait[]> {
  const ended = new Map<McpExchange, number>()
  let ahead = 0
  const all = calls.map(async (call) => {
    const exchange = await call
    if (exchange.failure === undefined) ended.set(exchange, ahead)
    return exchange
  })
  try {
    for (const seconds of clockOffsets) {
      ahead = seconds
      await setClock(world, url, seconds)
      // Whoever is to answer now has answered when others have, unless the server does one thing at a time: nobody waits for that.
      const others = Promise.all(
        sessions.map((session) => session.withRunner({ run: (send) => send() }).request('ping')),
      )
      await Promise.race([others, world.wait(4 * responseTime)])
      await world.wait(responseTime)
    }
    const [early, late] = clockOffsets.map((seconds) => seconds * 1000) as [number, number]
    const span = (exchange: McpExchange): Omit<MeasuredWait, 'exchange'> => {
      const at = ended.get(exchange)
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
