import type { ToolCall } from '../../../../mocks/stateful/tools/call.ts'
import { classifyFailure, type ToolFailure } from '../../../../mocks/stateful/tools/kit/failures.ts'
import { JsonRpcError, type ToolResult } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import { fault, onRequest, onText, replaceRules, type MakeToolsDeviation } from './building.ts'

/** Changes the messages of failures. If `text` returns undefined, the message is not changed. */
const changeMessage = (
  text: (failure: ToolFailure, original: string) => string | undefined,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    failureText(failure, choices) {
      const original = defaultRules.failureText(failure, choices)
      const other = text(failure, original)
      if (other !== undefined) hit()
      return other ?? original
    },
  }))

const onStatus = (code: number, text: string): MakeToolsDeviation =>
  changeMessage((failure) =>
    failure.kind === 'status' && failure.status === code ? text : undefined,
  )
const isOther = (failure: ToolFailure): boolean =>
  failure.kind === 'status' && ![401, 403, 404, 429].includes(failure.status)
const onUnexpected = (type: RegExp, text: string): MakeToolsDeviation =>
  changeMessage((failure) =>
    failure.kind === 'unexpected' && type.test(failure.type) ? text : undefined,
  )
const reset = /^(ECONN|EPIPE)/
const garbage = /SyntaxError/

const onEmptySearch = (text: (query: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    emptyResultText(query) {
      hit()
      return text(query)
    },
  }))

/** If a loan fails and `then` returns a result, returns that result in place of the failure. */
const onFailedLoan = (
  then: (failure: ToolFailure) => Promise<ToolResult> | undefined,
): MakeToolsDeviation =>
  onRequest(async (call, next, hit) => {
    try {
      return await next()
    } catch (error) {
      const other =
        call.tool.name === 'shelf_create_loan' ? then(classifyFailure(error)) : undefined
      if (other === undefined) throw error
      hit()
      return other
    }
  })

/** Replaces the timeout of upstream requests. */
const withTimeout =
  (milliseconds: number): MakeToolsDeviation =>
  (hit) => ({
    rules: { upstreamTimeoutMs: milliseconds },
    around(call, next) {
      if (call.tool.name === 'shelf_get_book') hit()
      return next()
    },
  })

/**
 * After a failure that `isBreaking` selects, shelf_get_book fails in all later calls of the
 * session.
 */
const stayBroken =
  (isBreaking: (failure: ToolFailure) => boolean): MakeToolsDeviation =>
  (hit) => {
    const results = new WeakMap<ToolCall['session'], ToolResult>()
    return onRequest(async (call, next) => {
      if (call.tool.name !== 'shelf_get_book') return next()
      const before = results.get(call.session)
      if (before !== undefined) {
        hit()
        return before
      }
      // A tool throws its failures. The mock converts them to results only after all wrappers, so
      // they can be caught here.
      try {
        return await next()
      } catch (error) {
        if (isBreaking(classifyFailure(error)))
          results.set(call.session, {
            content: [{ type: 'text', text: 'Error: Unexpected error of type BrokenTool.' }],
            isError: true,
          })
        throw error
      }
    })(hit)
  }

/** A message that states several causes at the same time. */
const allCauses =
  'the identifier was not found, access is not permitted, the API key is invalid, or there were too many requests'

/**
 * Faults in which upstream failures are reported wrongly, too early, too late, or in later calls as
 * well.
 */
export const failures: readonly ToolsFault[] = [
  fault(
    'errors-have-no-prefix',
    'Reports failures without the prefix "Error:".',
    ['TOOL-ERROR-01'],
    changeMessage((_failure, original) => original.replace('Error: ', '')),
  ),
  fault(
    'errors-have-another-prefix',
    'Reports failures with the prefix "Oops:".',
    ['TOOL-ERROR-01'],
    changeMessage((_failure, original) => original.replace('Error:', 'Oops:')),
  ),
  fault(
    'failures-in-json-are-objects',
    'Reports failures of calls with response_format json as a JSON object.',
    ['TOOL-ERROR-01'],
    onRequest(async (call, next, hit) => {
      try {
        return await next()
      } catch (error) {
        if (call.args['response_format'] !== 'json') throw error
        hit()
        const message = defaultRules.failureText(classifyFailure(error), call.server.choices)
        return {
          content: [{ type: 'text', text: JSON.stringify({ error: message }) }],
          isError: true,
        }
      }
    }),
  ),
  fault(
    'failures-are-errors-of-the-protocol',
    'Returns a JSON-RPC error for a call that fails.',
    ['TOOL-ERROR-01'],
    onRequest(async (call, next, hit) => {
      if (call.tool.name !== 'shelf_get_book') return next()
      try {
        return await next()
      } catch {
        hit()
        throw new JsonRpcError(-32603, 'the tool failed')
      }
    }),
  ),

  fault(
    '404-is-any-other-status',
    'Reports status 404 with the general message for other statuses.',
    ['TOOL-ERROR-02'],
    onStatus(404, 'Error: The API request failed with status 404.'),
  ),
  fault(
    '404-without-advice',
    'Reports that a resource was not found, but does not ask the caller to check the identifier.',
    ['TOOL-ERROR-02'],
    onStatus(404, 'Error: Not found.'),
  ),
  fault(
    '403-is-any-other-status',
    'Reports status 403 with the general message for other statuses.',
    ['TOOL-ERROR-03'],
    onStatus(403, 'Error: The API request failed with status 403.'),
  ),
  fault(
    '401-and-403-are-swapped',
    'Swaps the messages for 401 and 403.',
    ['TOOL-ERROR-03', 'TOOL-ERROR-05'],
    changeMessage((failure) =>
      failure.kind !== 'status'
        ? undefined
        : failure.status === 401
          ? 'Error: Permission denied.'
          : failure.status === 403
            ? 'Error: Invalid API authentication.'
            : undefined,
    ),
  ),
  fault(
    '429-is-any-other-status',
    'Reports status 429 with the general message for other statuses.',
    ['TOOL-ERROR-04'],
    onStatus(429, 'Error: The API request failed with status 429.'),
  ),
  fault(
    '429-without-advice',
    'Reports a rate limit, but does not ask the caller to wait.',
    ['TOOL-ERROR-04'],
    onStatus(429, 'Error: Rate limit exceeded.'),
  ),
  fault(
    '401-is-any-other-status',
    'Reports status 401 with the general message for other statuses.',
    ['TOOL-ERROR-05'],
    onStatus(401, 'Error: The API request failed with status 401.'),
  ),
  fault(
    'statuses-are-not-named',
    'Does not report the status of an upstream request that failed.',
    ['TOOL-ERROR-06'],
    changeMessage((failure) => (isOther(failure) ? 'Error: The API request failed.' : undefined)),
  ),
  fault(
    'every-status-is-500',
    'Reports every status except 401, 403, 404 and 429 as 500.',
    ['TOOL-ERROR-06'],
    changeMessage((failure) =>
      isOther(failure) && failure.kind === 'status' && failure.status !== 500
        ? 'Error: The API request failed with status 500.'
        : undefined,
    ),
  ),
  fault(
    'client-errors-are-400',
    'Reports every status from 400 to 499 except 401, 403, 404 and 429 as 400.',
    ['TOOL-ERROR-06'],
    changeMessage((failure) =>
      isOther(failure) && failure.kind === 'status' && failure.status > 400 && failure.status < 500
        ? 'Error: The API request failed with status 400.'
        : undefined,
    ),
  ),
  fault(
    '400-is-not-named',
    'Reports status 400 as a bad request, without its number.',
    ['TOOL-ERROR-06'],
    onStatus(400, 'Error: The API refused the request as malformed.'),
  ),
  fault(
    '502-is-500',
    'Reports status 502 as 500.',
    ['TOOL-ERROR-06'],
    onStatus(502, 'Error: The API request failed with status 500.'),
  ),
  fault(
    'all-statuses-are-named',
    'Names the same five statuses for every status except 401, 403, 404 and 429.',
    ['TOOL-ERROR-06'],
    changeMessage((failure) =>
      isOther(failure)
        ? 'Error: The API request failed with status 400, 409, 500, 502 or 503.'
        : undefined,
    ),
  ),
  fault(
    'two-statuses-are-named',
    'Names two statuses for 502 and 503.',
    ['TOOL-ERROR-06'],
    changeMessage((failure) =>
      failure.kind === 'status' && [502, 503].includes(failure.status)
        ? 'Error: The API is not available (status 502 or 503).'
        : undefined,
    ),
  ),
  fault(
    'failed-writes-do-not-name-the-status',
    'Does not report the status in a tool that writes.',
    ['TOOL-ERROR-06'],
    onFailedLoan((failure) =>
      failure.kind === 'status' && failure.status === 500
        ? Promise.resolve({
            content: [{ type: 'text', text: 'Error: The loan could not be made.' }],
            isError: true,
          })
        : undefined,
    ),
  ),
  fault(
    'timeout-is-unexpected',
    'Reports a timeout as an unexpected error.',
    ['TOOL-ERROR-07'],
    changeMessage(({ kind }) =>
      kind === 'timeout' ? 'Error: Unexpected error of type AbortError.' : undefined,
    ),
  ),
  fault(
    'timeout-without-advice',
    'Reports a timeout, but does not ask the caller to try again.',
    ['TOOL-ERROR-07'],
    changeMessage(({ kind }) =>
      kind === 'timeout' ? 'Error: The API request timed out.' : undefined,
    ),
  ),
  fault(
    'timeout-is-a-status',
    'Reports a timeout as status 504.',
    ['TOOL-ERROR-07'],
    changeMessage(({ kind }) =>
      kind === 'timeout' ? 'Error: The API request failed with status 504.' : undefined,
    ),
  ),

  fault(
    'reset-has-no-type',
    'Reports a closed connection as an unexpected error, without the type of the error.',
    ['TOOL-ERROR-08'],
    onUnexpected(reset, 'Error: Unexpected error.'),
  ),
  fault(
    'unreadable-response-has-no-type',
    'Reports an unreadable response as an unexpected error, without the type of the error.',
    ['TOOL-ERROR-08'],
    onUnexpected(garbage, 'Error: Unexpected error.'),
  ),
  fault(
    'reset-is-a-rate-limit',
    'Reports a closed connection as a rate limit.',
    ['TOOL-ERROR-08'],
    onUnexpected(reset, 'Error: Rate limit exceeded (ECONNRESET). Wait before retrying.'),
  ),
  fault(
    'unreadable-response-is-not-found',
    'Reports an unreadable response as not found.',
    ['TOOL-ERROR-08'],
    onUnexpected(garbage, 'Error: Resource not found in the JSON. Check the identifier.'),
  ),

  fault(
    'empty-search-names-the-query-before',
    'If a search finds nothing, names the query of the previous search that found nothing.',
    ['TOOL-ERROR-09'],
    (hit) => {
      let last: string | undefined
      return {
        rules: {
          emptyResultText(query) {
            const named = last ?? query
            if (named !== query) hit()
            last = query
            return `No books match the query '${named}'.`
          },
        },
      }
    },
  ),
  fault(
    'empty-search-is-a-header',
    'Returns only a heading if a search finds nothing.',
    ['TOOL-ERROR-09'],
    onEmptySearch((query) => `# Books matching '${query}'`),
  ),
  fault(
    'empty-search-in-json-is-a-bare-list',
    'Returns an empty array if a search with response_format json finds nothing.',
    ['TOOL-ERROR-09'],
    onText((text, { tool, args }) =>
      tool.name === 'shelf_search_books' &&
      args['response_format'] === 'json' &&
      !/^(\{|Error:)/.test(text)
        ? '[]'
        : text,
    ),
  ),
  fault(
    'empty-search-is-an-error',
    'Returns an error if a search finds nothing.',
    ['TOOL-ERROR-09'],
    onEmptySearch(() => 'Error: Unexpected error of type TypeError.'),
  ),

  fault(
    'empty-search-is-a-missing-resource',
    'Reports a missing resource if a search finds nothing.',
    ['TOOL-ERROR-09'],
    onEmptySearch(() => 'Error: Resource not found. Check that the identifier is correct.'),
  ),
  fault(
    'empty-search-with-tags-is-null',
    'Returns the text null if a search with tags finds nothing.',
    ['TOOL-ERROR-09'],
    onText((text, { tool, args: { tags, response_format: format } }) =>
      tool.name === 'shelf_search_books' &&
      Array.isArray(tags) &&
      tags.length > 0 &&
      format !== 'json' &&
      !/^(#|Error:)/.test(text)
        ? 'null'
        : text,
    ),
  ),

  fault(
    'one-message-for-every-status',
    'Reports all possible causes for every status of the upstream.',
    ['TOOL-ERROR-12'],
    changeMessage((failure) =>
      failure.kind === 'status'
        ? `Error: Request failed with status ${failure.status}: ${allCauses}. Try again later.`
        : undefined,
    ),
  ),
  fault(
    'one-message-for-401-and-403',
    'Reports the statuses 401 and 403 in the same words.',
    ['TOOL-ERROR-12'],
    changeMessage((failure) =>
      failure.kind === 'status' && (failure.status === 401 || failure.status === 403)
        ? 'Error: Access with this API key is not permitted.'
        : undefined,
    ),
  ),
  fault(
    'one-message-for-timeouts-and-other-failures',
    'Reports timeouts, closed connections, unreadable responses and status 429 in the same words.',
    ['TOOL-ERROR-12'],
    changeMessage((failure) =>
      failure.kind !== 'status' || failure.status === 429
        ? 'Error: Unexpected ApiError: the rate limit is exceeded, the request timed out, or the response is invalid. Wait, and try again.'
        : undefined,
    ),
  ),
  fault(
    'timeouts-are-closed-connections',
    'Reports timeouts and closed connections in the same words.',
    ['TOOL-ERROR-12'],
    changeMessage((failure) =>
      failure.kind === 'timeout' || (failure.kind === 'unexpected' && reset.test(failure.type))
        ? 'Error: Unexpected ConnectionError: the API closed the connection or the request timed out. Try again.'
        : undefined,
    ),
  ),
  fault(
    'unreadable-responses-are-rate-limits',
    'Reports unreadable responses and status 429 in the same words.',
    ['TOOL-ERROR-12'],
    changeMessage((failure) =>
      (failure.kind === 'unexpected' && garbage.test(failure.type)) ||
      (failure.kind === 'status' && failure.status === 429)
        ? 'Error: Unexpected ApiError: the response is invalid, or the rate limit is exceeded. Wait before retrying.'
        : undefined,
    ),
  ),
  fault(
    'tool-that-failed-stays-broken',
    'Fails every later call of a tool in a session after an unreadable response.',
    ['TOOL-ERROR-11'],
    stayBroken((failure) => failure.kind === 'unexpected' && garbage.test(failure.type)),
  ),
  fault(
    'tool-that-timed-out-stays-broken',
    'Fails every later call of a tool in a session after a timeout.',
    ['TOOL-ERROR-11'],
    stayBroken((failure) => failure.kind === 'timeout'),
  ),

  fault(
    'upstream-has-five-seconds',
    'Waits five seconds for its upstream.',
    ['TOOL-TIMEOUT-01'],
    withTimeout(5000),
  ),
  fault(
    'upstream-has-a-minute',
    'Waits a minute for its upstream.',
    ['TOOL-TIMEOUT-01'],
    withTimeout(60_000),
  ),
  fault(
    'upstream-has-forever-after-its-headers',
    'Waits without a limit for the body of an upstream response.',
    ['TOOL-TIMEOUT-01'],
    (hit) => ({
      rules: { upstreamTimeoutCoversBody: false },
      around(call, next) {
        if (call.tool.name === 'shelf_get_book') hit()
        return next()
      },
    }),
  ),
  fault(
    'upstream-has-forever-for-writes',
    'Waits without a limit for the upstream in a tool that writes.',
    ['TOOL-TIMEOUT-01'],
    onFailedLoan((failure) => (failure.kind === 'timeout' ? new Promise(() => {}) : undefined)),
  ),
]
