import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTools, type ToolsServer } from '../../../mocks/stateful/tools.ts'

// The Inspector is a client of the MCP project. It must be able to use the mock on every transport.
const run = promisify(execFile)
const cli = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/inspector-cli/build/cli.js',
)

let server: ToolsServer
let folder: string
let config: string
beforeAll(async () => {
  server = await startTools()
  folder = await mkdtemp(join(tmpdir(), 'touchstone-inspector-'))
  config = join(folder, 'config.json')
  // The Inspector takes options of the server, such as --transport, for its own.
  const program = join(folder, 'stdio.mjs')
  await writeFile(
    program,
    `import ${JSON.stringify(import.meta.resolve('tsx'))}
process.argv.splice(2, Infinity, 'mock', 'tools', '--transport', 'stdio', '--quiet')
await import(${JSON.stringify(new URL('../../../scripts/touchstone.ts', import.meta.url).href)})
`,
  )
  const shelf = { type: 'stdio', command: process.execPath, args: [program] }
  await writeFile(config, JSON.stringify({ mcpServers: { shelf } }))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** Runs one method, and returns the result. */
async function inspect(target: readonly string[], ...args: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [cli, '--cli', ...target, ...args], {
    // The Inspector reads its version relative to the working directory.
    cwd: dirname(cli),
    timeout: 60_000,
  })
  return JSON.parse(stdout)
}

test.for([
  ['streamable HTTP', () => [server.mcp, '--transport', 'http']],
  ['HTTP+SSE', () => [server.sse, '--transport', 'sse']],
  ['stdio', () => ['--config', config, '--server', 'shelf']],
] as const)('the Inspector lists and calls the tools of the mock over %s', async ([, targetOf]) => {
  const target = targetOf()
  const { tools } = (await inspect(target, '--method', 'tools/list')) as {
    tools: { name: string }[]
  }
  expect(tools.map(({ name }) => name)).toContain('shelf_search_books')
  expect(tools.length).toBeGreaterThan(8)

  const call = ['--method', 'tools/call', '--tool-name', 'shelf_search_books']
  const search = ['query=the', 'limit=2', 'response_format=json']
  const { content, isError } = (await inspect(target, ...call, '--tool-arg', ...search)) as {
    content: { text: string }[]
    isError?: boolean
  }
  expect(isError).not.toBe(true)
  expect(JSON.parse(content[0]!.text)).toMatchObject({ count: 2, offset: 0, has_more: true })
})
