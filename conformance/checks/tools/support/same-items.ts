import { isObject, type Json } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { timestampsIn } from './markdown.ts'
import { smallPage } from './both-formats.ts'
import type { NamedCall } from './named-calls.ts'
import { readingCalls } from './plain-calls.ts'
import { idsOf, requestPage } from './result-page.ts'
import { calledToolOf, isSuccess, jsonOf } from './results.ts'
import type { Session } from './client-session.ts'
import { jsonArgument } from './tool.ts'
import type { ToolsWorld } from './world.ts'

/** An item of the search, and the result of another tool that contains only this item. */
export interface SameItem {
  readonly exchange: McpExchange
  readonly ofSearch: Json
  readonly ofTool: Json
}

/** A call of another tool for an item of the search. */
interface ItemCall {
  readonly call: NamedCall
  readonly item: Json
}

/**
 * Returns calls of tools that only read, other than the search, each for an item of the search. The
 * calls are those that return an item in JSON whose identifier is one of their arguments. If the
 * search does not find this item, another item takes its place. They are found once in a run.
 */
export const callsForItems = (world: ToolsWorld): Promise<readonly ItemCall[]> =>
  world.shared('calls for items of the search', (common) =>
    common.onOneTransport((session) => findCalls(common, session)),
  )

async function findCalls(world: ToolsWorld, session: Session): Promise<ItemCall[]> {
  const { id, tool: searchTool } = world.target.search!
  const page = await requestPage(world, session, world.target.search!, smallPage)
  // A truncated result may leave out fields.
  if (id === undefined || page.json['truncated'] === true) return []
  const items = (page.items ?? []).filter(isObject)
  const ids = idsOf(items, id)
  const found: ItemCall[] = []
  for (const { call, tool } of await readingCalls(world, searchTool)) {
    const args: Json = { ...call.arguments, ...jsonArgument(tool) }
    const [own] = idsOf([itemIn(await session.call(call.tool, args))], id)
    const field = Object.keys(args).find((name) => own !== undefined && String(args[name]) === own)
    const item = items[Math.max(0, ids.indexOf(own))]
    if (field !== undefined && item?.[id] !== undefined)
      found.push({ call: { tool: call.tool, arguments: { ...args, [field]: item[id] } }, item })
  }
  return found
}

/** The item in a result that contains only one item and is not truncated. */
function itemIn(exchange: McpExchange): Json | undefined {
  const item = isSuccess(exchange) ? singleItemOf(jsonOf(exchange)) : undefined
  return item?.['truncated'] === true ? undefined : item
}

/**
 * Finds the items of the search that other tools return in JSON. An item is the same if its
 * identifier is equal and, if the target file states its field, its name.
 */
export async function findSameItems(world: ToolsWorld, session: Session): Promise<SameItem[]> {
  const { id, title } = world.target.search!
  const found: SameItem[] = []
  for (const { call, item: ofSearch } of await callsForItems(world)) {
    const exchange = await session.call(call.tool, call.arguments)
    const ofTool = itemIn(exchange)
    const isSame =
      ofTool !== undefined &&
      String(ofTool[id!]) === String(ofSearch[id!]) &&
      (title === undefined || ofTool[title] === ofSearch[title])
    if (isSame) found.push({ exchange, ofSearch, ofTool })
  }
  return found
}

/** An object, or the object that is its only member. */
export function singleItemOf(json: Json | undefined): Json | undefined {
  const [only, ...others] = Object.values(json ?? {})
  return others.length === 0 && isObject(only) ? only : json
}

/** Whether a value is data of an item. Objects can be other items, which a search may leave out. */
export const isData = (value: unknown): boolean =>
  Array.isArray(value) ? !value.some(isObject) : !isObject(value)

/** The fields with data of one object that another object lacks. */
export const missingFields = (from: Json, { has }: { has: Json }): string[] =>
  Object.keys(has).filter((name) => isData(has[name]) && !Object.hasOwn(from, name))

/** The fields that have values of different types in two objects. */
export const fieldsOfOtherTypes = ({ ofSearch, ofTool }: SameItem): string[] =>
  Object.keys(ofTool).filter((name) => {
    const [one, other] = [ofSearch[name], ofTool[name]]
    return (
      Object.hasOwn(ofSearch, name) &&
      ![one, other].some((value) => value === null || isObject(value) || Array.isArray(value)) &&
      typeof one !== typeof other
    )
  })

/** The fields that are a time in ISO 8601 in only one of two objects. */
export const timesInOtherForms = ({ ofSearch, ofTool }: SameItem): string[] =>
  Object.keys(ofTool).filter(
    (name) =>
      typeof ofSearch[name] === 'string' &&
      typeof ofTool[name] === 'string' &&
      timestampsIn(ofSearch[name]).length !== timestampsIn(ofTool[name]).length,
  )

/** Names a tool and fields of its result for a report. */
export const describeFields = ({ exchange }: SameItem, fields: readonly string[]): string =>
  `${calledToolOf(exchange)}: ${fields.slice(0, 5).join(', ')}`
