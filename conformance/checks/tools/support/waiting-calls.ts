import type {
  FakeUpstream,
  McpExchange,
  McpExchangeOptions,
  UpstreamMode,
} from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import type { CallWithUpstream } from './other-tools.ts'
import { isSuccess } from './results.ts'
import type { MeasuredWait } from './waits.ts'
import type { ToolsWorld } from './world.ts'

/** A call whose upstream request never gets a complete response. */
interface WaitingCall extends CallWithUpstream {
  readonly mode: UpstreamMode
  /** Whether the call is of another tool than `get`. Such a call may not depend on the upstream. */
  readonly isOther?: boolean
}

/** Calls that wait for a silent upstream at the same time. */
export class WaitingCalls {
  private readonly started: Promise<McpExchange>[] = []
  /**
   * For each call of another tool than `get`, a function that stops the failures of its later
   * requests, and returns whether there were any.
   */
  private readonly others = new Map<Promise<McpExchange>, () => boolean>()
  private readonly upstream: FakeUpstream
  private readonly options: McpExchangeOptions
  private readonly ungated: (session: Session) => Session

  constructor(
    upstream: FakeUpstream,
    options: McpExchangeOptions,
    ungated: (session: Session) => Session,
  ) {
    this.upstream = upstream
    this.options = options
    this.ungated = ungated
  }

  /** The calls whose request arrived at the upstream. */
  get all(): readonly Promise<McpExchange>[] {
    return this.started
  }

  /**
   * Starts a call, and waits at most `maxMs` milliseconds until its request arrives at the
   * upstream. If the tool is not `get`, a late or repeated request gets status 503, so that it has
   * no effect at the real upstream.
   */
  async start(
    session: Session,
    { call, filter, mode, isOther = false }: WaitingCall,
    maxMs?: number,
  ): Promise<void> {
    const first = this.upstream.override(mode, { ...filter, times: 1 })
    const exchange = this.ungated(session).call(call.tool, call.arguments, this.options)
    await Promise.race([
      first.exhausted,
      exchange,
      ...(maxMs === undefined ? [] : [new Promise((resolve) => setTimeout(resolve, maxMs))]),
    ])
    const hasArrived = first.count > 0
    const later = isOther ? this.upstream.override({ status: 503 }, filter) : undefined
    first.stop()
    if (later !== undefined)
      this.others.set(exchange, () => {
        later.stop()
        return later.count > 0
      })
    if (hasArrived) this.started.push(exchange)
  }

  /**
   * Stops the failures of later requests. Returns the waits. Leaves out calls of other tools than
   * `get` that repeated their request, or succeeded without a response from the upstream.
   */
  async finish(waits: readonly MeasuredWait[]): Promise<readonly MeasuredWait[]> {
    const isOmitted = new Set<McpExchange>()
    for (const [call, stop] of this.others) {
      const isRepeated = stop()
      if (!this.started.includes(call)) continue
      const exchange = await call
      if (isRepeated || isSuccess(exchange)) isOmitted.add(exchange)
    }
    return waits.filter(({ exchange }) => !isOmitted.has(exchange))
  }
}

/** Whether a server responds to a ping while a call waits. */
export async function servesMeanwhile(world: ToolsWorld, session: Session): Promise<boolean> {
  const ping = session.withRunner({ run: (_, send) => send() }).request('ping', undefined, {
    timeout: world.timeout,
  })
  const answered = await Promise.race([ping, world.wait(1000)])
  return answered !== undefined && answered.result !== undefined
}
