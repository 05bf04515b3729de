import type { PaginationResult } from '../../../../generated/tools/index.ts'
import { commonFields } from '../../../../generated/tools/rules.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotApplicable, isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { violatedRequirement } from './contract.ts'
import { formatArgument, requireJsonIfDeclared } from './declared-formats.ts'
import type { NamedCall } from './named-calls.ts'
import { isSuccess, itemsOf, jsonOf } from './results.ts'
import { fieldsOf } from './tool.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** A page of results in JSON, with the limit and offset of its request. */
export interface ResultPage {
  readonly exchange: McpExchange
  readonly json: Readonly<Record<string, unknown>>
  /** Undefined if the page contains no array. */
  readonly items: readonly unknown[] | undefined
  readonly requested: { readonly limit: number; readonly offset: number }
}

/** Arguments of a page request, in addition to those of the target file. */
export interface PageRequest {
  readonly limit?: number
  readonly offset?: number
}

/** Whether a tool returns pages. A tool that is listed without the argument `offset` does not. */
export function hasPages(session: Session, { tool }: NamedCall): boolean {
  const listed = session.tools.find(({ name }) => name === tool)
  return listed === undefined || Object.hasOwn(fieldsOf(listed).properties, 'offset')
}

/**
 * Ends the check as not applicable if the tool has no argument `offset`: the contract does not
 * require tools to return pages.
 */
export function requirePages(session: Session, call: NamedCall): void {
  if (!hasPages(session, call))
    throw new NotApplicable(`${call.tool} returns no pages: it has no argument offset`)
}

/**
 * Requests a page in JSON. Throws `NotApplicable` if the tool returns no pages, or has no results
 * in JSON. Blocks the check if the call fails: by TOOL-CALL-01 if it also fails without JSON; by
 * TOOL-LIMIT-03 if it fails only with limit and offset; otherwise by TOOL-JSON-01.
 */
export async function requestPage(
  { callOrBlock }: Pick<ToolsWorld, 'callOrBlock'>,
  session: Session,
  call: NamedCall,
  pageRequest: PageRequest = {},
): Promise<ResultPage> {
  requirePages(session, call)
  const inJson = { ...call.arguments, ...formatArgument(session, call, 'json') }
  const exchange = await session.call(call.tool, { ...inJson, ...pageRequest })
  if (!isSuccess(exchange)) {
    await callOrBlock(session, call)
    const bare = await session.call(call.tool, inJson)
    throw new Blocked(isSuccess(bare) ? 'TOOL-LIMIT-03' : 'TOOL-JSON-01', exchange.summary)
  }
  requireJsonIfDeclared(session, call, exchange)
  const page = readPage(exchange, call, pageRequest)
  if (page === undefined) throw new Blocked('TOOL-JSON-01', exchange.summary)
  return page
}

/** The page in a result; undefined if the result is not a JSON object. */
export function readPage(
  exchange: McpExchange,
  call: NamedCall,
  pageRequest: PageRequest = {},
): ResultPage | undefined {
  const json = jsonOf(exchange)
  const { limit = commonFields.limit.schema.default, offset = commonFields.offset.schema.default } =
    { ...numbersOf(call.arguments), ...pageRequest }
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

/** The requirements for the items, total, count and offset of a page. */
export const numbersOfPage = [
  'TOOL-PAGE-04',
  'TOOL-PAGE-01',
  'TOOL-PAGE-02',
  'TOOL-PAGE-03',
] as const

/** A page whose items, total, count and offset agree. */
export interface ConsistentPage extends ResultPage {
  readonly items: readonly unknown[]
  readonly total: number
  readonly offset: number
  readonly count: number
}

/** Returns the page if its numbers agree. Otherwise, the violated requirement blocks the check. */
export function requireConsistent(page: ResultPage): ConsistentPage {
  const { json, items, requested, exchange } = page
  const blocked = (requirement: RequirementId) => new Blocked(requirement, exchange.summary)
  const violated = violatedRequirement('page', json, numbersOfPage)
  if (violated !== undefined) throw blocked(violated)
  const { total, count, offset } = json as unknown as PaginationResult
  if (items === undefined) throw blocked('TOOL-PAGE-04')
  if (count !== items.length) throw blocked('TOOL-PAGE-02')
  if (offset !== requested.offset) throw blocked('TOOL-PAGE-03')
  return { ...page, items, total, count, offset }
}

/** Whether other pages follow, according to the page's numbers. */
export const hasMore = ({ total, offset, count }: ConsistentPage): boolean => total > offset + count

/** Returns the identifier of each item, from `member`; undefined for an item without an id. */
export function idsOf(
  items: readonly unknown[],
  member: string | undefined,
): (string | undefined)[] {
  return items.map((item) => {
    const id = member === undefined || !isObject(item) ? undefined : item[member]
    return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
  })
}
