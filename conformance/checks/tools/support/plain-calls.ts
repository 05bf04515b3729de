import { NotCovered } from '../../../engine/index.ts'
import type { McpExchange, FakeUpstream } from '../../../wire/index.ts'
import { namedCalls, type NamedCall } from './named-calls.ts'
import type { ToolsTarget, ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import { fieldsOf, type Tool } from './tool.ts'
import type { ToolsWorld } from './world.ts'

/** A call that the suite may make. */
export interface Callable {
  readonly call: NamedCall
  /** Undefined if the tool is not listed. */
  readonly tool: Tool | undefined
  /** Whether the target file names the call, so that it must succeed. */
  readonly isNamed: boolean
}

/** A request that the upstream received during a call. */
export interface ObservedRequest {
  readonly method: string
  readonly path: string
}

/** A call after it was made. */
export interface PlainCall extends Callable {
  readonly exchange: McpExchange
  /** Its requests to the upstream; undefined if the suite cannot attribute them. */
  readonly upstreamRequests: readonly ObservedRequest[] | undefined
}

/**
 * The calls that the target file names, and calls without arguments of tools that have readOnlyHint
 * and no required field.
 */
export function callableTools(target: ToolsTarget, { tools }: Pick<Session, 'tools'>): Callable[] {
  const calls = namedCalls(target)
  const free = tools.filter(
    (tool) =>
      tool.annotations['readOnlyHint'] === true &&
      fieldsOf(tool).required.length === 0 &&
      tool.name !== target.elicit?.tool &&
      !calls.some((call) => call.tool === tool.name),
  )
  return [
    ...calls.map((call) => ({
      call,
      tool: tools.find(({ name }) => name === call.tool),
      isNamed: true,
    })),
    ...free.map((tool) => ({ call: { tool: tool.name, arguments: {} }, tool, isNamed: false })),
  ]
}

/** Whether a call may be repeated: it only reads, or its hint declares it idempotent. */
export const isRepeatable = (
  { search, long, get }: ToolsTarget,
  { call, tool }: Callable,
): boolean =>
  [search, long, get].some((named) => named?.tool === call.tool) ||
  tool?.annotations['readOnlyHint'] === true ||
  tool?.annotations['idempotentHint'] === true

/**
 * Makes every such call once on a transport, shared by all checks. On the first transport that
 * works the calls hold the upstream lock exclusively, if the suite runs the upstream. Calls that
 * must not be repeated are made only there, and their exchange counts for the other transports.
 */
export function makePlainCalls(
  { shared }: ToolsWorld,
  transport: Session['transport'],
): Promise<readonly PlainCall[]> {
  return shared(`plain calls ${transport}`, async (world) => {
    const first = await world.onOneTransport(async (session) => session.transport)
    const session = await world.session(transport)
    const calls = callableTools(world.target, session)
    if (calls.length === 0)
      throw new NotCovered<ToolsNeed>('the suite may not call any tool', [
        'tools.search',
        'tools.get',
        'tools.calls',
      ])
    const { upstream } = await world.harness()
    if (transport === first && upstream !== undefined)
      return world.withExclusiveUpstream(session, (alone) =>
        callSequentially(calls, alone, upstream),
      )
    const earlier = transport === first ? [] : await makePlainCalls(world, first)
    return Promise.all(
      calls.map(async (one): Promise<PlainCall> => {
        const made = earlier.find(({ call }) => call.tool === one.call.tool)
        if (made !== undefined && !isRepeatable(world.target, one))
          return { ...one, exchange: made.exchange, upstreamRequests: undefined }
        return {
          ...one,
          exchange: await session.call(one.call.tool, one.call.arguments),
          upstreamRequests: undefined,
        }
      }),
    )
  })
}

async function callSequentially(
  calls: readonly Callable[],
  session: Session,
  upstream: FakeUpstream,
): Promise<PlainCall[]> {
  const results: PlainCall[] = []
  for (const one of calls) {
    const requestsSince = recordUpstreamRequests(upstream)
    const exchange = await session.call(one.call.tool, one.call.arguments)
    results.push({ ...one, exchange, upstreamRequests: requestsSince() })
  }
  return results
}

/** Returns a function for the requests that the upstream has received since. */
export function recordUpstreamRequests({ requests }: FakeUpstream): () => ObservedRequest[] {
  const last = requests.at(-1)
  return () =>
    requests
      .slice(last === undefined ? 0 : requests.lastIndexOf(last) + 1)
      .map(({ method, path }) => ({ method, path }))
}
