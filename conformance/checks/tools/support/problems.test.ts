import { expect, test } from 'vitest'
import type { McpExchange, McpProblemCode } from '../../../wire/index.ts'
import { unreadableBecauseOf } from './problems.ts'

const causeOf = (
  transport: McpExchange['transport'],
  code: McpProblemCode,
  more: Partial<McpExchange> = {},
) => unreadableBecauseOf({ transport, problems: [{ code, text: '' }], ...more } as McpExchange)

test('names the requirement that reports why a response cannot be read', () => {
  expect(causeOf('stdio', 'line-not-json')).toBe('TOOL-STDIO-02')
  expect(causeOf('http', 'event-not-json', { httpStatus: 200 })).toBe('TOOL-HTTP-02')
  expect(causeOf('sse', 'event-not-json', { httpStatus: 202 })).toBe('TOOL-SSE-03')
})

test('names no requirement for a response, for another problem, or for the body of a refusal', () => {
  expect(causeOf('stdio', 'line-not-json', { response: {} as never })).toBeUndefined()
  expect(causeOf('stdio', 'unknown-id')).toBeUndefined()
  // TOOL-HTTP-02 examines only successful responses, so it does not report this problem.
  expect(causeOf('http', 'body-not-json', { httpStatus: 500 })).toBeUndefined()
})
