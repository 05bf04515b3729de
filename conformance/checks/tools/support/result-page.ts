import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { NamedCall } from './named-calls.ts'
import { isSuccess, itemsOf, jsonOf } from './results.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** A page in json, as it was asked for and as it came. */
export interface ResultPage {
  readonly exchange: McpExchange
  readonly json: Readonly<Record<string, unknown>>
  /** Undefined where it has no array. */
  readonly items: readonly unknown[] | undefined
  readonly requested: { readonly limit: number; readonly offset: number }
}

/** What a page is asked for with, beside the arguments of the target file. */
export interface PageRequest {
  readonly limit?: number
  readonly offset?: number
}

/** Where no limit is given. */
const defaultLimit = 20

/**
 * Asks for a page in json. Where that fails the check is blocked: by TOOL-CALL-01 where the call fails without json too, by TOOL-LIMIT-03 where only limit
 * and offset make it fail, else by TOOL-JSON-01.
 */
export async function requestPage(
  { callOrBlock }: Pick<ToolsWorld, 'callOrBlock'>,
  session: Session,
  call: NamedCall,
  asking: PageRequest = {},
): Promise<ResultPage> {
  const inJson = { ...call.arguments, response_format: 'json' }
  const exchange = await session.call(call.tool, { ...inJson, ...asking })
  if (!isSuccess(exchange)) {
    await callOrBlock(session, call)
    const bare = await session.call(call.tool, inJson)
    throw new Blocked(isSuccess(bare) ? 'TOOL-LIMIT-03' : 'TOOL-JSON-01', exchange.summary)
  }
  const page = readPage(exchange, call, asking)
  if (page === undefined) throw new Blocked('TOOL-JSON-01', exchange.summary)
  return page
}

/** The page in a result; undefined where that is no object in json. */
export function readPage(
  exchange: McpExchange,
  call: NamedCall,
  asking: PageRequest = {},
): ResultPage | undefined {
  const json = jsonOf(exchange)
  const { limit = defaultLimit, offset = 0 } = { ...numbersOf(call.arguments), ...asking }
  return json === undefined
    ? undefined
    : { exchange, json, items: itemsOf(json), requested: { limit, offset } }
}

function numbersOf({ limit, offset }: Readonly<Record<string, unknown>>): PageRequest {
  return {
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(typeof offset === 'number' ? { offset } : {}),
  }
}

export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0

/** A page of which the numbers that others build on are right. */
export interface ConsistentPage extends ResultPage {
  readonly items: readonly unknown[]
  readonly total: number
  readonly offset: number
  readonly count: number
}

/** The page, where it tells what it has; else the check is blocked by the row that says so. */
export function requireConsistent(page: ResultPage): ConsistentPage {
  const { json, items, requested, exchange } = page
  const { total, count, offset } = json
  const blocked = (row: RequirementId) => new Blocked(row, exchange.summary)
  if (items === undefined) throw blocked('TOOL-PAGE-04')
  if (!isCount(total)) throw blocked('TOOL-PAGE-01')
  if (count !== items.length) throw blocked('TOOL-PAGE-02')
  if (offset !== requested.offset) throw blocked('TOOL-PAGE-03')
  return { ...page, items, total, count, offset }
}

/** Whether there is more behind a page, by its own numbers. */
export const hasMore = ({ total, offset, count }: ConsistentPage): boolean => total > offset + count

/** What identifies the items, where a member is named that does: undefined for each that has none. */
export function idsOf(
  items: readonly unknown[],
  member: string | undefined,
): (string | undefined)[] {
  return items.map((item) => {
    const id = member === undefined || !isObject(item) ? undefined : item[member]
    return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
  })
}
