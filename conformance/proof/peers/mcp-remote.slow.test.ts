import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { startTools, targetOf, type ToolsServer } from '../../../mocks/stateful/tools.ts'
import type { Target } from '../../target.ts'
import { listVerdicts } from './reviewed.ts'

// mcp-remote serves a remote server over standard input and output, to clients that know only this
// transport. The verdicts on the mock through mcp-remote must be those on the mock itself.
const entry = createRequire(import.meta.url).resolve('mcp-remote/dist/proxy.js')

type Stdio = NonNullable<Target['tools']>['stdio']

/** Judges a mock that the suite reaches over standard input and output only. */
async function judge(stdioOf: (server: ToolsServer) => Stdio): Promise<string[]> {
  const server = await startTools({ controlRoutes: true })
  try {
    const { http: _http, sse: _sse, stdio: _, ...target } = targetOf(server).tools
    const stdio = stdioOf(server)
    const verdicts = await listVerdicts(
      { ...target, ...(stdio === undefined ? {} : { stdio }) },
      { contracts: ['tools'] },
    )
    return verdicts.split('\n')
  } finally {
    await server.close()
  }
}

let direct: string[]
beforeAll(async () => {
  direct = await judge((server) => ({
    connect() {
      const [input, output] = [new PassThrough(), new PassThrough()]
      const { closed, close } = server.serveStdio(input, output)
      return { input, output, closed: closed.then(() => ({ code: 0 })), close }
    },
  }))
})

test.for([
  ['http-only', 'mcp'],
  ['sse-only', 'sse'],
] as const)(
  'the verdicts through mcp-remote are those on the mock itself: %s',
  async ([transport, endpoint], { onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-mcp-remote-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const bridged = await judge((server) => ({
      command: process.execPath,
      args: [entry, server[endpoint], '--transport', transport, '--silent'],
      env: { MCP_REMOTE_CONFIG_DIR: folder },
      cwd: folder,
    }))
    expect(direct.filter((line) => line.startsWith('pass')).length).toBeGreaterThan(150)
    // mcp-remote does not answer invalid JSON, so there is no error to examine.
    expect(bridged.filter((line) => !direct.includes(line))).toEqual([
      'not applicable TOOL-MCP-15 returns -32700 for invalid JSON',
    ])
    expect(bridged.length).toBe(direct.length)
  },
)
