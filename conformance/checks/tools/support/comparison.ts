import { isDeepStrictEqual } from 'node:util'
import {
  describeDifference,
  NotCovered,
  type Expectation,
  isObject,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { measureJson } from '../../../wire/json.ts'
import { itemsOf, jsonOf } from './results.ts'
import { withoutTimes } from './without-times.ts'
import type { ToolsNeed } from '../target.ts'

/** A part of a result that is the same for equal calls, so that a difference is a finding. */
export interface ResultComparison {
  /** Names the part: "the whole result". */
  readonly description: string
  /**
   * Returns the part of a result that `description` names, or undefined if the result has no such
   * part.
   */
  select(exchange: McpExchange): unknown
  /** Whether two selected parts are equal. */
  equals(one: unknown, other: unknown): boolean
}

export const wholeResult: ResultComparison = {
  description: 'the whole result',
  select: ({ result }) =>
    result === undefined
      ? undefined
      : {
          content: result['content'],
          structuredContent: result['structuredContent'],
          isError: result['isError'] === true,
        },
  // The times may differ: one can be that of the call.
  equals: (one, other) =>
    isDeepStrictEqual(one, other) || isDeepStrictEqual(withoutTimes(one), withoutTimes(other)),
}

/** Whether two results are equal as a whole. */
export const isRepeated = (one: McpExchange, again: McpExchange): boolean =>
  wholeResult.equals(wholeResult.select(one), wholeResult.select(again))

/** The identifiers of the items of a page, in order. */
const itemIds = (id: string): ResultComparison => ({
  description: 'the items by their identifiers',
  select(exchange) {
    const found = pageItems(exchange)?.map((item) => (isObject(item) ? item[id] : undefined))
    return found === undefined || found.includes(undefined) ? undefined : found
  },
  // An identifier can look like a time.
  equals: isDeepStrictEqual,
})

/** The items of a JSON result; undefined if it is not a page. */
export function pageItems(exchange: McpExchange): readonly unknown[] | undefined {
  const page = jsonOf(exchange)
  return page === undefined ? undefined : itemsOf(page)
}

/**
 * Finds the part of a result that was the same in two results of one call. `id` is the member that
 * identifies an item.
 */
export function findComparison(
  one: McpExchange,
  again: McpExchange,
  id?: string,
): ResultComparison {
  const found = [wholeResult, ...(id === undefined ? [] : [itemIds(id)])].find(
    ({ select, equals }) => select(one) !== undefined && equals(select(one), select(again)),
  )
  if (found === undefined)
    throw new NotCovered<ToolsNeed>(
      'the same call returns different results',
      id === undefined ? ['tools.search.id'] : [],
    )
  return found
}

/** Expects the compared part of a result to equal that of another result. */
export function equalTo(
  name: string,
  { description, select, equals }: ResultComparison,
  other: McpExchange,
): Expectation<McpExchange> {
  return {
    name,
    expected: `${description}, as in ${other.summary}`,
    test: (exchange) => equals(select(exchange), select(other)),
    received: (exchange) => {
      // The summaries show only the beginnings of long results, which can be equal.
      const isCut = exchange.summary.includes('…') || exchange.summary === other.summary
      const [wanted, found] = [select(other), select(exchange)]
      const difference = isCut
        ? (describeDifference(readable(wanted, other, parse), readable(found, exchange, parse)) ??
          describeDifference(readable(wanted, other), readable(found, exchange)))
        : undefined
      return [...(difference === undefined ? [] : [difference]), exchange.summary].join('; ')
    },
  }
}

/** Returns a value without secrets. `parse` returns the value of a string that contains JSON. */
function readable(
  value: unknown,
  { redact }: Pick<McpExchange, 'redact'>,
  parse: (text: string) => unknown = () => undefined,
): unknown {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => {
    if (typeof member !== 'string') return member
    return readable(parse(member), { redact }, parse) ?? redact(member)
  })
}

/**
 * Parses a JSON object or array. Undefined for other strings, and for JSON that is nested so deeply
 * that it would overflow the stack.
 */
const parse = (text: string): unknown =>
  isJsonText(text) && measureJson(Buffer.from(text)).excess === undefined
    ? JSON.parse(text)
    : undefined

/** Whether a string is a JSON object or array. */
export function isJsonText(content: string): boolean {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
