import { expect, test } from 'vitest'
import type { ToolsChoices } from '../tools.ts'
import { connectClient, startServer, waitUntil, type TestClient } from './tools.testing.ts'

const connectWith = async (choices: Partial<ToolsChoices>): Promise<TestClient> =>
  connectClient(await startServer({ choices }))
const readBook = async ({ call }: TestClient) =>
  await call('get_book', { id: 'b-001', response_format: 'json' })

test.each(['inline', 'by reference'] as const)(
  'arguments can be nested in params, %s',
  async (nestedParams) => {
    const { client, text } = await connectWith({ nestedParams })
    const {
      tools: [search],
    } = await client.listTools()
    expect([
      Object.keys(search?.inputSchema.properties ?? {}),
      search?.inputSchema.required,
    ]).toEqual([['params'], ['params']])
    expect(await text('get_book', { params: { id: 'b-001' } })).toContain('(b-001)')
    expect(await text('get_book', { id: 'b-001' })).toMatch(/^Error: Invalid input/)
  },
)

test('content can be structured, as data or wrapped, with a schema', async () => {
  const data = await connectWith({ structured: 'data', outputSchema: true })
  // After the client has listed the tools, it validates each result with the schema of its tool.
  expect(
    (await data.client.listTools()).tools.every(
      ({ outputSchema }) => outputSchema?.type === 'object',
    ),
  ).toBe(true)
  const { structuredContent, content } = await readBook(data)
  expect(structuredContent).toEqual(JSON.parse(content[0]?.text ?? ''))
  expect((await data.call('search_books', { query: 'zzz' })).structuredContent).toMatchObject({
    total: 0,
    books: [],
  })
  const wrapped = await connectWith({ structured: 'wrapped', outputSchema: true })
  await wrapped.client.listTools()
  const {
    structuredContent: wrapping,
    content: [text],
  } = await readBook(wrapped)
  expect(wrapping).toEqual({ result: text?.text })
})

test('tools can be listed in pages', async () => {
  const { client } = await connectWith({ toolPage: 4 })
  const names: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const { tools, nextCursor } = await client.listTools(cursor === '' ? {} : { cursor })
    expect(tools.length).toBeLessThanOrEqual(4)
    names.push(...tools.map(({ name }) => name))
    cursor = nextCursor
  }
  expect(new Set(names).size).toBe(10)
  await expect(client.listTools({ cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 })
})

test('refusals can be JSON-RPC errors or results', async () => {
  await expect(
    (await connectWith({ invalidInput: 'error' })).call('get_book', {}),
  ).rejects.toMatchObject({
    code: -32602,
  })
  expect(await (await connectWith({ unknownTool: 'result' })).call('burn_books')).toMatchObject({
    isError: true,
  })
})

test('unknown arguments can be refused, allowed or ignored', async () => {
  const args = { id: 'b-001', more: 1 }
  for (const [extraInput, additionalProperties, isError] of [
    ['refused', false, true],
    ['allowed', undefined, undefined],
    ['ignored', false, undefined],
  ] as const) {
    const { client, call } = await connectWith({ extraInput })
    expect((await client.listTools()).tools[0]?.inputSchema.additionalProperties).toBe(
      additionalProperties,
    )
    expect((await call('get_book', args)).isError).toBe(isError)
  }
})

test('resources and logs can be disabled', async () => {
  const { client, call, logs } = await connectWith({ resources: false, logging: false })
  expect(client.getServerCapabilities()).toEqual({ tools: {} })
  expect((await call('read_rules', { topic: 'loans' })).isError).toBeUndefined()
  await call('report_inventory')
  expect(logs).toEqual([])
})

test('the wording and formatting can differ', async () => {
  const customised = await connectWith({
    markdownHeaders: '##',
    markdownLists: '1.',
    times: 'american',
    wording: 'terse',
    emptyResultIsError: true,
    errorFlag: false,
  })
  expect(await customised.text('get_book', { id: 'b-001' })).toMatch(
    /^## The Lighthouse[^]*\n5\. \*\*Added\*\*: January 4, 2021 at 08:30 UTC$/,
  )
  expect(await customised.call('get_book', { id: 'b-999' })).toEqual({
    content: [{ type: 'text', text: 'Error: not found, check the id' }],
  })
  expect(await customised.text('search_books', { query: 'zzz' })).toBe(
    "Error: no books match 'zzz'",
  )
  const dense = await connectWith({ indent: 0, keyOrder: 'reversed', extraFields: true })
  const [text = ''] = (await readBook(dense)).content.map((part) => part.text)
  expect([text.includes('\n'), Object.keys(JSON.parse(text) as object).slice(0, 2)]).toEqual([
    false,
    ['x_extra', 'added_at'],
  ])
})

test.each([
  ['fraction', [0.25, 0.5, 0.75, 1]],
  ['steps', [1, 2, 3, 4]],
  ['open', [1, 2, 3, 4]],
  ['none', []],
] as const)('progress can be reported as %s', async (progress, expected) => {
  const received: number[] = []
  await (
    await connectWith({ progress })
  ).call('report_inventory', {}, (at) => received.push(at.progress))
  expect(received).toEqual(expected)
})

test('sessions can have other ids, and DELETE and the GET stream can be disabled', async () => {
  for (const sessionIds of ['hex', 'short'] as const)
    expect(await (await connectWith({ sessionIds })).text('show_status')).toContain('shelf_mcp')
  const server = await startServer({ choices: { deleteSessions: false, getStream: false } })
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await fetch(server.mcp, { method })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  }
})

test('logs can be sent on the GET stream, as objects', async () => {
  const server = await startServer({ choices: { logStream: 'get', logData: 'object' } })
  const { call, logs } = await connectClient(server)
  await waitUntil(() =>
    [...server.context.sessions.values()].some(({ openStreams }) => openStreams > 0),
  )
  await call('report_inventory')
  await waitUntil(() => logs.length === 6)
  expect(logs[0]?.data).toEqual({ message: 'The inventory starts' })
})

test('elicitation can be disabled', async () => {
  const server = await startServer({ choices: { elicitation: false } })
  const { text } = await connectClient(server, 'http', {
    action: 'accept',
    content: { topic: 'sea' },
  })
  expect(await text('recommend_book')).toContain('could not be asked')
})
