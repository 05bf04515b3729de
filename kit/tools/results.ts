import type { Validator } from '../../generated/contract.ts'
import {
  validateErrorMessage,
  validatePaginationResult,
  validateTruncation,
  type Page,
  type Truncation,
} from '../../generated/tools/documented/index.ts'

/**
 * The result of a tool call, as `tools/call` returns it. The results of MCP clients have this type.
 *
 * @example
 * const result: ToolCallResult = { content: [{ type: 'text', text: '# Books' }] }
 */
export interface ToolCallResult {
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/**
 * Returns whether a tool call failed: `isError` is true, or the text begins with `Error:`.
 *
 * @example
 * const result: ToolCallResult = { content: [{ type: 'text', text: 'Error: no book b-9.' }] }
 * if (isToolError(result)) console.error(textOf(result))
 */
export function isToolError(result: ToolCallResult): boolean {
  return result.isError === true || validateErrorMessage(textOf(result))
}

/**
 * Returns the text of a result. Several parts are joined with line breaks.
 *
 * @example
 * const text = textOf({ content: [{ type: 'text', text: '# Books' }] })
 */
export function textOf({ content = [] }: ToolCallResult): string {
  return content
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}

/**
 * Returns the data of a result in the json format: the structured content, or the parsed text.
 * Returns undefined if it has neither, for example in the markdown format.
 *
 * @example
 * const page = dataOf({ content: [{ type: 'text', text: '{"total":0}' }] })
 */
export function dataOf(result: ToolCallResult): unknown {
  const { structuredContent: content } = result
  // Some servers wrap the JSON text in the member `result` of the structured content.
  if (isObject(content) && !(typeof content.result === 'string' && isOnlyMember(content)))
    return content
  try {
    return JSON.parse(isObject(content) ? (content.result as string) : textOf(result)) as unknown
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null

const isOnlyMember = (object: object) => Object.keys(object).length === 1

/**
 * Returns whether a value is a page of a list, with its items under the given name. With a
 * validator, also examines each item. A JSON Schema cannot express that `count` is the number of
 * items; that is examined too.
 *
 * @example
 * if (isPage(value, 'books') && value.has_more) console.log('continue with', value.next_offset)
 */
export function isPage<Name extends string, Item = unknown>(
  value: unknown,
  name: Name,
  validateItem?: Validator<Item>,
): value is Page<Name, Item> {
  if (!validatePaginationResult(value)) return false
  const items: unknown = (value as { readonly [key: string]: unknown })[name]
  return (
    Array.isArray(items) &&
    items.length === value.count &&
    (validateItem === undefined || items.every((item) => validateItem(item)))
  )
}

/**
 * Returns whether a result was truncated because it would exceed 25,000 characters. Its
 * `truncation_message` says how to get the rest.
 *
 * @example
 * if (isTruncated(value)) console.warn(value.truncation_message)
 */
export function isTruncated<T>(value: T): value is T & Truncation {
  return validateTruncation(value)
}
