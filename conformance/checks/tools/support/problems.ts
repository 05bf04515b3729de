import type { McpProblem, McpProblemCode } from '../../../wire/index.ts'

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
