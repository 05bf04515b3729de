import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { startServer } from '../tools.testing.ts'

const entry = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js',
)

interface Scenario {
  name: string
  passed: number
  failed: number
}

/** Runs the server scenarios of the MCP project's conformance tool; returns their counts. */
async function runScenarios(url: string, suite: string): Promise<Scenario[]> {
  const child = spawn(process.execPath, [entry, 'server', '--url', url, '--suite', suite], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  await new Promise((resolve, reject) => {
    child.once('close', resolve).once('error', reject)
  })
  return [...output.matchAll(/^\S ([\w-]+): (\d+) passed, (\d+) failed$/gm)].map(
    ([, name = '', passed, failed]) => ({ name, passed: Number(passed), failed: Number(failed) }),
  )
}

test("every scenario of the MCP project's conformance tool passes with all fixtures", async () => {
  const { mcp } = await startServer({ everything: true })
  const scenarios = await runScenarios(mcp, 'all')
  expect(scenarios.filter(({ failed }) => failed > 0)).toEqual([])
  // 30 scenarios are active, and two are pending. None of the checks in the pending scenario
  // server-sse-polling applies to the negotiated protocol revision.
  expect([scenarios.length, scenarios.reduce((sum, { passed }) => sum + passed, 0)]).toEqual([
    32, 44,
  ])
})

test('without the fixtures, only scenarios that need them fail', async () => {
  const { mcp } = await startServer()
  const scenarios = await runScenarios(mcp, 'active')
  expect(
    scenarios.filter(({ failed }) => failed === 0).map(({ name, passed }) => [name, passed]),
  ).toEqual([
    ['server-initialize', 1],
    ['logging-set-level', 1],
    ['ping', 1],
    ['tools-list', 1],
    ['server-sse-multiple-streams', 2],
    ['resources-list', 1],
    ['dns-rebinding-protection', 2],
  ])
})
