import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTools, targetOf } from '../../mocks/stateful/tools.ts'
import { packageRoot } from '../package.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeTypesCommand } from './types.ts'

let out: string
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'touchstone-types-'))
})
afterEach(() => rm(out, { recursive: true }))

const run = commandOf('types', describeTypesCommand)
const typesFrom = async (source: string, ...args: string[]) => {
  const { status, out: printed, error } = await run('--out', out, '--tools-from', source, ...args)
  return { status, text: printed + error }
}

const saved = async (tools: unknown, name = 'saved.json') => {
  await writeFile(join(out, name), JSON.stringify(tools))
  return join(out, name)
}
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

describe('touchstone types --tools-from', () => {
  test('writes the tools of a server over HTTP, and --check compares them', async () => {
    const server = await startTools()
    try {
      const { http } = targetOf(server).tools as { http: string }
      expect((await typesFrom(http)).text).toContain(`wrote    ${join(out, 'shelf-mcp.ts')}`)
      const text = await readFile(join(out, 'shelf-mcp.ts'), 'utf8')
      expect(text).toMatch(
        /^\/\/ @ts-nocheck Written by `touchstone types` from the tools of shelf_mcp/,
      )
      expect(text).toContain('"shelf_search_books": { arguments: ShelfSearchBooksArguments')
      expect((await typesFrom(http, '--check')).status).toBe(0)
      await writeFile(join(out, 'shelf-mcp.ts'), text.replace('query: string', 'query: number'))
      const { status, text: message } = await typesFrom(http, '--check', '--header', 'X-Key=hush')
      expect(status).toBe(1)
      expect(message).toContain(`differs  ${join(out, 'shelf-mcp.ts')}\n`)
      expect(message).toContain(`--tools-from ${http} --header X-Key=…\n`)
      expect(message).not.toContain('hush')
    } finally {
      await server.close()
    }
  })

  test('writes types for all tools of a program', async () => {
    const program = join(
      packageRoot(),
      'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    )
    const { status, text } = await typesFrom(`stdio:"${process.execPath}" "${program}"`)
    expect([status, text]).toEqual([0, expect.not.stringContaining('note:')])
    const [file] = await readdir(out)
    const module = await readFile(join(out, file!), 'utf8')
    expect(module).toContain('export const isGetSumArguments: Guard<GetSumArguments>')
    expect(module).toContain('export const isGetStructuredContentResult')
  })

  test('reads a saved list, and names the file after it', async () => {
    const result = { jsonrpc: '2.0', id: 1, result: { tools: [tool('b'), tool('a'), {}] } }
    const { text } = await typesFrom(await saved(result, 'My Tools.json'))
    expect(text).toContain('note: no types for a tool without a name')
    expect(await readFile(join(out, 'my-tools.ts'), 'utf8')).toMatch(/"a": [^]*"b": /)
  })

  test.each([
    ['tools', 'server-tools.ts'],
    ['../../evil', 'evil.ts'],
    ['…', 'server-tools.ts'],
  ])('--name %j writes only %s', async (name, file) => {
    const source = await saved([tool('a')])
    expect((await typesFrom(source, '--name', name)).status).toBe(0)
    expect(await readdir(out)).toEqual(['saved.json', file].sort())
  })

  test.each([
    ['http://127.0.0.1:9/mcp', /does not respond to initialize/],
    ['127.0.0.1:9/mcp', /does not respond to initialize/],
    ['stdio:', /cannot be read/],
    ['missing.json', /there is no such file/],
    ['ftp://127.0.0.1/mcp', /cannot be read/],
  ])('%s exits with 3', async (source, message) => {
    const { status, text } = await typesFrom(source)
    expect([status, text]).toEqual([3, expect.stringMatching(message)])
  })

  test('counts one file in the singular', async () => {
    const source = await saved([tool('a')])
    await typesFrom(source)
    expect((await typesFrom(source)).text).toBe(`The file in ${out} was up to date.\n`)
    expect((await typesFrom(source, '--check')).text).toBe(`The file in ${out} is up to date.\n`)
  })

  test('refuses lists that are empty or not complete', async () => {
    expect((await typesFrom(await saved([]))).text).toContain('lists no tools')
    const page = { tools: [tool('a')], nextCursor: 'more' }
    expect((await typesFrom(await saved(page))).text).toContain('does not contain all tools')
    expect((await typesFrom(await saved({ books: [] }))).text).toContain('no tools found')
  })

  test('reports a server that requires a token', async () => {
    const server = createServer((_request, response) => response.writeHead(401).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const { status, text } = await typesFrom(`http://127.0.0.1:${port}/mcp`)
    expect([status, text]).toEqual([3, expect.stringContaining('401')])
    await new Promise((resolve) => server.close(resolve))
  })

  test.each([
    ['--http', 'http://127.0.0.1:1/mcp', 'http://127.0.0.1:1/mcp'],
    ['--sse', 'http://127.0.0.1:1/sse', 'sse:http://127.0.0.1:1/sse'],
    ['--stdio', 'node a.js', "'stdio:node a.js'"],
  ])('%s, an option of lint-tools, names --tools-from', async (option, value, source) => {
    const { status, error } = await run('--out', out, option, value)
    expect(error).toContain(`${option} is an option of lint-tools.\n`)
    expect(error).toContain(`Next: --tools-from ${source}\n`)
    expect(status).toBe(3)
  })

  test('refuses options that contradict each other', async () => {
    const source = await saved([tool('a')])
    expect((await typesFrom(source, '--contract', 'tools')).text).toContain('exclude each other')
    expect((await typesFrom(source, '--header', 'a=b')).text).toContain('--header needs a server')
    expect((await run('--out', out, '--name', 'x')).error).toContain('--name needs --tools-from')
  })
})
