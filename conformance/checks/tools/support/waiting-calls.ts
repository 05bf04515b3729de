import { processClock } from '../../../engine/index.ts'
import type {
  FakeUpstream,
  McpExchange,
  McpExchangeOptions,
  UpstreamMode,
} from '../../../wire/index.ts'
import { waitAtMost } from '../../../wire/wait.ts'
import type { Session } from './client-session.ts'
import type { CallWithUpstream } from './other-tools.ts'
import { isSuccess } from './results.ts'
import type { MeasuredWait } from './waits.ts'
import type { ToolsWorld } from './world.ts'

/** A call whose upstream request never gets a complete response. */
interface WaitingCall extends CallWithUpstream {
  readonly mode: UpstreamMode
  /**
   * Whether the call uses a tool other than the one in `tools.get`. The result of such a call may
   * not depend on the upstream.
   */
  readonly isOther?: boolean
}

/** Calls that wait for a silent upstream at the same time. */
export class WaitingCalls {
  /** The calls whose request arrived at the upstream. */
  readonly arrived: Promise<McpExchange>[] = []
  /**
   * For each call with `isOther`: a function that ends the 503 responses to further requests of
   * this call, and returns whether there were such requests.
   */
  private readonly endRefusals = new Map<Promise<McpExchange>, () => boolean>()
  private readonly upstream: FakeUpstream
  private readonly options: McpExchangeOptions
  private readonly withoutLimits: (session: Session) => Session

  /**
   * `withoutLimits` returns a session that sends its calls at once: they wait neither for the
   * upstream lock nor for the limit on concurrent requests.
   */
  constructor(
    upstream: FakeUpstream,
    options: McpExchangeOptions,
    withoutLimits: (session: Session) => Session,
  ) {
    this.upstream = upstream
    this.options = options
    this.withoutLimits = withoutLimits
  }

  /**
   * Starts a call, and waits at most `maxMs` milliseconds until its request arrives at the
   * upstream. With `isOther`, a late or repeated request of the call gets a 503 response,
   * so that it has no effect at the real upstream.
   */
  async start(
    session: Session,
    { call, filter, mode, isOther = false }: WaitingCall,
    maxMs?: number,
  ): Promise<void> {
    const first = this.upstream.override(mode, { ...filter, times: 1 })
    const exchange = this.withoutLimits(session).call(call.tool, call.arguments, this.options)
    const arrival = Promise.race([first.exhausted, exchange])
    await (maxMs === undefined ? arrival : waitAtMost(processClock, maxMs, arrival))
    const hasArrived = first.count > 0
    const later = isOther ? this.upstream.override({ status: 503 }, filter) : undefined
    first.stop()
    if (later !== undefined)
      this.endRefusals.set(exchange, () => {
        later.stop()
        return later.count > 0
      })
    if (hasArrived) this.arrived.push(exchange)
  }

  /**
   * Ends the 503 responses to further requests. Returns the waits. Omits a call with `isOther` if
   * it repeated its request, or succeeded although the upstream did not respond.
   */
  async finish(waits: readonly MeasuredWait[]): Promise<readonly MeasuredWait[]> {
    const omitted = new Set<McpExchange>()
    for (const [call, endRefusal] of this.endRefusals) {
      const isRepeated = endRefusal()
      if (!this.arrived.includes(call)) continue
      const exchange = await call
      if (isRepeated || isSuccess(exchange)) omitted.add(exchange)
    }
    return waits.filter(({ exchange }) => !omitted.has(exchange))
  }
}

/** Whether a server responds to a ping while a call waits. */
export async function servesMeanwhile(world: ToolsWorld, session: Session): Promise<boolean> {
  const ping = session.withRunner({ run: (_, send) => send() }).request('ping', undefined, {
    timeout: world.timeout,
  })
  const answered = await world.waitAtMost(1000, ping)
  return answered?.result !== undefined
}
