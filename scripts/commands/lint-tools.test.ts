import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { generateCertificate } from '../../conformance/wire/certificate.ts'
import { describe as describeLintToolsCommand } from './lint-tools.ts'
import { findJsonError } from './tool-list/json-error.ts'
import { print } from './lint-tools/print.ts'
import { toolsIn } from './tool-list/saved.ts'
import { splitCommand } from './tool-list/split-command.ts'
import { commandOf } from './command.testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-lint-tools-'))
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
afterAll(() => rmSync(folder, { recursive: true }))

const lint = commandOf('lint-tools', describeLintToolsCommand)
const sample = () =>
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
  description: 'Gets the book with this id, and returns it in JSON.',
  annotations,
  inputSchema: { type: 'object', properties: { id: { type: 'string', description: 'The id.' } } },
}

/** A server with initialize and tools/list over streamable HTTP, one list of tools per page. */
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

describe('touchstone lint-tools', () => {
  test.each(['http', 'sse'])('says how to trust a certificate, over %s', async (transport) => {
    const server = createSecureServer(await generateCertificate(), (_, response) => response.end())
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { status, error } = await lint(`--${transport}`, `https://127.0.0.1:${port}/mcp`)
    expect([status, error]).toEqual([
      3,
      expect.stringMatching(/self-signed certificate\n *Next: set NODE_EXTRA_CA_CERTS to /),
    ])
  })

  test('finds no problems in sample definitions, in each format', async () => {
    const tools = [sample()]
    for (const form of [
      tools,
      { tools },
      { jsonrpc: '2.0', id: 1, result: { tools } },
      `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } })}\n\n`,
    ]) {
      expect(await lint(file('sample.json', form), '--server-name', 'shelf_mcp')).toEqual({
        status: 0,
        out: '1 tool: no problems\n',
        error: '',
      })
    }
  })

  test('prints one line for each problem: tool, path, problem and fix', async () => {
    expect(
      await lint(
        file('wrong.json', { result: { tools: [sample(), wrong] } }),
        '--server-name',
        'Shelf',
      ),
    ).toEqual({
      status: 1,
      error: '',
      out: `error    server         server name  "Shelf" is not <service>_mcp in snake_case → rename it to shelf_mcp [TOOL-SERVER-03 server-name]
error    shelf_getBook  $.result.tools[1].name  is not of the form <service>_<action>_<object> in snake_case → rename it to shelf_get_book [TOOL-NAME-01 name]
error    shelf_getBook  $.result.tools[1].inputSchema.properties.id  is a string without a constraint → bound it with minLength, maxLength, pattern, format or enum [TOOL-INPUT-03 field-constraint]
warning  shelf_getBook  $.result.tools[1].annotations.destructiveHint  is true although readOnlyHint is true: clients ignore one of them → set one of them to false: a tool that only reads destroys nothing [TOOL-HINT-06 contradiction]
2 tools: 3 errors, 1 warning;
the errors are about conventions, which MCP does not require
`,
    })
  })

  test('exits with 0 if there are only warnings, but with 1 if --strict is set', async () => {
    const warned = file('warned.json', [{ ...sample(), annotations }])
    expect(await lint(warned)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^warning .*\n1 tool: 1 warning\n$/),
    })
    expect((await lint(warned, '--strict')).status).toBe(1)
  })

  test('ignores the rules and requirements that --ignore names', async () => {
    const ignored = ['--ignore', 'name', '--ignore', 'TOOL-INPUT-03']
    expect(await lint(file('ignored.json', [wrong]), ...ignored)).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /^warning .*\[TOOL-HINT-06 contradiction\]\n1 tool: 1 warning\n$/,
      ) as string,
    })
    expect(await lint(file('ignored.json', [wrong]), '--ignore', 'names')).toMatchObject({
      status: 3,
      error: expect.stringContaining(
        'there is no rule or requirement names. Findings end with both in brackets. The rules are ',
      ) as string,
    })
  })

  test('accepts the beginning of requirement ids, and the URL of a server', async () => {
    const { out } = await lint(file('ignored.json', [wrong]), '--ignore', 'TOOL')
    expect(out).toBe('1 tool: no problems\n')
    const { error } = await lint('http://127.0.0.1:9/mcp')
    expect(error).toContain('http://127.0.0.1:9/mcp')
    expect(error).not.toContain('no such file')
  })

  test('names a server also as types --tools-from does', async () => {
    const url = await serve([[sample()]])
    const withoutScheme = url.replace('http://', '')
    expect(await lint(withoutScheme)).toEqual(await lint('--http', url))
    const program = join(folder, 'program.mjs')
    const welcome = { protocolVersion: '2025-06-18', serverInfo: { name: 'shelf_mcp' } }
    writeFileSync(
      program,
      `import { createInterface } from 'node:readline'
      for await (const line of createInterface({ input: process.stdin })) {
        const { id, method } = JSON.parse(line)
        if (id === undefined) continue
        const result = method === 'initialize' ? ${JSON.stringify(welcome)} : ${JSON.stringify({ tools: [wrong] })}
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      }`,
    )
    const command = `"${process.execPath}" "${program}"`
    const { status, out } = await lint(`stdio:${command}`)
    expect(out).toContain('1 tool: 2 errors, 1 warning')
    expect([status, out]).toEqual([1, (await lint('--stdio', command)).out])
    const overSse = await lint('sse:http://127.0.0.1:1/sse')
    expect(overSse.error).toContain('http://127.0.0.1:1/sse does not respond to initialize')
    for (const [source, option] of [
      ['stdio:node x', '--stdio'],
      ['sse:http://127.0.0.1:1', '--sse'],
    ] as const)
      expect((await lint(source, option, 'x')).error).toContain('only one source is possible')
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
        requirement: 'TOOL-NAME-01',
        tool: 'shelf_getBook',
        path: '$[0].name',
        severity: 'error',
        problem: 'is not of the form <service>_<action>_<object> in snake_case',
        fix: 'rename it to shelf_get_book',
      },
      { summary: { tools: 1, errors: 2, conventions: 2, warnings: 1, exit: 1 } },
    ])
  })

  test('reads the name of a server and all pages of its tools', async () => {
    const keys: (string | undefined)[] = []
    const url = await serve([[sample()], [{ ...sample(), name: 'books_get_book' }]], keys)
    expect(await lint('--http', url, '--header', 'X-Key=abc')).toEqual({
      status: 1,
      error: '',
      out: expect.stringMatching(
        /^error {4}books_get_book {2}\$\.tools\[1\]\.name {2}does not begin with shelf_.*\n2 tools: 1 error;\nthe error is about conventions, which MCP does not require\n$/,
      ),
    })
    expect(new Set(keys)).toEqual(new Set(['abc']))
    expect((await lint('--http', url, '--server-name', 'other_mcp')).out).toContain(
      'error    server ',
    )
  })

  test('prints a note if the file contains only one of several pages', async () => {
    expect((await lint(file('page.json', { tools: [sample()], nextCursor: 'b' }))).error).toBe(
      'note: the result has a nextCursor, so these are not all tools.\n',
    )
  })

  test.each<[string, string[], string]>([
    ['a missing file', [join(folder, 'none.json')], 'there is no such file'],
    ['a folder', [folder], 'it is a folder'],
    [
      'invalid JSON',
      [file('broken.json', '{\n  "tools": [ }\n')],
      'broken.json is not JSON: line 2, column 14: Unexpected token',
    ],
    ['an empty file', [file('empty.json', '')], 'is empty. It must contain'],
    ['no list', [file('other.json', { books: [] })], 'no tools found in'],
    ['an empty list', [file('none.json.json', { tools: [] })], 'none.json.json is empty.'],
    [
      'an error',
      [file('error.json', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } })],
      'the response is an error: {"code":-32601',
    ],
    [
      'a file and a server',
      ['a.json', '--http', 'http://127.0.0.1:1/mcp'],
      'only one source is possible',
    ],
    [
      'two servers',
      ['--sse', 'http://127.0.0.1:1/sse', '--http', 'http://127.0.0.1:1/mcp'],
      'only one source is possible',
    ],
    ['an address without a scheme', ['--http', '127.0.0.1:8000'], '--http must be a URL'],
    [
      'a header without a name',
      ['--http', 'http://127.0.0.1:1/mcp', '--header', 'abc'],
      '--header must be name=value',
    ],
    ['a missing server', ['--http', 'http://127.0.0.1:1/mcp'], 'does not respond to initialize'],
    [
      'a command that ends',
      ['--stdio', `${process.execPath} -e "console.error('no port'); process.exit(4)"`],
      'Last lines of its standard error: no port',
    ],
    ['a quote that is not closed', ['--stdio', 'node "a'], 'a quote is not closed'],
  ])('exits with 3 and reports the reason: %s', async (_, words, expected) => {
    expect(await lint(...words)).toEqual({
      status: 3,
      out: '',
      error: expect.stringContaining(expected),
    })
  })

  /** The URL of a server that refuses every request in one way. */
  async function refusing(
    status: number,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const type = { 'Content-Type': 'application/json', ...headers }
    const server = createServer((request, response) =>
      request.resume().on('end', () => response.writeHead(status, type).end(body)),
    ).listen(0, '127.0.0.1')
    servers.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mpc`
  }

  const oauth = '{"error": "invalid_token"}'
  const rpc = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'no' } })
  const token = 'send the token with --header'
  test.each<[number, string, string[], string, string]>([
    [401, oauth, [], ' {"error":"invalid_token"}', token],
    [401, '', [], '', token],
    [403, rpc, [], ' error -32001 "no"', token],
    [401, oauth, ['--header', 'X-Key=abc'], ' {"error":"invalid_token"}', 'check the value of'],
    [404, '{"error": "not found"}', [], ' {"error":"not found"}', 'check the path'],
    [405, 'no', [], ' no', 'check the path'],
    [500, 'out of order', [], ' out of order', ''],
  ])(
    'shows the status %i of a refusal with the body %j',
    async (status, body, words, shown, next) => {
      const url = await refusing(status, body)
      const advice = next === '' ? '' : `       Next: ${next}`
      const { error } = await lint(url, ...words)
      const first = `error: ${url} responds to initialize with HTTP ${status}${shown}\n`
      expect(error.slice(0, first.length)).toBe(first)
      expect(error.slice(first.length).startsWith(advice)).toBe(true)
      expect(error.split('\n')).toHaveLength(next === '' ? 2 : 3)
      if (status === 401) {
        const overSse = await lint('--sse', url, ...words)
        expect(overSse.error).toContain(`${url} responds to initialize with HTTP 401`)
        expect(overSse.error).toContain(advice)
      }
    },
  )

  test('hides the values of headers that a refusal repeats', async () => {
    const url = await refusing(403, '{"error": "canary-4711-token is unknown"}')
    const { error } = await lint(url, '--header', 'Authorization=Bearer canary-4711-token')
    expect(error).toContain('with HTTP 403 {"error":"$authorization is unknown"}')
    expect(error).not.toContain('canary')
  })

  test('shows where a server redirects, and errors with status 200', async () => {
    const moved = await refusing(308, '', { Location: '/mcp' })
    expect((await lint(moved)).error).toContain('with HTTP 308 to /mcp\n       Next: use the URL')
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'oh' } })
    expect((await lint(await refusing(200, body))).error).toContain('with error -32603 "oh"\n')
  })

  test('wraps lines on a terminal, and escapes control characters in names', () => {
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
          requirement: 'TOOL-NAME-01',
          tool: 'a\u001b[31m',
          path: '$.tools[0].name',
          severity: 'error',
          problem: 'is not of the form <service>_<action>_<object> in snake_case',
          fix: 'call it something that is longer than what is left of the line',
        },
      ],
      { tools: 1, errors: 1, conventions: 1, warnings: 0, exit: 1 },
      false,
      out,
    )

    const lines = text.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n')
    expect(lines.every((line) => line.length <= 60)).toBe(true)
    expect(lines[0]).toBe('error    a␛[31m  $.tools[0].name')
    expect(lines.slice(1).join(' ').replaceAll(/\s+/g, ' ')).toBe(
      ' is not of the form <service>_<action>_<object> in snake_case → call it something that is longer than what is left of the line [TOOL-NAME-01 name] 1 tool: 1 error; the error is about conventions, which MCP does not require ',
    )
  })
})

describe('splitCommand', () => {
  test.each<[string, string[]]>([
    ['node  server.js --port 1', ['node', 'server.js', '--port', '1']],
    ['"my server" \'a b\' c\\ d', ['my server', 'a b', 'c d']],
    ['a"b c"d ""', ['ab cd', '']],
    ['x "a\\"b" \'\\n\'', ['x', 'a"b', '\\n']],
  ])('splits %s into %j', (line, words) => {
    expect(splitCommand(line, '--stdio')).toEqual(words)
  })
})

describe('findJsonError', () => {
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
  ])('finds the error in %j at index %i', (text, index) => {
    expect(() => JSON.parse(text) as unknown).toThrow()
    expect(findJsonError(text)).toBe(index)
  })

  test('is used to report line and column', () => {
    expect(() => toolsIn('{\n "tools": [\n  1,,\n ]}', 'x.json')).toThrow(
      'x.json is not JSON: line 3, column 5: Unexpected token',
    )
  })
})
