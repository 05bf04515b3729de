import { NotApplicable, isObject } from '../../../engine/index.ts'
import type { McpExchange, McpReceived } from '../../../wire/index.ts'
import { type NamedCall, namedCalls } from './named-calls.ts'
import { plainCallsOrNone } from './plain-calls.ts'
import type { Session } from './client-session.ts'
import { fieldsOf } from './tool.ts'
import { unlimited } from './unlimited.ts'
import type { ToolsWorld } from './world.ts'

type Token = string | number

/** A call, with the progress notifications that were received for it. */
export interface ProgressRecord {
  readonly tool: string
  /** Undefined if the call requested no progress. */
  readonly token: Token | undefined
  readonly exchange: McpExchange
  /** Progress received before the next call, with any token. */
  readonly progress: readonly McpReceived[]
  /** Progress with the token of this call, received at any time. */
  readonly own: readonly McpReceived[]
}

/** The maximum delay of progress notifications, in milliseconds. */
export const maxDelay = 1000

/**
 * Calls that only read: those of the target file, and calls without arguments of tools that have
 * readOnlyHint and no required field.
 */
export function harmlessCalls(
  { target }: Pick<ToolsWorld, 'target'>,
  { tools }: Session,
): NamedCall[] {
  const known = [target.search, target.long, target.get].map((call) => call?.tool)
  const reads = (name: string) =>
    tools.find((tool) => tool.name === name)?.annotations['readOnlyHint'] === true
  const named = namedCalls(target).filter(({ tool }) => known.includes(tool) || reads(tool))
  const bare = tools.filter(
    (tool) =>
      reads(tool.name) &&
      fieldsOf(tool).required.length === 0 &&
      tool.name !== target.elicit?.tool &&
      !named.some(({ tool: name }) => name === tool.name),
  )
  return [...named, ...bare.map(({ name }) => ({ tool: name, arguments: {} }))]
}

const isProgress = ({ json }: McpReceived): boolean => json['method'] === 'notifications/progress'

export const paramsOf = ({ json }: McpReceived): Readonly<Record<string, unknown>> =>
  isObject(json['params']) ? json['params'] : {}

/**
 * Makes each harmless call with a string token, with a number token, and without a token, once in a
 * run. Also returns the progress of the calls of `makePlainCalls`, some of which must not be
 * repeated.
 */
export const collectProgress = (world: ToolsWorld): Promise<readonly ProgressRecord[]> =>
  world.shared('progress', async (common) =>
    [
      ...(await common.onEachTransport((session) => collectOnTransport(common, session))),
      await readPlainCalls(common),
    ].flat(),
  )

async function readPlainCalls(world: ToolsWorld): Promise<ProgressRecord[]> {
  return (await plainCallsOrNone(world)).map(({ call: { tool }, token, exchange, received }) => {
    const progress = received.filter(isProgress)
    return {
      tool,
      token,
      exchange,
      progress,
      own: progress.filter((one) => paramsOf(one)['progressToken'] === token),
    }
  })
}

async function collectOnTransport(
  world: ToolsWorld,
  { transport }: Session,
): Promise<ProgressRecord[]> {
  const session = await world.openSession(transport)
  const { connection } = session
  if (transport === 'http') await connection.listen()
  const calls = harmlessCalls(world, session)
  const firstNumber = 1000 * (1 + world.transports.indexOf(transport))
  const sentCalls: {
    tool: string
    token: Token | undefined
    exchange: McpExchange
    from: number
  }[] = []
  for (const [index, { tool, arguments: args }] of calls.entries()) {
    for (const token of [`touchstone-${transport}-${index}`, firstNumber + index, undefined]) {
      const from = connection.received.length
      sentCalls.push({
        tool,
        token,
        from,
        exchange: await session.call(
          tool,
          args,
          token === undefined ? {} : { meta: { progressToken: token } },
        ),
      })
    }
  }
  await connection.until(() => false, maxDelay)
  const received = [...connection.received]
  await connection.close()
  return sentCalls.map(({ from, ...call }, index) => ({
    ...call,
    progress: received.slice(from, sentCalls[index + 1]?.from).filter(isProgress),
    own:
      call.token === undefined
        ? []
        : received.filter(
            (one) => isProgress(one) && paramsOf(one)['progressToken'] === call.token,
          ),
  }))
}

/** Returns the calls with their progress. Throws `NotApplicable` if no call reported progress. */
export async function requireProgress(world: ToolsWorld): Promise<readonly ProgressRecord[]> {
  const records = await collectProgress(world)
  if (records.every(({ progress }) => progress.length === 0))
    throw new NotApplicable('no call reported progress')
  for (const { exchange, progress } of records) if (progress.length > 0) world.record(exchange)
  return records
}

/** How many calls report progress at the same time. */
const concurrentCalls = 3

/**
 * On each transport, makes calls of a tool that reports progress at the same time, with different
 * tokens, in one session. Throws `NotApplicable` if no call reported progress more than once.
 */
export const collectConcurrentProgress = (world: ToolsWorld): Promise<readonly ProgressRecord[]> =>
  world.shared('progress of calls at the same time', async (common) => {
    const records = await requireProgress(common)
    const found = await common.onEachTransport(async (session) => {
      const { transport } = session
      const call = harmlessCalls(common, session).find(({ tool }) =>
        records.some(
          (one) => one.tool === tool && one.exchange.transport === transport && one.own.length > 1,
        ),
      )
      return call === undefined ? [] : callConcurrently(common, session, call)
    })
    if (found.flat().length === 0)
      throw new NotApplicable('no call reported progress more than once')
    return found.flat()
  })

async function callConcurrently(
  world: ToolsWorld,
  { transport }: Session,
  { tool, arguments: args }: NamedCall,
): Promise<ProgressRecord[]> {
  const { upstreamLock } = await world.harness()
  const session = await world.openSession(transport)
  const { connection } = session
  if (transport === 'http') await connection.listen()
  const tokens = Array.from(
    { length: concurrentCalls },
    (_, index) => `touchstone-${transport}-concurrent-${index}`,
  )
  const exchanges = await upstreamLock.runShared(() =>
    world.runConcurrently(
      tokens.map(
        (progressToken) => () =>
          unlimited(world, session).call(tool, args, { meta: { progressToken } }),
      ),
    ),
  )
  await connection.until(() => false, maxDelay)
  const progress = connection.received.filter(isProgress)
  await connection.close()
  return exchanges.map((exchange, index) => ({
    tool,
    token: tokens[index],
    exchange,
    progress,
    own: progress.filter((one) => paramsOf(one)['progressToken'] === tokens[index]),
  }))
}
