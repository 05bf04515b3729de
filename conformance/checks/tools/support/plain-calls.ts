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
  /** As it is listed; undefined where it is not. */
  readonly tool: Tool | undefined
  /** Whether the target file says that it works. */
  readonly isNamed: boolean
}

/** A request to the upstream, as far as a call is answerable for it. */
export interface ObservedRequest {
  readonly method: string
  readonly path: string
}

/** What came of such a call. */
export interface PlainCall extends Callable {
  readonly exchange: McpExchange
  /** What it asked of the upstream; undefined where nobody can tell. */
  readonly upstreamRequests: readonly ObservedRequest[] | undefined
}

/** The calls that the target file names, and those of tools that only read, by their own hint, and need no field. */
export function callableTools(access: ToolsTarget, { tools }: Pick<Session, 'tools'>): Callable[] {
  const calls = namedCalls(access)
  const free = tools.filter(
    (tool) =>
      tool.annotations['readOnlyHint'] === true &&
      fieldsOf(tool).required.length === 0 &&
      tool.name !== access.elicit?.tool &&
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

/** Whether a call may be made again: it only reads, or says that once more changes nothing. */
export const isRepeatable = (
  { search, long, get }: ToolsTarget,
  { call, tool }: Callable,
): boolean =>
  [search, long, get].some((named) => named?.tool === call.tool) ||
  tool?.annotations['readOnlyHint'] === true ||
  tool?.annotations['idempotentHint'] === true

/**
 * Every such call, made once on a transport; on the first that serves alone with the upstream, where one is played. What must not be made twice is made there
 * only: what came of it counts for the others too. Shared by all checks.
 */
export function makePlainCalls(
  { shared }: ToolsWorld,
  transport: Session['transport'],
): Promise<readonly PlainCall[]> {
  return shared(`plain calls ${transport}`, async (world) => {
    const first = await world.onOneTransport(async (session) => session.transport)
    const session = await world.session(transport)
    const calls = callableTools(world.access, session)
    if (calls.length === 0)
      throw new NotCovered<ToolsNeed>('there is no tool that may be called', [
        'tools.search',
        'tools.get',
        'tools.calls',
      ])
    const { upstream } = await world.harness()
    if (transport === first && upstream !== undefined)
      return world.withExclusiveUpstream(session, (alone) =>
        callSequentially(calls, alone, upstream),
      )
    const before = transport === first ? [] : await makePlainCalls(world, first)
    return Promise.all(
      calls.map(async (one): Promise<PlainCall> => {
        const made = before.find(({ call }) => call.tool === one.call.tool)
        if (made !== undefined && !isRepeatable(world.access, one))
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
  const made: PlainCall[] = []
  for (const one of calls) {
    const asked = recordUpstreamRequests(upstream)
    const exchange = await session.call(one.call.tool, one.call.arguments)
    made.push({ ...one, exchange, upstreamRequests: asked() })
  }
  return made
}

/** Tells what came to the upstream since. */
export function recordUpstreamRequests({ requests }: FakeUpstream): () => ObservedRequest[] {
  const last = requests.at(-1)
  return () =>
    requests
      .slice(last === undefined ? 0 : requests.lastIndexOf(last) + 1)
      .map(({ method, path }) => ({ method, path }))
}
