import { NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import { observeLastRequest } from './upstream-request.ts'
import type { ToolsWorld } from './world.ts'

/** How fast the server must answer a ping after the call, so that the machine is not too slow. */
const maxControlTime = 1000

/** A ping that was sent while a call waited for the upstream. */
export interface PingDuringCall {
  readonly ping: McpExchange
  /** Whether the result arrived before the suite let the upstream respond. */
  readonly isInTime: boolean
}

/**
 * Makes the `get` call, holds its upstream request, and sends a ping. The upstream does not respond
 * before the ping is over. Throws `NotCovered` if the tool sends no request, or if the machine is
 * too slow.
 */
export async function pingDuringCall(world: ToolsWorld, session: Session): Promise<PingDuringCall> {
  const { upstream } = await world.harness()
  if (upstream?.forward === undefined)
    throw new NotCovered<ToolsNeed>('the suite cannot delay the responses of the upstream', [
      'tools.upstream.forward',
    ])
  const { tool, arguments: args } = world.target.get!
  return world.withExclusiveUpstream(session, async (alone) => {
    const { method, path } = await observeLastRequest(upstream, () =>
      world.callOrBlock(alone, { tool, arguments: args }),
    )
    // These exchanges do not pass the gate, because the call would block the ping there.
    const direct = session.withRunner({ run: async (_, send) => world.record(await send()) })
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    const held = upstream.override('forward', { method, path, times: 1, until })
    try {
      const call = direct.call(tool, args)
      await Promise.race([held.exhausted, call])
      if (held.count === 0)
        throw new NotCovered('the tool did not send its request again, possibly because of a cache')
      const sent = direct.request('ping', undefined, { operation: 'ping during a call' })
      const first = await Promise.race([sent, call])
      release()
      const ping = await sent
      await call
      const isInTime = first === ping && ping.result !== undefined
      const control = isInTime ? ping : await direct.request('ping')
      if (!isInTime && control.milliseconds > maxControlTime)
        throw new NotCovered('this machine was too busy to measure how long a ping takes')
      return { ping, isInTime }
    } finally {
      release()
      held.stop()
    }
  })
}
