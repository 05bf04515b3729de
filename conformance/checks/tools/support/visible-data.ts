import { isObject } from '../../../engine/index.ts'
import { adopt } from './adopted-arguments.ts'
import type { NamedCall } from './named-calls.ts'
import { readingCalls, type ReadingCall } from './plain-calls.ts'
import { isSuccess, itemsOf, jsonOf } from './results.ts'
import { isData, singleItemOf } from './same-items.ts'
import type { Session } from './client-session.ts'
import { fieldsOf, jsonArgument } from './tool.ts'
import { withoutTimes } from './without-times.ts'
import type { ToolsWorld } from './world.ts'

/**
 * Returns calls of tools that only read, whose results show what another call may change: the
 * search, and tools that have arguments in common with the other call. Leaves out the tool of the
 * other call.
 */
export async function findObservers(world: ToolsWorld, other: NamedCall): Promise<NamedCall[]> {
  const calls = await readingCalls(world, other.tool)
  return calls.flatMap((one): NamedCall[] => {
    if (one.call.tool === world.target.search?.tool) return [wholeSearch(one)]
    const { call, fields } = adopt(one, other.arguments)
    return fields.length === 0 ? [] : [call]
  })
}

/** Returns the call of the search that shows the most items; undefined if the search fails. */
export async function findSearchObserver(world: ToolsWorld): Promise<NamedCall | undefined> {
  const calls = await readingCalls(world, undefined)
  const search = calls.find(({ call }) => call.tool === world.target.search?.tool)
  return search === undefined ? undefined : wholeSearch(search)
}

function wholeSearch({ call, tool }: ReadingCall): NamedCall {
  const limit = Object.hasOwn(fieldsOf(tool).properties, 'limit') ? { limit: 100 } : {}
  return {
    tool: call.tool,
    arguments: { ...call.arguments, ...jsonArgument(tool), ...limit },
  }
}

/** The fields of items in the results of tools, each with its value in JSON. */
type VisibleData = ReadonlyMap<string, string>

async function readVisibleData(
  { target: { search } }: ToolsWorld,
  session: Session,
  observers: readonly NamedCall[],
): Promise<VisibleData> {
  const data = new Map<string, string>()
  for (const { tool, arguments: args } of observers) {
    const exchange = await session.call(tool, args)
    if (!isSuccess(exchange)) continue
    const json = jsonOf(exchange)
    // A list of another tool can be a log, to which each call adds an entry.
    const items = tool === search?.tool ? itemsOf(json ?? {}) : [singleItemOf(json)]
    for (const [index, item] of (items ?? []).entries()) {
      if (!isObject(item)) continue
      const id = search?.id === undefined ? undefined : item[search.id]
      for (const [name, value] of Object.entries(item))
        if (isData(value) || (isObject(value) && Object.values(value).every(isData)))
          data.set(`${tool}: ${String(id ?? index)}: ${name}`, JSON.stringify(value))
    }
  }
  return data
}

/** What differs between two moments, as "tool: item: field". */
const differences = (
  one: VisibleData,
  other: VisibleData,
  { ignoresTimes = false }: Comparison = {},
): string[] => {
  const seen = (value: string | undefined) =>
    value !== undefined && ignoresTimes ? JSON.stringify(withoutTimes(JSON.parse(value))) : value
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (key) => seen(one.get(key)) !== seen(other.get(key)),
  )
}

interface Comparison {
  /** Whether a change of a time or a date does not count. */
  ignoresTimes?: boolean
}

/** How often the data is read without a call in between, if it changed during the call. */
const controls = 3

/** The longest pause in place of a call, in milliseconds. */
const maxPause = 5000

/**
 * Returns the fields that change while `act` runs, as "tool: item: field". Reads the data twice
 * before and twice afterwards, and leaves out fields that change by themselves. If some are left,
 * leaves out those that also change during pauses as long as `act`, such as a count of seconds. No
 * other check may make calls in the meantime. Returns undefined if no result contains data, because
 * then nothing can be seen.
 */
export async function changesDuring(
  world: ToolsWorld,
  session: Session,
  observers: readonly NamedCall[],
  act: () => Promise<unknown>,
  comparison: Comparison = {},
): Promise<string[] | undefined> {
  const read = () => readVisibleData(world, session, observers)
  const [earlier, before] = [await read(), await read()]
  if (before.size === 0) return undefined
  const started = performance.now()
  await act()
  const [after, later] = [await read(), await read()]
  const duration = Math.min(performance.now() - started, maxPause)
  const unstable = new Set([...differences(earlier, before), ...differences(after, later)])
  let changed = differences(before, after, comparison).filter((key) => !unstable.has(key))
  let last = later
  for (let control = 0; control < controls && changed.length > 0; control += 1) {
    await world.wait(duration)
    const next = await read()
    const byThemselves = new Set(differences(last, next))
    changed = changed.filter((key) => !byThemselves.has(key))
    last = next
  }
  return changed
}
