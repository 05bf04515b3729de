import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { proposeKeys } from './proposals.ts'
import type { Tool } from './tool.ts'

const tool = (
  name: string,
  properties: Record<string, unknown> = {},
  { required = Object.keys(properties), readOnlyHint = true, openWorldHint = true } = {},
): Tool => ({
  name,
  definition: {},
  schema: { type: 'object', properties, required },
  annotations: { readOnlyHint, openWorldHint },
})

const paging = { limit: { type: 'integer' }, offset: { type: 'integer' } }
const target = { http: 'http://127.0.0.1:1/mcp' }

const proposed = (...[own, seen]: Parameters<typeof proposeKeys>): unknown =>
  parse(proposeKeys(own, seen).join('\n'))

test('proposes calls, with the values that the definitions show', () => {
  const tools = [
    tool('shelf_list_readers', paging, { required: [] }),
    tool('shelf_search_books', { query: { type: 'string' }, ...paging }, { required: ['query'] }),
    tool('shelf_get_book', { id: { type: 'string', examples: ['b-1'] } }),
    tool('shelf_read_rules', { topic: { enum: ['loans', 'fees'] }, page: { minimum: 1 } }),
  ]
  expect(proposed(target, { tools, resource: 'shelf://rules' })).toEqual({
    tools: {
      search: { tool: 'shelf_search_books', arguments: { query: '…' }, id: '…', title: '…' },
      get: { tool: 'shelf_get_book', arguments: { id: 'b-1' } },
      calls: {
        shelf_read_rules: { topic: 'loans', page: 1 },
      },
      resource: 'shelf://rules',
    },
  })
})

test('proposes a tool that lists if no tool has a field for a query', () => {
  const tools = [
    tool('shelf_count', {}),
    tool(
      'shelf_list_loans',
      { since: { type: 'integer', minimum: 1 }, ...paging },
      { required: ['since'] },
    ),
  ]
  expect(proposed(target, { tools })).toEqual({
    tools: {
      search: {
        tool: 'shelf_list_loans',
        arguments: { since: 1 },
        query: false,
        id: '…',
        title: '…',
      },
    },
  })
})

test('proposes the id and the name of an item as in the output schema', () => {
  const loan = { properties: { book_id: {}, loan_id: {}, name: {} } }
  const definition = {
    outputSchema: {
      properties: { total: {}, loans: { type: 'array', items: { $ref: '#/$defs/loan' } } },
      $defs: { loan },
    },
  }
  const list = { ...tool('shelf_list_loans', paging, { required: [] }), definition }
  expect(proposed(target, { tools: [list] })).toMatchObject({
    tools: { search: { id: 'loan_id', title: 'name' } },
  })
})

test('proposes no tool without pagination for tools.search', () => {
  const tools = [tool('shelf_list_loans', { limit: { type: 'integer' } }, { required: [] })]
  expect(proposeKeys(target, { tools }).join()).not.toContain('search')
})

test('proposes nothing that the target file has', () => {
  const tools = [tool('shelf_get_book', { id: {} }), tool('shelf_get_reader', { id: {} })]
  const named = { tool: 'shelf_get_book', arguments: { id: 'b-1' } }
  expect(
    proposed({ ...target, get: named, resource: 'shelf://a' }, { tools, resource: 'shelf://b' }),
  ).toEqual({ tools: { calls: { shelf_get_reader: { id: '…' } } } })
})

test('proposes for tools.get only tools with openWorldHint', () => {
  const tools = [tool('shelf_get_rule', { id: { default: 1 } }, { openWorldHint: false })]
  expect(proposed(target, { tools })).toEqual({ tools: { calls: { shelf_get_rule: { id: 1 } } } })
})

test('proposes no tool that may change something', () => {
  const tools = [tool('shelf_delete_book', { id: {} }, { readOnlyHint: false })]
  expect(proposeKeys(target, { tools })).toEqual([])
})

test('proposes a tool without hints only if its name suggests that it reads, with a comment', () => {
  const unannotated = (
    name: string,
    ...rest: [Record<string, unknown>, { required: string[] }]
  ) => ({
    ...tool(name, ...rest),
    annotations: {},
  })
  const tools = [
    unannotated('find_books', { q: { type: 'string' }, ...paging }, { required: ['q'] }),
    unannotated('get_book', { id: {} }, { required: ['id'] }),
    unannotated('add_book', { id: {} }, { required: ['id'] }),
    unannotated('book', { id: {} }, { required: ['id'] }),
  ]
  expect(proposeKeys(target, { tools })).toEqual([
    'tools:',
    '  search: { tool: "find_books", arguments: { "q": … }, id: …, title: … } # only if it changes nothing: it has no readOnlyHint',
    '  calls:',
    '    "get_book": { "id": … } # only if it changes nothing: it has no readOnlyHint',
  ])
})

test('quotes names that contain YAML', () => {
  const name = 'get "x": {\n  evil: true }'
  const tools = [tool(name, { [name]: { default: name } })]
  expect(proposed(target, { tools, resource: name })).toEqual({
    tools: { get: { tool: name, arguments: { [name]: name } }, resource: name },
  })
})
