import { NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import { observeLastRequest } from './upstream-request.ts'
import { unlimited } from './unlimited.ts'
import type { ToolsWorld } from './world.ts'

/**
 * The maximum time for a ping after the call, in milliseconds. If the ping takes longer, the
 * machine counts as too slow.
 */
const maxControlTime = 1000

/** A ping that was sent while a call waited for the upstream. */
export interface PingDuringCall {
  readonly ping: McpExchange
  /** Whether the result of the ping arrived before the suite let the upstream respond. */
  readonly isInTime: boolean
}

/**
 * Makes the `get` call, holds its upstream request, and runs `work` with a session that is not
 * limited by the gate, because the call would block other requests there. `work` must await
 * `release()` if it awaits the call. Throws `NotCovered` if the tool sends no request.
 */
async function withHeldCall<T>(
  world: ToolsWorld,
  session: Session,
  id: string | number,
  work: (direct: Session, call: Promise<McpExchange>, release: () => void) => Promise<T>,
): Promise<T> {
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
    const direct = unlimited(world, session)
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    const held = upstream.override('forward', { method, path, times: 1, until })
    try {
      const call = direct.call(tool, args, { id })
      await Promise.race([held.exhausted, call])
      if (held.count === 0)
        throw new NotCovered('the tool did not send its request again, possibly because of a cache')
      return await work(direct, call, release)
    } finally {
      release()
      held.stop()
    }
  })
}

/**
 * Sends a ping while a call waits for the upstream, which does not respond before the ping is over.
 * Throws `NotCovered` if the machine is too slow.
 */
export const pingDuringCall = (world: ToolsWorld, session: Session): Promise<PingDuringCall> =>
  withHeldCall(world, session, 'the waiting call', async (direct, call, release) => {
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
  })

/**
 * Makes calls with a numeric id and, while they wait for the upstream, cancels requests that do not
 * exist: one with the same id as a string, and one of another client with the same id. Returns the
 * exchange of each call, and which request was cancelled during the call.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation
 */
export async function cancelOthersDuringCall(
  world: ToolsWorld,
  session: Session,
): Promise<readonly (readonly [cancelled: string, call: McpExchange])[]> {
  const during = (id: number, cancel: (direct: Session) => Promise<McpExchange>) =>
    withHeldCall(world, session, id, async (direct, call, release) => {
      await cancel(direct)
      // The server reads messages in order. When it responds to the ping, it has processed the
      // cancellation.
      await direct.request('ping')
      release()
      return call
    })
  const requestId = 90_210
  const ofType = await during(requestId, (direct) =>
    direct.notify('notifications/cancelled', { requestId: String(requestId) }),
  )
  const found = [['the same id as a string', ofType] as const]
  // Over stdio, each client has a process of the server.
  if (session.transport === 'stdio') return found
  const other = unlimited(world, await world.openSession(session.transport))
  const ofClient = await during(requestId + 1, () =>
    other.notify('notifications/cancelled', { requestId: requestId + 1 }),
  )
  return [...found, ['the same id of another client', ofClient] as const]
}
