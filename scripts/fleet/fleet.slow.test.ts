import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandOf } from '../commands/command.testing.ts'
import { describe as describeTestCommand } from '../commands/test.ts'

// Runs the scripts of examples/fleet with 200 targets. One process of `touchstone test` needs about
// 0.5 s of processor time, so 200 of them need 100 s. Therefore the scripts test 24 targets in
// their own processes, among them those that hang, crash, and are killed. The other 176 targets are
// tested in this process, by the same command, because these only fill the list and the comparison.
const root = fileURLToPath(new URL('../../', import.meta.url))
const count = 200
const inProcesses = 24
const atOnce = 2
/** The indexes of targets with a problem. */
const hanging = 3
const crashing = 5
const killed = 7

let folder: string
const servers: Server[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-fleet-'))
  for (const name of ['test-target.sh', 'compare.sh'])
    cpSync(join(root, 'examples/fleet', name), join(folder, name))
  // This script replaces npx, and runs the command of this checkout.
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(root, 'dist/scripts/touchstone.js')}" "$@"\n`,
    { mode: 0o755 },
  )
  mkdirSync(join(folder, 'targets'))
  const fleet = await listen((request, response) => {
    // The server that hangs accepts connections, and never responds.
    if (request.url !== `/mcp/${hanging}` && request.url !== `/mcp/${killed}`)
      answerAsToolServer(request, response)
  })
  const crashes = await listen(() => {
    crashes.server.closeAllConnections()
    crashes.server.close()
  })
  for (let index = 0; index < count; index += 1) {
    const http = index === crashing ? `${crashes.url}/mcp` : `${fleet.url}/mcp/${index}`
    // The run of the hanging target must end by itself; that of the killed target must not, because
    // the script kills it.
    const timeout = index === hanging ? '500ms' : '10m'
    writeFileSync(
      join(folder, 'targets', `${nameOf(index)}.yaml`),
      `tools: { http: '${http}' }\nsuite: { timeout: ${timeout} }\n`,
    )
  }
  const names = Array.from({ length: count }, (_, index) => `targets/${nameOf(index)}.yaml`)
  writeFileSync(join(folder, 'targets.txt'), `${names.join('\n')}\n`)
})

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  rmSync(folder, { recursive: true })
})

const nameOf = (index: number) => `server-${String(index).padStart(3, '0')}`

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; server: Server }> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** Answers as an MCP server with one tool. It has no sessions. */
function answerAsToolServer(request: IncomingMessage, response: ServerResponse): void {
  let text = ''
  request.on('data', (chunk) => {
    text += String(chunk)
  })
  request.on('end', () => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method } = JSON.parse(text) as { id?: number; method: string }
    if (id === undefined) return void response.writeHead(202).end()
    const result =
      method === 'initialize'
        ? {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'fleet_mcp', version: '1' },
          }
        : {
            tools: [{ name: 'fleet_list_ships', inputSchema: { type: 'object', properties: {} } }],
          }
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
}

/** Runs a script of the example. Returns its exit status and its output. */
async function runScript(name: string, environment: NodeJS.ProcessEnv = {}) {
  const child = spawn('sh', [name], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH}`,
      NO_COLOR: '1',
      FLEET_ARGUMENTS: '--only TOOL-SERVER-01 --reporter console,json',
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk)
    })
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { status, output }
}

test('every target of a fleet is tested and named, although some hang, crash or are killed', async () => {
  const statuses = new Map<number, number | null>()
  const indexes = Array.from({ length: inProcesses }, (_, index) => index).values()
  const work = async () => {
    for (const index of indexes) {
      const { status } = await runScript('test-target.sh', {
        JOB_COMPLETION_INDEX: String(index),
        FLEET_TIMEOUT: index === killed ? '3' : '600',
      })
      statuses.set(index, status)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  // An index fails, and is repeated, only if it has no result.
  for (const [index, status] of statuses)
    expect([index, status]).toEqual([index, index === killed ? 1 : 0])
  // A pod that is killed at once leaves nothing.
  rmSync(join(folder, 'reports', nameOf(killed)), { recursive: true })

  const touchstone = commandOf('test', describeTestCommand)
  for (let index = inProcesses; index < count; index += 1) {
    const report = join(folder, 'reports', nameOf(index))
    const { status } = await touchstone(
      ...['--target', join(folder, 'targets', `${nameOf(index)}.yaml`), '--report', report],
      ...['--only', 'TOOL-SERVER-01', '--reporter', 'console,json'],
    )
    writeFileSync(join(report, 'exit.txt'), `${status}\n`)
  }

  const exitOf = (index: number) =>
    readFileSync(join(folder, 'reports', nameOf(index), 'exit.txt'), 'utf8').trim()
  const problems = [hanging, crashing, killed]
  for (let index = 0; index < count; index += 1)
    if (!problems.includes(index)) expect([index, exitOf(index)]).toEqual([index, '0'])
  expect(exitOf(hanging)).toBe('1')
  expect(['1', '3']).toContain(exitOf(crashing))
  expect(readdirSync(join(folder, 'reports'))).toHaveLength(count - 1)

  const { status, output } = await runScript('compare.sh')
  expect(status, output).toBe(3)
  // A long reason continues in an indented line.
  const lines = output.replace(/\n {2,}/g, ' ').split('\n')
  expect(lines.slice(0, count).map((line) => line.split(' ')[0])).toEqual(
    Array.from({ length: count }, (_, index) => nameOf(index)),
  )
  for (const [index, line] of lines.slice(0, count).entries())
    if (!problems.includes(index))
      expect(line).toBe(`${nameOf(index)}  selected checks: conformant`)
  expect(lines[hanging]).toContain('not conformant: the checks could not run')
  expect(lines[crashing]).toMatch(/not conformant|no result/)
  expect(lines[killed]).toBe(`${nameOf(killed)}  no result: there is no report.json`)
  const page = readFileSync(join(folder, 'reports/comparison.html'), 'utf8')
  for (let index = 0; index < count; index += 1) expect(page).toContain(`<b>${nameOf(index)}</b>`)
})

test('a job with a wrong index fails, and explains why', async () => {
  expect(await runScript('test-target.sh', { JOB_COMPLETION_INDEX: '200' })).toEqual({
    status: 64,
    output: 'targets.txt has no line for index 200\n',
  })
})
