import { isObject, type Json } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { parseReceivedJson } from '../../../wire/json.ts'
import { parseJson } from '../../../wire/mcp/framing.ts'

// Reads results of tools from all members in which a conforming server may write them.

/** The text parts of a result's content, in order. */
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

/** The first text part that is not blank; an empty string if there is none. */
export const firstTextOf = (exchange: McpExchange): string =>
  textsOf(exchange).find((text) => text.trim() !== '') ?? ''

/**
 * Whether the text begins with `Error:`, possibly after whitespace. This only recognizes failures:
 * their form is judged by the schema of error messages.
 */
export const hasErrorPrefix = (exchange: McpExchange): boolean =>
  /^\s*Error:/.test(textOf(exchange))

/**
 * Whether a call succeeded: a result with text or structured content, without isError and without
 * `Error:`.
 */
export const isSuccess = (exchange: McpExchange): boolean =>
  exchange.result !== undefined &&
  exchange.result['isError'] !== true &&
  !hasErrorPrefix(exchange) &&
  (textsOf(exchange).length > 0 || isObject(exchange.result['structuredContent']))

/** Whether a call was refused: a JSON-RPC error, or a result with isError or `Error:`. */
export const isRefusal = (exchange: McpExchange): boolean =>
  exchange.error !== undefined ||
  (exchange.result !== undefined &&
    (exchange.result['isError'] === true || hasErrorPrefix(exchange)))

/**
 * The codes of the JSON-RPC errors in the responses to a message. The body of an HTTP error may
 * contain another `error`, such as `{"error": {"message": "…"}}`.
 */
export const errorCodesOf = ({ responses }: Pick<McpExchange, 'responses'>): unknown[] =>
  responses.flatMap(({ json }) =>
    isObject(json['error']) && ('jsonrpc' in json || 'code' in json['error'])
      ? [json['error']['code'] ?? 'without a code']
      : [],
  )

/**
 * Returns the object of a JSON result, from the text or from the structured content. Structured
 * content may wrap the object in a member `result`. Returns undefined if there is no object.
 */
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

/**
 * Returns the array of a JSON result, from the text or from the member `result` of the structured
 * content. Returns undefined if there is no array.
 */
export function arrayOf(exchange: McpExchange): readonly unknown[] | undefined {
  const { structuredContent } = exchange.result ?? {}
  const wrapped = isObject(structuredContent) ? structuredContent['result'] : undefined
  return [...textsOf(exchange).map(parsed), wrapped, parsed(wrapped)].find((one) =>
    Array.isArray(one),
  )
}

function parsed(content: unknown): unknown {
  if (typeof content !== 'string') return undefined
  try {
    return parseReceivedJson(content)
  } catch {
    return undefined
  }
}

/**
 * The items of a page: its longest array of objects, or its longest array if no array has only
 * objects. Shorter arrays are assumed to be data about the page. Undefined if there is no array.
 */
export function itemsOf(page: Json): readonly unknown[] | undefined {
  const arrays = Object.values(page).filter((value): value is unknown[] => Array.isArray(value))
  const ofObjects = arrays.filter((array) => array.every(isObject))
  return (ofObjects.length > 0 ? ofObjects : arrays).toSorted(
    (one, other) => other.length - one.length,
  )[0]
}

/**
 * The length in code points. It is never more than the length in UTF-16 units or bytes, so that a
 * maximum is applied leniently.
 */
export const lengthOf = (text: string): number =>
  text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)

/** The name of the tool that a request called, for messages. */
export function calledToolOf({ sent, operation }: McpExchange): string {
  const request = parseJson(sent.text ?? '')?.value
  const params = isObject(request) ? request['params'] : undefined
  return isObject(params) && typeof params['name'] === 'string' ? params['name'] : operation
}
