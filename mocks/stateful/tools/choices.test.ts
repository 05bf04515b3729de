import { expect, test } from 'vitest'
import type { ToolsChoices } from '../tools.ts'
import { peerOf, serverOf, until, type Peer } from './tools.testing.ts'

const peer = async (choices: Partial<ToolsChoices>): Promise<Peer> =>
  peerOf(await serverOf({ choices }))
const readBook = async ({ call }: Peer) =>
  await call('get_book', { id: 'b-001', response_format: 'json' })

test.each(['inline', 'referred'] as const)(
  'arguments may be nested in params, written %s',
  async (nestedParams) => {
    const { client, text } = await peer({ nestedParams })
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

test('content may be structured, as data or wrapped, and declared', async () => {
  const data = await peer({ structured: 'data', outputSchema: true })
  // The client itself compares what is declared with what comes, once it has seen the list.
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
  const wrapped = await peer({ structured: 'wrapped', outputSchema: true })
  await wrapped.client.listTools()
  const {
    structuredContent: wrapping,
    content: [text],
  } = await readBook(wrapped)
  expect(wrapping).toEqual({ result: text?.text })
})

test('tools may be listed in pages', async () => {
  const { client } = await peer({ toolPage: 4 })
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

test('refusals may be errors of JSON-RPC or results', async () => {
  await expect((await peer({ invalidInput: 'error' })).call('get_book', {})).rejects.toMatchObject({
    code: -32602,
  })
  expect(await (await peer({ unknownTool: 'result' })).call('burn_books')).toMatchObject({
    isError: true,
  })
})

test('other members may be refused, allowed or passed over', async () => {
  const args = { id: 'b-001', more: 1 }
  for (const [extraInput, told, isError] of [
    ['refused', false, true],
    ['allowed', undefined, undefined],
    ['passed over', false, undefined],
  ] as const) {
    const { client, call } = await peer({ extraInput })
    expect((await client.listTools()).tools[0]?.inputSchema.additionalProperties).toBe(told)
    expect((await call('get_book', args)).isError).toBe(isError)
  }
})

test('there may be no resources and no logs', async () => {
  const { client, call, logs } = await peer({ resources: false, logging: false })
  expect(client.getServerCapabilities()).toEqual({ tools: {} })
  expect((await call('read_rules', { topic: 'loans' })).isError).toBeUndefined()
  await call('report_inventory')
  expect(logs).toEqual([])
})

test('forms of texts may differ', async () => {
  const odd = await peer({
    markdownHeaders: '##',
    markdownLists: '1.',
    times: 'american',
    wording: 'terse',
    nothingIsError: true,
    errorFlag: false,
  })
  expect(await odd.text('get_book', { id: 'b-001' })).toMatch(
    /^## The Lighthouse[^]*\n5\. \*\*Added\*\*: January 4, 2021 at 08:30 UTC$/,
  )
  expect(await odd.call('get_book', { id: 'b-999' })).toEqual({
    content: [{ type: 'text', text: 'Error: not found, check the id' }],
  })
  expect(await odd.text('search_books', { query: 'zzz' })).toBe("Error: no books match 'zzz'")
  const dense = await peer({ indent: 0, keyOrder: 'reversed', extraFields: true })
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
] as const)('progress may be told as %s', async (progress, told) => {
  const heard: number[] = []
  await (await peer({ progress })).call('report_inventory', {}, (at) => heard.push(at.progress))
  expect(heard).toEqual(told)
})

test('sessions may have ids of other forms, stay, and have no stream of their own', async () => {
  for (const sessionIds of ['hex', 'short'] as const)
    expect(await (await peer({ sessionIds })).text('show_status')).toContain('shelf_mcp')
  const server = await serverOf({ choices: { deletes: false, getStream: false } })
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await fetch(server.mcp, { method })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  }
})

test('logs may travel on the stream of GET, as objects', async () => {
  const server = await serverOf({ choices: { logStream: 'get', logData: 'object' } })
  const { call, logs } = await peerOf(server)
  await until(() => [...server.context.sessions.values()].some(({ listening }) => listening > 0))
  await call('report_inventory')
  await until(() => logs.length === 6)
  expect(logs[0]?.data).toEqual({ message: 'The inventory begins' })
})

test('nobody may be asked, though a client can', async () => {
  const server = await serverOf({ choices: { elicits: false } })
  const { text } = await peerOf(server, 'http', { action: 'accept', content: { topic: 'sea' } })
  expect(await text('recommend_book')).toContain('could not be asked')
})
