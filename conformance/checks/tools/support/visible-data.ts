import { isObject } from '../../../engine/index.ts'
import { adopt } from './adopted-arguments.ts'
import { timestampsIn } from './markdown.ts'
import type { NamedCall } from './named-calls.ts'
import { readingCalls, type ReadingCall } from './plain-calls.ts'
import { isSuccess, itemsOf, jsonOf } from './results.ts'
import { isData, singleItemOf } from './same-items.ts'
import type { Session } from './client-session.ts'
import { fieldsOf, jsonArgument } from './tool.ts'
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

const isTime = (value: string | undefined): boolean =>
  value !== undefined && timestampsIn(JSON.parse(value)).length > 0

const differences = (one: VisibleData, other: VisibleData): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key))

/**
 * Returns the fields that change while `act` runs, as "tool: item: field". Reads the data twice
 * before and twice afterwards, and leaves out fields that change by themselves. No other check may
 * make calls in the meantime. With `ignoresTimes`, a change of a time does not count. Returns
 * undefined if no result contains data, because then nothing can be seen.
 */
export async function changesDuring(
  world: ToolsWorld,
  session: Session,
  observers: readonly NamedCall[],
  act: () => Promise<unknown>,
  { ignoresTimes = false } = {},
): Promise<string[] | undefined> {
  const read = () => readVisibleData(world, session, observers)
  const [earlier, before] = [await read(), await read()]
  if (before.size === 0) return undefined
  await act()
  const [after, later] = [await read(), await read()]
  const unstable = new Set([...differences(earlier, before), ...differences(after, later)])
  return differences(before, after).filter(
    (key) => !unstable.has(key) && !(ignoresTimes && isTime(before.get(key))),
  )
}
