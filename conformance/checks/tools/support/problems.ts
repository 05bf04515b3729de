import type { McpProblem, McpProblemCode } from '../../../wire/index.ts'

/** Problem codes, grouped by the requirement that covers them. */
const codes = {
  message: ['no-message', 'empty-batch'],
  id: ['second-response', 'unknown-id', 'unknown-null-id', 'wrong-id-type', 'wrong-stream'],
  output: ['line-not-utf8', 'line-not-json', 'line-unfinished'],
  body: ['content-type', 'body-not-utf8', 'body-not-json', 'event-not-json'],
  json: ['body-not-utf8', 'body-not-json', 'event-not-json'],
  stream: ['message-in-post-response', 'no-post-response'],
} as const satisfies Record<string, readonly McpProblemCode[]>

export const isProblem = ({ code }: McpProblem, kind: keyof typeof codes): boolean =>
  (codes[kind] as readonly McpProblemCode[]).includes(code)
