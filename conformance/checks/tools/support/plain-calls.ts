import { NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpExchange, McpReceived, FakeUpstream } from '../../../wire/index.ts'
import { namedCalls, type NamedCall } from './named-calls.ts'
import type { ToolsTarget, ToolsNeed } from '../target.ts'
import { isSuccess } from './results.ts'
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
  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** The header Location of the response. */
  readonly location: string | undefined
}

/** A call by `makePlainCalls`, with what the suite received during the call. */
export interface PlainCall extends Callable {
  readonly exchange: McpExchange
  /** The upstream requests of the call; undefined if the suite cannot know which these are. */
  readonly upstreamRequests: readonly ObservedRequest[] | undefined
  /** The progress token of the call; undefined if it requested no progress. */
  readonly token?: string
  /** The messages that arrived on the connection of the call before the next call was made. */
  readonly received: readonly McpReceived[]
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

/** Whether a call only reads, according to the target file or its hint. */
const isReading = ({ search, long, get }: ToolsTarget, { call, tool }: Callable): boolean =>
  [search, long, get].some((named) => named?.tool === call.tool) ||
  tool?.annotations['readOnlyHint'] === true

/** Whether a call may be repeated: it only reads, or its hint declares it idempotent. */
export const isRepeatable = (target: ToolsTarget, one: Callable): boolean =>
  isReading(target, one) || one.tool?.annotations['idempotentHint'] === true

/**
 * Makes every call of `callableTools` once on a transport, for all checks of a run. On the first
 * transport that works, makes them one at a time while no other check makes calls, because calls
 * that write would disturb other checks. Calls that must not be repeated are made only on this
 * transport, and their exchanges also count for the other transports.
 */
export function makePlainCalls(
  { shared }: ToolsWorld,
  transport: Session['transport'],
): Promise<readonly PlainCall[]> {
  return shared(`plain calls ${transport}`, async (world) => {
    const first = await firstTransport(world)
    const session = await world.session(transport)
    const calls = callableTools(world.target, session)
    if (calls.length === 0)
      throw new NotCovered<ToolsNeed>('the suite is not allowed to call any tool', [
        'tools.search',
        'tools.get',
        'tools.calls',
      ])
    if (transport === first) return callAlone(world, transport, calls)
    const earlier = await makePlainCalls(world, first)
    return Promise.all(
      calls.map(async (one): Promise<PlainCall> => {
        const made = earlier.find(({ call }) => call.tool === one.call.tool)
        const isMade = made !== undefined && !isRepeatable(world.target, one)
        return {
          ...one,
          exchange: isMade ? made.exchange : await session.call(one.call.tool, one.call.arguments),
          upstreamRequests: undefined,
          received: [],
        }
      }),
    )
  })
}

/**
 * The calls of `makePlainCalls` on the first transport that works; none if the suite is not allowed
 * to call any tool.
 */
export async function plainCallsOrNone(world: ToolsWorld): Promise<readonly PlainCall[]> {
  try {
    return await makePlainCalls(world, await firstTransport(world))
  } catch (error) {
    if (error instanceof NotCovered) return []
    throw error
  }
}

/** A successful call of a listed tool that only reads. */
export type ReadingCall = PlainCall & { readonly tool: Tool }

/**
 * The successful calls of tools that only read, on the first transport that works. Leaves out the
 * tool `except`.
 */
export async function readingCalls(
  world: ToolsWorld,
  except: string | undefined,
): Promise<readonly ReadingCall[]> {
  return (await plainCallsOrNone(world)).flatMap((one) =>
    one.tool !== undefined &&
    one.call.tool !== except &&
    isReading(world.target, one) &&
    isSuccess(one.exchange)
      ? [{ ...one, tool: one.tool }]
      : [],
  )
}

/**
 * Returns the error to throw if `readingCalls` returns no call that a check can use: not applicable
 * if no such tool is listed, otherwise not covered. `quality` describes the tool: "has pages".
 */
export function noOtherTool(
  { target }: ToolsWorld,
  { tools }: Session,
  isUsable: (tool: Tool) => boolean,
  quality: string,
): Error {
  const isListed = tools.some(
    (tool) =>
      tool.name !== target.search?.tool &&
      tool.annotations['readOnlyHint'] === true &&
      isUsable(tool),
  )
  return isListed
    ? new NotCovered<ToolsNeed>(
        `the suite may call no other tool that only reads and ${quality}, or the call fails`,
        ['tools.calls'],
      )
    : new NotApplicable(`no other tool that only reads ${quality}`)
}

/** The first transport that works. Calls that must not be repeated are made only on it. */
export const firstTransport = (world: ToolsWorld): Promise<Session['transport']> =>
  world.onOneTransport(async ({ transport }) => transport)

/**
 * Makes calls one at a time on a separate session, while no other check makes calls. So each
 * message that the session receives belongs to one of these calls. The calls have progress tokens,
 * and the log level is debug.
 */
async function callAlone(
  world: ToolsWorld,
  transport: Session['transport'],
  calls: readonly Callable[],
): Promise<PlainCall[]> {
  const { upstream } = await world.harness()
  const session = await world.openSession(transport)
  const { connection } = session
  // Log messages may arrive on the stream of the session. The ping ensures that the stream is open.
  if (transport === 'http') {
    await connection.listen()
    await session.request('ping')
  }
  if (session.declares('logging')) await session.request('logging/setLevel', { level: 'debug' })
  const results: Omit<PlainCall, 'received'>[] = []
  const starts: number[] = []
  await world.withExclusiveUpstream(session, async (alone) => {
    for (const [index, one] of calls.entries()) {
      const token = `touchstone-plain-${index}`
      starts.push(connection.received.length)
      const requestsSince = upstream === undefined ? undefined : recordUpstreamRequests(upstream)
      const exchange = await alone.call(one.call.tool, one.call.arguments, {
        meta: { progressToken: token },
      })
      results.push({
        ...one,
        exchange,
        token,
        upstreamRequests: requestsSince?.(),
      })
    }
  })
  if (session.declares('logging'))
    await connection.until(() => connection.received.slice(starts[0]).some(isLog), maxDelay)
  const received = [...connection.received]
  await connection.close()
  return results.map((one, index) => ({
    ...one,
    received: received.slice(starts[index], starts[index + 1]),
  }))
}

/** How long to wait for delayed messages on the stream of the session, in milliseconds. */
export const maxDelay = 1000

/** Whether a message is a log message. */
export const isLog = ({ json }: McpReceived): boolean => json['method'] === 'notifications/message'

/** Returns a function that lists the requests which the upstream received after this moment. */
export function recordUpstreamRequests({ requests }: FakeUpstream): () => ObservedRequest[] {
  const last = requests.at(-1)
  return () =>
    requests
      .slice(last === undefined ? 0 : requests.lastIndexOf(last) + 1)
      .map(({ method, path, status, location }) => ({ method, path, status, location }))
}
