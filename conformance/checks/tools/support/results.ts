import { isObject, type Json } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'

// What a result of a tool says, wherever a legal server may write it.

/** The texts of a result's content, in their order. */
export function textsOf({ result }: McpExchange): string[] {
  const content = result?.['content']
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown) =>
    isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string'
      ? [part['text']]
      : [],
  )
}

/** All text of a result. */
export const textOf = (exchange: McpExchange): string => textsOf(exchange).join('\n')

/** Whether the text tells of a failure, as the document has it. */
export const hasErrorPrefix = (exchange: McpExchange): boolean =>
  /^\s*Error:/.test(textOf(exchange))

/** Whether a tool was called and did what it does: a result with text, marked as no error, that tells of none. */
export const isSuccess = (exchange: McpExchange): boolean =>
  exchange.result !== undefined &&
  exchange.result['isError'] !== true &&
  !hasErrorPrefix(exchange) &&
  (textsOf(exchange).length > 0 || isObject(exchange.result['structuredContent']))

/** Whether what was asked was refused: an error of the protocol, or a result that is marked as one or tells of one. */
export const isRefusal = (exchange: McpExchange): boolean =>
  exchange.error !== undefined ||
  (exchange.result !== undefined &&
    (exchange.result['isError'] === true || hasErrorPrefix(exchange)))

/** A result in json: an object, from the text, else from the structured content, which may wrap it in `result`. Undefined where there is none. */
export function jsonOf(exchange: McpExchange): Json | undefined {
  const { structuredContent } = exchange.result ?? {}
  const wrapped = isObject(structuredContent) ? structuredContent['result'] : undefined
  for (const candidate of [
    ...textsOf(exchange).map(parsed),
    structuredContent,
    wrapped,
    parsed(wrapped),
  ]) {
    if (
      isObject(candidate) &&
      !(candidate === structuredContent && Object.keys(candidate).join() === 'result')
    )
      return candidate
  }
  return undefined
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The items of a page: its one array of objects; of several the longest, since the others are about the page. Undefined where there is no array. */
export function itemsOf(page: Json): readonly unknown[] | undefined {
  const arrays = Object.values(page).filter((value): value is unknown[] => Array.isArray(value))
  const ofObjects = arrays.filter((array) => array.every(isObject))
  return (ofObjects.length > 0 ? ofObjects : arrays).toSorted(
    (one, other) => other.length - one.length,
  )[0]
}

/** Characters as people count them who count code points, the fewest of all ways to count. */
export const lengthOf = (text: string): number =>
  text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)
