import type { FakeUpstream, McpExchange, UpstreamMode } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import type { NamedCall } from './named-calls.ts'
import { plainCallsOrNone } from './plain-calls.ts'
import { isSuccess } from './results.ts'
import type { ToolsWorld } from './world.ts'

/** A call that sends a request to the upstream, and the filter for that request. */
export interface CallWithUpstream {
  readonly call: NamedCall
  readonly filter: { readonly method: string; readonly path: string }
}

/**
 * Returns the successful calls of the target file whose last upstream request can be made to fail.
 * If this request fails, the call has no effect at the upstream, because its earlier requests only
 * read.
 */
export async function callsWithUpstream(world: ToolsWorld): Promise<CallWithUpstream[]> {
  return (await plainCallsOrNone(world)).flatMap(
    ({ call, exchange, isNamed, upstreamRequests = [] }): CallWithUpstream[] => {
      const last = upstreamRequests.at(-1)
      const onlyReads = upstreamRequests.slice(0, -1).every(({ method }) => method === 'GET')
      return isNamed && last !== undefined && onlyReads && isSuccess(exchange)
        ? [{ call, filter: { method: last.method, path: last.path } }]
        : []
    },
  )
}

/**
 * Makes each call while the fake upstream answers its request with a failure. Omits successful
 * results, because a tool may need the upstream only for part of its result.
 */
export async function callWithFailingUpstream(
  upstream: FakeUpstream,
  mode: UpstreamMode,
  session: Session,
  calls: readonly CallWithUpstream[],
): Promise<McpExchange[]> {
  const found: McpExchange[] = []
  for (const { call, filter } of calls) {
    const override = upstream.override(mode, filter)
    const exchange = await session.call(call.tool, call.arguments)
    override.stop()
    if (override.count > 0 && !isSuccess(exchange)) found.push(exchange)
  }
  return found
}
