import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { connectClient, startServer } from './tools/tools.testing.ts'

const transports = ['http', 'sse', 'stdio'] as const

describe.each(transports)("the official SDK's client, over %s", (transport) => {
  test('lists the tools in accordance with the conventions', async () => {
    const { client } = await connectClient(await startServer(), transport)
    expect(client.getServerVersion()?.name).toBe('shelf_mcp')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name.replace('shelf_', ''))).toEqual([
      'search_books',
      'list_readers',
      'get_book',
      'create_loan',
      'update_reader',
      'delete_loan',
      'report_inventory',
      'recommend_book',
      'read_rules',
      'show_status',
    ])
    for (const { description = '', annotations = {}, inputSchema } of tools) {
      expect(description).toMatch(/Accepts .*Returns .*Not for/)
      expect(Object.keys(annotations)).toEqual([
        'title',
        'readOnlyHint',
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
      ])
      for (const field of Object.values(inputSchema.properties ?? {}) as Record<
        string,
        unknown
      >[]) {
        const { type, description: fieldDescription, ...constraints } = field
        expect([typeof type, typeof fieldDescription, Object.keys(constraints).length > 0]).toEqual(
          ['string', 'string', true],
        )
      }
    }
  })

  test('calls every tool', async () => {
    const { text } = await connectClient(await startServer(), transport, {
      action: 'accept',
      content: { topic: 'sea' },
    })
    expect(await text('search_books', { query: 'the', limit: 1 })).toMatch(
      /^# Books matching 'the'\n\n1 to 1 of 60 books\.\n\n## The Lighthouse of the North \(b-001\)\n\n- \*\*Author/,
    )
    expect(await text('list_readers', { limit: 1 })).toMatch(
      /## Ada Adler \(r-001\)[^]*Member since\*\*: 4 January 2021, 08:30 UTC[^]*More: offset 1\.$/,
    )
    expect(await text('get_book', { id: 'b-002' })).toMatch(
      /^# The Orchard of the North \(b-002\)\n/,
    )
    const { id } = JSON.parse(
      await text('create_loan', { book_id: 'b-002', reader_id: 'r-003', response_format: 'json' }),
    ) as { id: string }
    expect(await text('delete_loan', { id })).toBe(`# Loan (${id})\n\n- **Deleted**: yes`)
    expect(await text('update_reader', { id: 'r-002', city: 'Oslo' })).toContain('**City**: Oslo')
    expect(await text('report_inventory', { aisle: 'A', limit: 1 })).toContain(
      '# Inventory of aisle A',
    )
    expect(await text('recommend_book')).toBe(
      "# Recommendation\n\nFor the topic 'sea':\n\n- The Lighthouse of the North (b-001) by Ada Castro",
    )
    expect(await text('read_rules', { topic: 'quiet' })).toContain('reading room')
    expect(await text('show_status')).toContain('**Server**: shelf_mcp')
  })

  test('reads resources by their templates, and reports unknown resources', async () => {
    const { client } = await connectClient(await startServer(), transport)
    expect(
      (await client.listResourceTemplates()).resourceTemplates.map(
        ({ uriTemplate }) => uriTemplate,
      ),
    ).toEqual(['shelf://books/{id}', 'shelf://rules/{topic}'])
    expect((await client.listResources()).resources).toHaveLength(3)
    const {
      contents: [book],
    } = await client.readResource({ uri: 'shelf://books/b-003' })
    expect(JSON.parse((book as { text: string }).text)).toMatchObject({
      id: 'b-003',
      title: 'The River of the North',
    })
    await expect(client.readResource({ uri: 'shelf://books/b-999' })).rejects.toMatchObject({
      code: -32002,
    })
  })

  test('receives progress only if it sends a token', async () => {
    const testClient = await connectClient(await startServer(), transport)
    const received: number[] = []
    await testClient.call('report_inventory', {}, ({ progress }) => received.push(progress))
    expect(received).toEqual([0.25, 0.5, 0.75, 1])
    await testClient.call('report_inventory')
    expect(received).toHaveLength(4)
  })

  test('receives the logs of its level and of more severe levels', async () => {
    const server = await startServer()
    const [quiet, other] = [
      await connectClient(server, transport),
      await connectClient(server, transport),
    ]
    await quiet.client.setLoggingLevel('error')
    for (const { call } of [quiet, other]) await call('report_inventory')
    expect(quiet.logs.map(({ level }) => level)).toEqual(['error'])
    expect(other.logs.map(({ level }) => level)).toEqual([
      'info',
      'debug',
      'debug',
      'debug',
      'debug',
      'error',
    ])
  })

  test.each([
    [{ action: 'decline' }, 'declined'],
    [{ action: 'cancel' }, 'cancelled'],
    [{ action: 'accept', content: { topic: 'zzz' } }, "no book about 'zzz'"],
    [{ action: 'accept', content: {} }, 'contained no topic'],
    [undefined, 'could not be asked'],
  ] as const)('handles the response %j of the user: %s', async (answer, expected) => {
    const { text } = await connectClient(await startServer(), transport, answer as never)
    expect(await text('recommend_book')).toContain(expected)
  })

  test('reports invalid input and unknown tools', async () => {
    const { call } = await connectClient(await startServer(), transport)
    expect(await call('search_books', { query: 'a' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Error: Invalid input.*query/) as string }],
    })
    await expect(call('burn_books')).rejects.toMatchObject({ code: -32602 })
  })
})

test("the official SDK's client starts the server as a subprocess", async () => {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const touchstone = new URL('../../scripts/touchstone.ts', import.meta.url).pathname
  const client = new Client({ name: 'tester', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--import', 'tsx', touchstone, 'mock', 'tools', '--transport', 'stdio'],
      stderr: 'inherit',
    }),
  )
  try {
    expect((await client.listTools()).tools).toHaveLength(10)
    expect(
      await client.callTool({ name: 'shelf_get_book', arguments: { id: 'b-001' } }),
    ).not.toHaveProperty('isError')
  } finally {
    await client.close()
  }
})

test('a subprocess writes only messages, answers all requests, and ends with its input', async () => {
  const touchstone = new URL('../../scripts/touchstone.ts', import.meta.url).pathname
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', touchstone, 'mock', 'tools', '--transport', 'stdio'],
    { stdio: 'pipe' },
  )
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    err += String(chunk)
  })
  child.stdin.end(
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\nno json\n{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"shelf_get_book","arguments":{"id":"b-001"}}}\n',
  )
  expect(
    await new Promise((resolve) => {
      child.once('close', resolve)
    }),
  ).toBe(0)
  const messages = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown })
  expect(messages.map(({ id }) => id).sort()).toEqual([1, 'b', null].sort())
  expect(err.replaceAll(/ [\d.]+ ms$/gm, '')).toBe('tools ping\ntools tools/call shelf_get_book\n')
})
