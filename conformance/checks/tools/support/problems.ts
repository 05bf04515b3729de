import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { McpExchange, McpProblem, McpProblemCode } from '../../../wire/index.ts'

/** Problem codes, grouped by the kind of problem that a requirement covers. */
const codesOfKinds = {
  'not-a-message': ['no-message', 'empty-batch'],
  'unexpected-response': [
    'second-response',
    'unknown-id',
    'unknown-null-id',
    'wrong-id-type',
    'wrong-stream',
  ],
  'invalid-line': ['line-not-utf8', 'line-not-json', 'line-unfinished'],
  'invalid-body': ['content-type', 'body-not-utf8', 'body-not-json', 'event-not-json'],
  'invalid-json': ['body-not-utf8', 'body-not-json', 'event-not-json'],
  'wrong-stream': ['message-in-post-response', 'no-post-response'],
} as const satisfies Record<string, readonly McpProblemCode[]>

/** Whether a problem is of the given kind. */
export const isProblem = ({ code }: McpProblem, kind: keyof typeof codesOfKinds): boolean =>
  (codesOfKinds[kind] as readonly McpProblemCode[]).includes(code)

/** For each transport, the problem that makes a response unreadable, and its requirement. */
const unreadable = {
  http: ['invalid-json', 'TOOL-HTTP-02'],
  sse: ['invalid-body', 'TOOL-SSE-03'],
  stdio: ['invalid-line', 'TOOL-STDIO-02'],
} as const satisfies Record<string, readonly [keyof typeof codesOfKinds, RequirementId]>

/**
 * Returns the requirement that is not met if the suite could not read the response of an exchange.
 * Undefined if it could read the response, or if there is none for another reason.
 */
export function unreadableBecauseOf({
  transport,
  httpStatus = 200,
  response,
  problems,
}: McpExchange): RequirementId | undefined {
  const [kind, requirement] = unreadable[transport]
  // No requirement covers the body of a response that is a refusal.
  const isRefused = transport === 'http' && (httpStatus < 200 || httpStatus > 299)
  return !isRefused && response === undefined && problems.some((one) => isProblem(one, kind))
    ? requirement
    : undefined
}
