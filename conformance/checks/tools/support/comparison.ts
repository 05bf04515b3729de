import { isDeepStrictEqual } from 'node:util'
import { NotCovered, type Expectation, isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { itemsOf, jsonOf } from './results.ts'
import type { ToolsNeed } from '../target.ts'

/** By what two results are compared: what is not stable in itself proves nothing. */
export interface ResultComparison {
  /** What has to be the same: «the whole result». */
  readonly description: string
  /** That part of a result; undefined where there is none. */
  select(exchange: McpExchange): unknown
}

export const wholeResult: ResultComparison = {
  description: 'the whole result',
  select: ({ result }) =>
    result === undefined
      ? undefined
      : {
          content: result['content'],
          structured: result['structuredContent'],
          isError: result['isError'] === true,
        },
}

/** The identifiers of a page's items, in their order. */
const itemIds = (id: string): ResultComparison => ({
  description: 'the items by their identifiers',
  select(exchange) {
    const found = pageItems(exchange)?.map((item) => (isObject(item) ? item[id] : undefined))
    return found === undefined || found.includes(undefined) ? undefined : found
  },
})

/** The items of a result in json; undefined where there is no such page. */
export function pageItems(exchange: McpExchange): readonly unknown[] | undefined {
  const page = jsonOf(exchange)
  return page === undefined ? undefined : itemsOf(page)
}

/** By what results of a call can be compared, found from two results of the same one. `id` is the member that identifies an item. */
export function findComparison(
  one: McpExchange,
  again: McpExchange,
  id?: string,
): ResultComparison {
  const found = [wholeResult, ...(id === undefined ? [] : [itemIds(id)])].find(
    ({ select }) => select(one) !== undefined && isDeepStrictEqual(select(one), select(again)),
  )
  if (found === undefined)
    throw new NotCovered<ToolsNeed>(
      'the same search has another result each time',
      id === undefined ? ['tools.search.id'] : [],
    )
  return found
}

/** A result is like another in that part. */
export function equalTo(
  name: string,
  { description, select }: ResultComparison,
  other: McpExchange,
): Expectation<McpExchange> {
  return {
    name,
    expected: `${description}, as in ${other.summary}`,
    test: (exchange) => isDeepStrictEqual(select(exchange), select(other)),
  }
}

/** Whether a text is an object or an array of JSON. */
export function isJsonText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
