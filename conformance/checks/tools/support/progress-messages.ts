import { NotApplicable, isObject } from '../../../engine/index.ts'
import type { McpExchange, McpReceived } from '../../../wire/index.ts'
import { type NamedCall, namedCalls } from './named-calls.ts'

import type { Session } from './client-session.ts'
import { fieldsOf } from './tool.ts'
import type { ToolsWorld } from './world.ts'

type Token = string | number

/** A call in a session of its own, and the progress that was told until the next one. */
export interface ProgressRecord {
  readonly tool: string
  /** Undefined where the call asked for none. */
  readonly token: Token | undefined
  readonly exchange: McpExchange
  /** What came until the next call, whatever its token. */
  readonly progress: readonly McpReceived[]
  /** What came under its token, whenever that was. */
  readonly own: readonly McpReceived[]
}

/** How long progress may be late, in milliseconds. */
export const maxDelay = 1000

/** Calls that change nothing: those of the target file that say so, or that the suite knows, and those that need no input. */
export function harmlessCalls(
  { access }: Pick<ToolsWorld, 'access'>,
  { tools }: Session,
): NamedCall[] {
  const known = [access.search, access.long, access.get].map((call) => call?.tool)
  const reads = (name: string) =>
    tools.find((tool) => tool.name === name)?.annotations['readOnlyHint'] === true
  const named = namedCalls(access).filter(({ tool }) => known.includes(tool) || reads(tool))
  const bare = tools.filter(
    (tool) =>
      reads(tool.name) &&
      fieldsOf(tool).required.length === 0 &&
      tool.name !== access.elicit?.tool &&
      !named.some(({ tool: name }) => name === tool.name),
  )
  return [...named, ...bare.map(({ name }) => ({ tool: name, arguments: {} }))]
}

const isProgress = ({ json }: McpReceived): boolean => json['method'] === 'notifications/progress'

export const paramsOf = ({ json }: McpReceived): Readonly<Record<string, unknown>> =>
  isObject(json['params']) ? json['params'] : {}

/** Makes the harmless calls, each with a text and with a number for a token, and without; once in a run. */
export const collectProgress = (world: ToolsWorld): Promise<readonly ProgressRecord[]> =>
  world.shared('progress', async (common) =>
    (await common.onEachTransport((session) => collectOnTransport(common, session))).flat(),
  )

async function collectOnTransport(
  world: ToolsWorld,
  { transport }: Session,
): Promise<ProgressRecord[]> {
  const session = await world.openSession(transport)
  const { connection } = session
  if (transport === 'http') await connection.listen()
  const calls = harmlessCalls(world, session)
  const numbers = 1000 * (1 + world.transports.indexOf(transport))
  const made: { tool: string; token: Token | undefined; exchange: McpExchange; from: number }[] = []
  for (const [index, { tool, arguments: given }] of calls.entries()) {
    for (const token of [`touchstone-${transport}-${index}`, numbers + index, undefined]) {
      const from = connection.received.length
      made.push({
        tool,
        token,
        from,
        exchange: await session.call(
          tool,
          given,
          token === undefined ? {} : { meta: { progressToken: token } },
        ),
      })
    }
  }
  await connection.until(() => false, maxDelay)
  const received = [...connection.received]
  await connection.close()
  return made.map(({ from, ...call }, index) => ({
    ...call,
    progress: received.slice(from, made[index + 1]?.from).filter(isProgress),
    own:
      call.token === undefined
        ? []
        : received.filter(
            (one) => isProgress(one) && paramsOf(one)['progressToken'] === call.token,
          ),
  }))
}

/** The calls, where any of them told progress. */
export async function requireProgress(world: ToolsWorld): Promise<readonly ProgressRecord[]> {
  const told = await collectProgress(world)
  if (told.every(({ progress }) => progress.length === 0))
    throw new NotApplicable('no call told any progress')
  for (const { exchange, progress } of told) if (progress.length > 0) world.record(exchange)
  return told
}
