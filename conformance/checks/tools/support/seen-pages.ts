import { isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { isCount, readPage, type ConsistentPage, type ResultPage } from './result-page.ts'
import { isSuccess } from './results.ts'

/** The members by which a JSON result is recognized as a page. */
const pageMembers = ['total', 'count', 'offset', 'has_more']

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
 * The page that any call in JSON returned, whichever check made it; undefined if the exchange is
 * something else. A page that the server returned for an offset past the end counts as well.
 */
export function seenPage(exchange: McpExchange): ResultPage | undefined {
  const call = callIn(exchange)
  if (call === undefined || !('response_format' in call.args) || !isSuccess(exchange))
    return undefined
  if (call.args.response_format !== 'json') return undefined
  const page = readPage(exchange, { tool: call.tool, arguments: { ...call.args } })
  return page !== undefined && pageMembers.every((name) => name in page.json) ? page : undefined
}

/**
 * A page that was seen, with its numbers; undefined if they are not integers of at least 0, or if
 * the count is not that of its items, which TOOL-PAGE-02 reports.
 */
export function numbersOfSeenPage(exchange: McpExchange): ConsistentPage | undefined {
  const page = seenPage(exchange)
  if (page === undefined) return undefined
  const { total, offset, count } = page.json
  if (!isCount(total) || !isCount(offset) || !isCount(count)) return undefined
  const { items } = page
  return items?.length === count ? { ...page, items, total, offset, count } : undefined
}
