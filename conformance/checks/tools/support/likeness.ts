import { isDeepStrictEqual } from 'node:util'
import { NotCovered, type Expectation, isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { itemsOf, jsonOf } from './results.ts'
import type { ToolsNeed } from '../target.ts'

/** By what two results are compared: what is not stable in itself proves nothing. */
export interface Likeness {
  /** What has to be the same: «the whole result». */
  readonly words: string
  /** That part of a result; undefined where there is none. */
  of(exchange: McpExchange): unknown
}

export const whole: Likeness = {
  words: 'the whole result',
  of: ({ result }) =>
    result === undefined
      ? undefined
      : {
          content: result['content'],
          structured: result['structuredContent'],
          isError: result['isError'] === true,
        },
}

/** The identifiers of a page's items, in their order. */
const ids = (id: string): Likeness => ({
  words: 'the items by their identifiers',
  of(exchange) {
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
export function likenessOf(one: McpExchange, again: McpExchange, id?: string): Likeness {
  const found = [whole, ...(id === undefined ? [] : [ids(id)])].find(
    ({ of }) => of(one) !== undefined && isDeepStrictEqual(of(one), of(again)),
  )
  if (found === undefined)
    throw new NotCovered<ToolsNeed>(
      'the same search has another result each time',
      id === undefined ? ['tools.search.id'] : [],
    )
  return found
}

/** A result is like another in that part. */
export function likeThat(
  name: string,
  { words, of }: Likeness,
  other: McpExchange,
): Expectation<McpExchange> {
  return {
    name,
    expected: `${words}, as in ${other.summary}`,
    test: (exchange) => isDeepStrictEqual(of(exchange), of(other)),
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
