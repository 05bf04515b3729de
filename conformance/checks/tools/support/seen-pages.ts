import { isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { PaginationResult } from '../../../../generated/tools/index.ts'
import { violatedRequirement } from './contract.ts'
import {
  isCount,
  numbersOfPage,
  readPage,
  type ConsistentPage,
  type ResultPage,
} from './result-page.ts'
import { isSuccess } from './results.ts'

/** The members by which a JSON result is recognized as a page. */
const pageMembers = ['total', 'count', 'offset', 'has_more']

/** A page that a check has received. */
export interface SeenPage extends ResultPage {
  /** Whether the request contains a limit. */
  readonly hasLimit: boolean
  /** Whether the request contains a valid offset. */
  readonly hasOffset: boolean
}

/** The name and the arguments of a call; undefined if the exchange sent something else. */
function callIn({ sent: { text } }: McpExchange): { tool: string; args: object } | undefined {
  if (text === undefined || !text.includes('tools/call')) return undefined
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return undefined
  }
  const params = isObject(message) && message['method'] === 'tools/call' ? message['params'] : {}
  if (!isObject(params) || typeof params['name'] !== 'string') return undefined
  const own = isObject(params['arguments']) ? params['arguments'] : {}
  return { tool: params['name'], args: isObject(own['params']) ? own['params'] : own }
}

/**
 * Returns the page in the result of a call with `response_format` json, whichever check made the
 * call. A page past the end also counts. Undefined for other exchanges.
 */
export function seenPage(exchange: McpExchange): SeenPage | undefined {
  const call = callIn(exchange)
  if (call === undefined || !('response_format' in call.args) || !isSuccess(exchange))
    return undefined
  if (call.args.response_format !== 'json') return undefined
  const page = readPage(exchange, { tool: call.tool, arguments: { ...call.args } })
  if (page === undefined || !pageMembers.every((name) => name in page.json)) return undefined
  const hasOffset = 'offset' in call.args && isCount(call.args.offset)
  return { ...page, hasLimit: 'limit' in call.args, hasOffset }
}

/**
 * Like `seenPage`, with the numbers of the page. Undefined if total, offset or count violates the
 * schema, or if count is wrong, because other checks report that.
 */
export function numbersOfSeenPage(exchange: McpExchange): ConsistentPage | undefined {
  const page = seenPage(exchange)
  if (page === undefined) return undefined
  if (violatedRequirement('page', page.json, numbersOfPage) !== undefined) return undefined
  const { total, offset, count } = page.json as unknown as PaginationResult
  const { items } = page
  return items?.length === count ? { ...page, items, total, offset, count } : undefined
}
