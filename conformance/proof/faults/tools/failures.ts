import type { ToolCall } from '../../../../mocks/stateful/tools/call.ts'
import { failureOf, type ToolFailure } from '../../../../mocks/stateful/tools/kit/failures.ts'
import { JsonRpcError, type ToolResult } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import { fault, onRequest, replaceRules, type MakeToolsDeviation } from './building.ts'

/** Tells some failures in other words. */
const says = (
  text: (failure: ToolFailure, usual: string) => string | undefined,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    failure(failure, choices) {
      const usual = defaultRules.failure(failure, choices)
      const other = text(failure, usual)
      if (other !== undefined) hit()
      return other ?? usual
    },
  }))

const status = (code: number, text: string): MakeToolsDeviation =>
  says((failure) => (failure.kind === 'status' && failure.status === code ? text : undefined))
const isOther = (failure: ToolFailure): boolean =>
  failure.kind === 'status' && ![401, 403, 404, 429].includes(failure.status)
const unexpected = (type: RegExp, text: string): MakeToolsDeviation =>
  says((failure) => (failure.kind === 'unexpected' && type.test(failure.type) ? text : undefined))
const reset = /^(ECONN|EPIPE)/
const garbage = /SyntaxError/

const found = (text: (query: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    nothing(query) {
      hit()
      return text(query)
    },
  }))

/** Gives up an upstream after another time. */
const patient =
  (milliseconds: number): MakeToolsDeviation =>
  (hit) => ({
    rules: { upstreamTimeoutMs: milliseconds },
    around(call, next) {
      if (call.tool.name === 'shelf_get_book') hit()
      return next()
    },
  })

/** A tool that never works again in a session in which it has failed so. */
const broken =
  (breaks: (failure: ToolFailure) => boolean): MakeToolsDeviation =>
  (hit) => {
    const results = new WeakMap<ToolCall['session'], ToolResult>()
    return onRequest(async (call, next) => {
      if (call.tool.name !== 'shelf_get_book') return next()
      const before = results.get(call.session)
      if (before !== undefined) {
        hit()
        return before
      }
      // What fails in a tool is told behind all that stands around it.
      try {
        return await next()
      } catch (error) {
        if (breaks(failureOf(error)))
          results.set(call.session, {
            content: [{ type: 'text', text: 'Error: Unexpected error of type BrokenTool.' }],
            isError: true,
          })
        throw error
      }
    })(hit)
  }

/** Failures of the upstream that are told in a wrong way, too late, or for ever. */
export const failures: readonly ToolsFault[] = [
  fault(
    'errors-have-no-prefix',
    'Tells failures without Error: in front.',
    ['TOOL-ERROR-01'],
    says((_failure, usual) => usual.replace('Error: ', '')),
  ),
  fault(
    'errors-have-another-prefix',
    'Begins texts about failures with Oops.',
    ['TOOL-ERROR-01'],
    says((_failure, usual) => usual.replace('Error:', 'Oops:')),
  ),
  fault(
    'failures-are-errors-of-the-protocol',
    'Answers calls that fail with an error of JSON-RPC.',
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
    'Tells of status 404 as of any other.',
    ['TOOL-ERROR-02'],
    status(404, 'Error: The API request failed with status 404.'),
  ),
  fault(
    '404-helps-nobody',
    'Tells that nothing was found, and not what to look at.',
    ['TOOL-ERROR-02'],
    status(404, 'Error: Not found.'),
  ),
  fault(
    '403-is-any-other-status',
    'Tells of status 403 as of any other.',
    ['TOOL-ERROR-03'],
    status(403, 'Error: The API request failed with status 403.'),
  ),
  fault(
    '401-and-403-change-places',
    'Tells of 401 what is meant for 403, and the other way round.',
    ['TOOL-ERROR-03', 'TOOL-ERROR-05'],
    says((failure) =>
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
    'Tells of status 429 as of any other.',
    ['TOOL-ERROR-04'],
    status(429, 'Error: The API request failed with status 429.'),
  ),
  fault(
    '429-tells-nobody-to-wait',
    'Tells of a rate limit, and not to wait.',
    ['TOOL-ERROR-04'],
    status(429, 'Error: Rate limit exceeded.'),
  ),
  fault(
    '401-is-any-other-status',
    'Tells of status 401 as of any other.',
    ['TOOL-ERROR-05'],
    status(401, 'Error: The API request failed with status 401.'),
  ),
  fault(
    'statuses-are-not-named',
    'Tells that a request failed, and not with which status.',
    ['TOOL-ERROR-06'],
    says((failure) => (isOther(failure) ? 'Error: The API request failed.' : undefined)),
  ),
  fault(
    'every-status-is-500',
    'Tells 500 as every other status.',
    ['TOOL-ERROR-06'],
    says((failure) =>
      isOther(failure) && failure.kind === 'status' && failure.status !== 500
        ? 'Error: The API request failed with status 500.'
        : undefined,
    ),
  ),
  fault(
    'time-out-is-unexpected',
    'Tells of a time-out as of anything unexpected.',
    ['TOOL-ERROR-07'],
    says(({ kind }) =>
      kind === 'timeout' ? 'Error: Unexpected error of type AbortError.' : undefined,
    ),
  ),
  fault(
    'time-out-is-a-status',
    'Tells of a time-out as of a status.',
    ['TOOL-ERROR-07'],
    says(({ kind }) =>
      kind === 'timeout' ? 'Error: The API request failed with status 504.' : undefined,
    ),
  ),

  fault(
    'reset-has-no-type',
    'Tells that something unexpected happened where a connection is reset, and no type.',
    ['TOOL-ERROR-08'],
    unexpected(reset, 'Error: Unexpected error.'),
  ),
  fault(
    'garbage-has-no-type',
    'Tells that something unexpected happened where an answer cannot be read, and no type.',
    ['TOOL-ERROR-08'],
    unexpected(garbage, 'Error: Unexpected error.'),
  ),
  fault(
    'reset-is-a-rate-limit',
    'Tells of a rate limit where a connection is reset.',
    ['TOOL-ERROR-08'],
    unexpected(reset, 'Error: Rate limit exceeded (ECONNRESET). Wait before retrying.'),
  ),
  fault(
    'garbage-is-not-found',
    'Tells that nothing was found where an answer cannot be read.',
    ['TOOL-ERROR-08'],
    unexpected(garbage, 'Error: Resource not found in the JSON. Check the identifier.'),
  ),

  fault(
    'nothing-found-is-a-header',
    'Gives a header and nothing else where a search finds nothing.',
    ['TOOL-ERROR-09'],
    found((query) => `# Books matching '${query}'`),
  ),
  fault(
    'nothing-found-is-unexpected',
    'Tells of something unexpected where a search finds nothing.',
    ['TOOL-ERROR-09'],
    found(() => 'Error: Unexpected error of type TypeError.'),
  ),

  fault(
    'tool-that-failed-stays-broken',
    'Never works again in a session in which an answer could not be read.',
    ['TOOL-ERROR-11'],
    broken((failure) => failure.kind === 'unexpected' && garbage.test(failure.type)),
  ),
  fault(
    'tool-that-timed-out-stays-broken',
    'Never works again in a session in which a request timed out.',
    ['TOOL-ERROR-11'],
    broken((failure) => failure.kind === 'timeout'),
  ),

  fault(
    'upstream-has-five-seconds',
    'Waits five seconds for its upstream.',
    ['TOOL-TIMEOUT-01'],
    patient(5000),
  ),
  fault(
    'upstream-has-a-minute',
    'Waits a minute for its upstream.',
    ['TOOL-TIMEOUT-01'],
    patient(60_000),
  ),
]
