import { describe, expect, test } from 'vitest'
import type { ToolsTarget } from '../target.ts'
import { callableTools, isRepeatable } from './plain-calls.ts'
import type { Tool } from './tool.ts'

const toolOf = (
  name: string,
  annotations: Record<string, unknown>,
  schema: Record<string, unknown> = { type: 'object' },
): Tool => ({ name, definition: {}, schema, annotations })
const tools = [
  toolOf('shelf_search_books', { readOnlyHint: true }, { type: 'object', required: ['query'] }),
  toolOf('shelf_show_status', { readOnlyHint: true }),
  toolOf(
    'shelf_list_readers',
    { readOnlyHint: true },
    {
      type: 'object',
      properties: { params: { type: 'object', properties: {} } },
      required: ['params'],
    },
  ),
  toolOf('shelf_read_rules', { readOnlyHint: true }, { type: 'object', required: ['topic'] }),
  toolOf('shelf_recommend_book', { readOnlyHint: true }),
  toolOf('shelf_count_visit', { readOnlyHint: 'true' }),
  toolOf('shelf_reset_all', {}),
  toolOf('shelf_delete_loan', { readOnlyHint: false, idempotentHint: true }),
  toolOf('shelf_create_loan', { readOnlyHint: false, idempotentHint: false }),
]
const target: ToolsTarget = {
  search: { tool: 'shelf_search_books', arguments: { query: 'the' } },
  calls: { shelf_delete_loan: { id: 'l-001' }, shelf_create_loan: {}, shelf_unlisted_tool: {} },
  elicit: { tool: 'shelf_recommend_book', arguments: {}, content: {} },
}

describe('calls that the suite may make', () => {
  test('are those that the target file names, and those that only read and need no arguments', () => {
    expect(
      callableTools(target, { tools }).map(
        ({ call: { tool }, isNamed }) => `${tool}${isNamed ? '' : ' by its hint'}`,
      ),
    ).toEqual([
      'shelf_search_books',
      'shelf_delete_loan',
      'shelf_create_loan',
      'shelf_unlisted_tool',
      'shelf_show_status by its hint',
      'shelf_list_readers by its hint',
    ])
    expect(callableTools({}, { tools: tools.slice(3, 4) })).toEqual([])
  })

  test('are repeatable if the tool only reads or is idempotent', () => {
    const again = callableTools(target, { tools })
      .filter((one) => isRepeatable(target, one))
      .map(({ call }) => call.tool)
    expect(again).toEqual([
      'shelf_search_books',
      'shelf_delete_loan',
      'shelf_show_status',
      'shelf_list_readers',
    ])
  })
})
