import { createServer, type RequestListener, type Server } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe as suite, expect, test } from 'vitest'
import { describe } from './lint-tools.ts'
import { faultIn } from './lint-tools/fault.ts'
import { print } from './lint-tools/print.ts'
import { toolsIn } from './lint-tools/saved.ts'
import { wordsOf } from './lint-tools/words.ts'
import { commandOf } from './command.testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-lint-tools-'))
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
afterAll(() => rmSync(folder, { recursive: true }))

const lint = commandOf('lint-tools', describe)
const golden = () =>
  JSON.parse(
    readFileSync(
      new URL('../../specs/examples/tools/ToolDefinition.flat.json', import.meta.url),
      'utf8',
    ),
  ) as Record<string, unknown>
const file = (name: string, value: unknown) => {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}
const annotations = {
  title: 'Get a book',
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
}
const wrong = {
  name: 'shelf_getBook',
  description: 'Gets a book.',
  annotations,
  inputSchema: { type: 'object', properties: { id: { type: 'string', description: 'The id.' } } },
}

/** A server that answers initialize and tools/list: as many pages as there are lists, over streamable HTTP. */
async function serve(
  pages: readonly (readonly unknown[])[],
  headers: (string | undefined)[] = [],
): Promise<string> {
  const answer: RequestListener = (request, response) => {
    headers.push(request.headers['x-key'] as string | undefined)
    let text = ''
    request.on('data', (chunk) => {
      text += String(chunk)
    })
    request.on('end', () => {
      const { id, method, params } = JSON.parse(text === '' ? '{}' : text) as {
        id?: number
        method?: string
        params?: { cursor?: string }
      }
      if (id === undefined) return response.writeHead(202).end()
      const page = Number(params?.cursor ?? 0)
      const result =
        method === 'initialize'
          ? {
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 'shelf_mcp', version: '1' },
            }
          : {
              tools: pages[page],
              ...(page + 1 < pages.length ? { nextCursor: String(page + 1) } : {}),
            }
      return response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

suite('touchstone lint-tools', () => {
  test('finds nothing to mend in golden definitions, in each of the forms', async () => {
    const tools = [golden()]
    for (const form of [
      tools,
      { tools },
      { jsonrpc: '2.0', id: 1, result: { tools } },
      `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } })}\n\n`,
    ]) {
      expect(await lint(file('golden.json', form), '--server-name', 'shelf_mcp')).toEqual({
        status: 0,
        out: '1 tool: nothing to mend\n',
        error: '',
      })
    }
  })

  test('tells in one line each what is wrong, where, and how to mend it', async () => {
    expect(
      await lint(
        file('wrong.json', { result: { tools: [golden(), wrong] } }),
        '--server-name',
        'Shelf',
      ),
    ).toEqual({
      status: 1,
      error: '',
      out: `error    server         server name  "Shelf" is not <service>_mcp in lower snake case → call it shelf_mcp
error    shelf_getBook  $.result.tools[1].name  is not in snake_case → call it shelf_get_book
error    shelf_getBook  $.result.tools[1].inputSchema.properties.id  is a string without a constraint → bound it with minLength, maxLength, pattern, format or enum
warning  shelf_getBook  $.result.tools[1].annotations.destructiveHint  is true although readOnlyHint is true: clients ignore one of them → set one of them to false: a tool that only reads destroys nothing
2 tools: 3 errors, 1 warning
`,
    })
  })

  test('ends with 1 for warnings only where it is strict', async () => {
    const warned = file('warned.json', [{ ...golden(), annotations }])
    expect(await lint(warned)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^warning .*\n1 tool: 1 warning\n$/),
    })
    expect((await lint(warned, '--strict')).status).toBe(1)
  })

  test('prints lines of JSON', async () => {
    const { out, status } = await lint(file('json.json', [wrong]), '--json')
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect([status, lines[0], lines.at(-1)]).toEqual([
      1,
      {
        rule: 'name',
        tool: 'shelf_getBook',
        path: '$[0].name',
        severity: 'error',
        problem: 'is not in snake_case',
        fix: 'call it shelf_get_book',
      },
      { summary: { tools: 1, errors: 2, warnings: 1, exit: 1 } },
    ])
  })

  test('asks a server for its name and for all pages of its tools', async () => {
    const keys: (string | undefined)[] = []
    const url = await serve([[golden()], [{ ...golden(), name: 'books_get_book' }]], keys)
    expect(await lint('--http', url, '--header', 'X-Key=abc')).toEqual({
      status: 1,
      error: '',
      out: expect.stringMatching(
        /^error {4}books_get_book {2}\$\.tools\[1\]\.name {2}does not begin with shelf_.*\n2 tools: 1 error\n$/,
      ),
    })
    expect(new Set(keys)).toEqual(new Set(['abc']))
    expect((await lint('--http', url, '--server-name', 'other_mcp')).out).toContain(
      'error    server ',
    )
  })

  test('notes a page that is not the last', async () => {
    expect((await lint(file('page.json', { tools: [golden()], nextCursor: 'b' }))).error).toBe(
      'note: the result has a nextCursor, so this is only a part of the tools.\n',
    )
  })

  test.each<[string, string[], string]>([
    ['a file that is not there', [join(folder, 'none.json')], 'there is no such file'],
    ['a folder', [folder], 'it is a folder'],
    [
      'no JSON',
      [file('broken.json', '{\n  "tools": [ }\n')],
      'broken.json is no JSON: line 2, column 14: Unexpected token',
    ],
    ['an empty file', [file('empty.json', '')], 'is empty. It has to hold'],
    ['no list', [file('other.json', { books: [] })], 'no tools found in'],
    ['an empty list', [file('none.json.json', { tools: [] })], 'no tools found: the list is empty'],
    [
      'an error',
      [file('error.json', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } })],
      'the response is an error: {"code":-32601',
    ],
    ['a file and a server', ['a.json', '--http', 'http://127.0.0.1:1/mcp'], 'one server at a time'],
    [
      'two servers',
      ['--sse', 'http://127.0.0.1:1/sse', '--http', 'http://127.0.0.1:1/mcp'],
      'one server at a time',
    ],
    ['an address without a scheme', ['--http', '127.0.0.1:8000'], '--http wants a URL'],
    [
      'a header without a name',
      ['--http', 'http://127.0.0.1:1/mcp', '--header', 'abc'],
      '--header wants name=value',
    ],
    [
      'a server that is not there',
      ['--http', 'http://127.0.0.1:1/mcp'],
      'does not answer initialize',
    ],
    [
      'a command that ends',
      ['--stdio', `${process.execPath} -e "console.error('no port'); process.exit(4)"`],
      'Its last words: no port',
    ],
    ['a quote that stays open', ['--stdio', 'node "a'], 'a quote'],
  ])('%s ends with 3 and is named', async (_, words, expected) => {
    expect(await lint(...words)).toEqual({
      status: 3,
      out: '',
      error: expect.stringContaining(expected),
    })
  })

  test('breaks lines at the edge of a terminal, and lets no name steer it', () => {
    let text = ''
    const out = {
      isTTY: true,
      columns: 60,
      write: (piece: string) => {
        text += piece
      },
    }
    print(
      [
        {
          rule: 'name',
          tool: 'a\u001b[31m',
          path: '$.tools[0].name',
          severity: 'error',
          problem: 'is not in snake_case',
          fix: 'call it something that is longer than what is left of the line',
        },
      ],
      { tools: 1, errors: 1, warnings: 0, exit: 1 },
      false,
      out,
    )

    const lines = text.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n')
    expect(lines.every((line) => line.length <= 60)).toBe(true)
    expect(lines[0]).toBe('error    a␛[31m  $.tools[0].name')
    expect(lines.slice(1).join(' ').replaceAll(/\s+/g, ' ')).toBe(
      ' is not in snake_case → call it something that is longer than what is left of the line 1 tool: 1 error ',
    )
  })
})

suite('the words of a command', () => {
  test.each<[string, string[]]>([
    ['node  server.js --port 1', ['node', 'server.js', '--port', '1']],
    ['"my server" \'a b\' c\\ d', ['my server', 'a b', 'c d']],
    ['a"b c"d ""', ['ab cd', '']],
    ['x "a\\"b" \'\\n\'', ['x', 'a"b', '\\n']],
  ])('%s', (line, words) => {
    expect(wordsOf(line, '--stdio')).toEqual(words)
  })
})

suite('where a text stops being JSON', () => {
  test.each<[string, number]>([
    ['', 0],
    ['hello', 0],
    ['{"a": tru}', 6],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['[1,', 3],
    ['{"a" 1}', 5],
    ['[01]', 1],
    ['["a\nb"]', 1],
    ['{} x', 3],
    ['[1}', 2],
    ['{,}', 1],
    ['[[], {}, ]', 9],
    ['\ttrue false', 6],
  ])('%j: %i', (text, place) => {
    expect(() => JSON.parse(text) as unknown).toThrow()
    expect(faultIn(text)).toBe(place)
  })

  test('is told by line and column', () => {
    expect(() => toolsIn('{\n "tools": [\n  1,,\n ]}', 'x.json')).toThrow(
      'x.json is no JSON: line 3, column 5: Unexpected token',
    )
  })
})
