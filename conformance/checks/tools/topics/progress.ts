import { type Expectation, NotApplicable } from '../../../engine/index.ts'
import type { McpExchange, McpReceived } from '../../../wire/index.ts'
import { namedCalls, type NamedCall } from '../support/access.ts'
import { check } from '../support/define.ts'
import { isObject } from '../support/results.ts'
import type { Session } from '../support/client-session.ts'
import { fieldsOf } from '../support/tool.ts'
import type { ToolsWorld } from '../support/world.ts'

type Token = string | number

/** A call in a session of its own, and the progress that was told until the next one. */
interface Told {
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
const lateness = 1000

/** Calls that change nothing: those of the target file that say so, or that the suite knows, and those that need no input. */
export function harmless({ access }: Pick<ToolsWorld, 'access'>, { tools }: Session): NamedCall[] {
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
const paramsOf = ({ json }: McpReceived): Readonly<Record<string, unknown>> =>
  isObject(json['params']) ? json['params'] : {}

/** Makes the harmless calls, each with a text and with a number for a token, and without; once in a run. */
const toldOf = (world: ToolsWorld): Promise<readonly Told[]> =>
  world.shared('progress', async (common) =>
    (await common.each((session) => listen(common, session))).flat(),
  )

async function listen(world: ToolsWorld, { transport }: Session): Promise<Told[]> {
  const session = await world.open(transport)
  const { connection } = session
  if (transport === 'http') await connection.listen()
  const calls = harmless(world, session)
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
  await connection.until(() => false, lateness)
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
async function progressOf(world: ToolsWorld): Promise<readonly Told[]> {
  const told = await toldOf(world)
  if (told.every(({ progress }) => progress.length === 0))
    throw new NotApplicable('no call told any progress')
  for (const { exchange, progress } of told) if (progress.length > 0) world.note(exchange)
  return told
}

const shown = (tokens: readonly unknown[]) =>
  [...new Set(tokens.map((token) => JSON.stringify(token) ?? 'none'))].slice(0, 5).join(', ')

/** Tokens that no call asked with, of what came while one was under way that had a token. */
const foreign = (told: readonly Told[]) =>
  told.flatMap(({ token, progress }) =>
    token === undefined
      ? []
      : progress
          .map((one) => paramsOf(one)['progressToken'])
          .filter((one) => !told.some((call) => call.token === one)),
  )
const carries: Expectation<readonly Told[]> = {
  name: 'carries the token',
  expected: 'the tokens of the calls',
  test: (told) => foreign(told).length === 0,
  received: (told) => `foreign tokens: ${shown(foreign(told))}`,
}

const valuesOf = ({ own }: Told) => own.map((one) => paramsOf(one)['progress'])
const falls = (told: readonly Told[]) =>
  told.filter((call) =>
    valuesOf(call).some(
      (value, index, values) =>
        typeof value !== 'number' || (index > 0 && value <= Number(values[index - 1])),
    ),
  )
const grows: Expectation<readonly Told[]> = {
  name: 'grows',
  expected: 'numbers, each larger than the one before',
  test: (told) => falls(told).length === 0,
  received: (told) =>
    falls(told)
      .map((call) => `${call.tool}: ${JSON.stringify(valuesOf(call))}`)
      .join('; '),
}

/** Progress of a call that came behind its result. On another stream it may have been sent before. */
const isLate = ({ exchange: { answer } }: Told, one: McpReceived): boolean =>
  answer !== undefined &&
  (one.stream === answer.stream ? one.order > answer.order : one.at > answer.at + lateness / 2)
const late = (told: readonly Told[]) =>
  told.filter((call) => call.own.some((one) => isLate(call, one)))
const ends: Expectation<readonly Told[]> = {
  name: 'ends with the result',
  expected: 'no progress behind the result',
  test: (told) => late(told).length === 0,
  received: (told) =>
    `behind the result of ${late(told)
      .map(({ tool }) => tool)
      .join(', ')}`,
}

const unasked = (told: readonly Told[]) =>
  told.filter(
    ({ token, progress }) =>
      token === undefined &&
      progress.some(
        (one) =>
          !told.some(
            (call) => call.token !== undefined && call.token === paramsOf(one)['progressToken'],
          ),
      ),
  )
const keepsSilent: Expectation<readonly Told[]> = {
  name: 'tells none unasked',
  expected: 'no progress of a call without a token',
  test: (told) => unasked(told).length === 0,
  received: (told) =>
    `of ${unasked(told)
      .map(
        ({ tool, progress }) =>
          `${tool}, with the token ${shown(progress.map((one) => paramsOf(one)['progressToken']))}`,
      )
      .join('; ')}`,
}

export const progress = [
  check('TOOL-PROGRESS-01', {
    title: 'tells progress under the token of the call',
    async play(world) {
      world.expectOf(await progressOf(world), carries)
    },
  }),

  check('TOOL-PROGRESS-02', {
    title: 'tells progress that grows',
    async play(world) {
      world.expectOf(await progressOf(world), grows)
    },
  }),

  check('TOOL-PROGRESS-03', {
    title: 'tells no progress behind a result, and none unasked',
    async play(world) {
      world.expectOf(await progressOf(world), ends, keepsSilent)
    },
  }),

  check('TOOL-PROGRESS-04', {
    title: 'tells progress, or keeps silent on it',
    async play(world) {
      const told = (await toldOf(world)).filter(({ progress: { length } }) => length > 0)
      for (const { tool, token, progress: heard } of told)
        if (typeof token === 'string')
          world.observe(
            `${tool}: ${heard.length} times, such as ${JSON.stringify(heard.at(-1)!.json['params'])}`,
          )
      if (told.length === 0) world.observe('no call told any progress')
    },
  }),
]
