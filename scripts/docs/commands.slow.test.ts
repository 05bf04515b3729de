import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBlocks, readCommands } from './commands.ts'

// Runs the commands of README.md and of some pages in docs/ in a temporary folder. Replaces only
// addresses and ports, and limits runs of the suite to one requirement. The conformance tool of the
// MCP project has a separate test, mocks/stateful/tools/everything/official.test.ts.
const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = [
  'README.md',
  'docs/testing.md',
  'docs/mocking.md',
  'docs/deliveries.md',
  'docs/types.md',
  'docs/ci.md',
]
const cases = (
  await Promise.all(
    pages.map(async (page) =>
      readCommands(await readFile(join(root, page), 'utf8')).map((command) => ({ page, command })),
    ),
  )
)
  .flat()
  .filter(({ command }) => !command.startsWith('npx @modelcontextprotocol/conformance'))
const isForThisCheckout = ({ command }: { command: string }) => command.startsWith('npm ')

interface Started {
  child: ChildProcess
  output: string
  ended: Promise<number | null>
}

let folder: string
const background: Started[] = []
/** Maps an address in the documents to the address of a server that this test has started. */
const addresses = new Map<string, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-docs-'))
  // A script that replaces npx, and runs the command of this checkout.
  await writeFile(
    join(folder, 'npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(root, 'dist/scripts/touchstone.js')}" "$@"\n`,
    { mode: 0o755 },
  )
  const stateful = await startAndReadLine('npx touchstone mock --stateful --port 0 --json')
  const stateless = {
    images: await startAndReadLine('npx touchstone mock images --port 0 --json'),
    tools: await startAndReadLine('npx touchstone mock tools --stateless --port 0 --json'),
  }
  const listener = await startAndReadLine('npx touchstone listen --save deliveries --port 0 --json')
  const urlOf = (name: string, host: string, line = stateful) =>
    (JSON.parse(line) as { mocks: Record<string, { urls: Record<string, string> }> }).mocks[name]!
      .urls[host]!
  for (const [documented, served] of [
    [
      'http://127.0.0.1:4010/client/v4/accounts',
      `${urlOf('images', 'account', stateless.images)}/accounts`,
    ],
    ['http://127.0.0.1:4010/client/v4', urlOf('images', 'account')],
    ['http://127.0.0.1:8080/client/v4', urlOf('images', 'account')],
    ['http://127.0.0.1:8020/api/v4', urlOf('hooks', 'api')],
    ['http://127.0.0.1:4010', new URL(urlOf('images', 'account')).origin],
    ['http://127.0.0.1:4020', new URL(urlOf('hooks', 'api')).origin],
    ['http://127.0.0.1:4050/mcp', urlOf('tools', 'mcp', stateless.tools)],
    ['http://127.0.0.1:9000/hook', urlOf('receiver', 'receiver')],
    ['http://127.0.0.1:4040/hook', (JSON.parse(listener) as { url: string }).url],
    ['127.0.0.1:50051', urlOf('greeting', 'rpc')],
    ['http://127.0.0.1:8000/mcp', urlOf('tools', 'mcp')],
  ] as const)
    addresses.set(documented, served)
  // The hook that docs/mocking.md reads.
  await fetch(`${urlOf('hooks', 'api')}/projects/42/hooks`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': 'hooks-token', 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: urlOf('receiver', 'receiver') }),
  })
  const targetFile = readBlocks(await readFile(join(root, 'docs/testing.md'), 'utf8'), 'yaml')[0]!
  await writeFile(join(folder, 'touchstone.yaml'), withRealAddresses(targetFile))
})

afterAll(async () => {
  for (const { child } of background) child.kill()
  await Promise.all(background.map(({ ended }) => ended))
  await rm(folder, { recursive: true, force: true })
})

test('the documents contain commands', () => {
  expect(cases.length).toBeGreaterThan(15)
})

test('the script in docs/mocking.md starts a mock, prints its URL, and stops it', async () => {
  const page = await readFile(join(root, 'docs/mocking.md'), 'utf8')
  const [script] = readBlocks(page, 'bash')
  const bin = join(folder, 'node_modules/.bin')
  await mkdir(bin, { recursive: true })
  await writeFile(
    join(bin, 'touchstone'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/scripts/touchstone.js')}" "$@"\n`,
    { mode: 0o755 },
  )
  await writeFile(join(folder, 'script.sh'), script!)
  const started = start('sh script.sh')
  expect(await started.ended, started.output).toBe(0)
  const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/\S*$/m.exec(started.output) ?? []
  await expect
    .poll(() => fetch(origin!).catch(() => 'stopped'), { timeout: 60_000 })
    .toBe('stopped')
})

test.each(cases.filter(isForThisCheckout))(
  '$page: `$command` names a script',
  async ({ command }) => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const [, name] = /^npm ci && npm (?:run )?(\w+)$/.exec(command) ?? []
    expect(Object.keys(scripts)).toContain(name)
  },
)

test.each(cases.filter((one) => !isForThisCheckout(one)))(
  '$page: `$command` works',
  async ({ command }) => {
    const real = withRealAddresses(command)
    if (/^npx touchstone (mock|listen)\b/.test(real)) return runUntilReady(`${real} --port 0`)
    if (/^curl /.test(real)) return expectStatusOfFetch(real)
    if (/^npx touchstone test\b/.test(real)) return expectSuccess(`${real} --only ${requirements}`)
    if (/^npx touchstone compare\b/.test(real)) await writeReports(real)
    expect(real).toMatch(/^npx touchstone (emit|validate|types|compare|clean|docs)\b/)
    return expectSuccess(real)
  },
)

/** One requirement for each kind of server, so that a run is short. */
const requirements = 'IMG-GET-01,HOOK-AUTH-01,EVT-RECEIVER-01,GRT-SERVICE-02,TOOL-SERVER-01'

/** Writes a report to each folder that a command compares. */
async function writeReports(command: string): Promise<void> {
  for (const folder of new Set(command.match(/\S*report\b/g)))
    await expectSuccess(
      `npx touchstone test --bundled --only IMG-GET-01 --no-strict --report ${folder}`,
    )
}

function withRealAddresses(documented: string): string {
  let real = documented
  for (const [from, to] of addresses) real = real.replaceAll(from, to)
  return real
}

function start(command: string): Started {
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NO_COLOR: '1',
      PATH: `${folder}:${process.env.PATH}`,
      IMAGES_TOKEN: 'images-token',
      IMAGES_LIMITED_TOKEN: 'images-limited-token',
      HOOKS_TOKEN: 'hooks-token',
      RECEIVER_SECRET: 'receiver-secret',
      GREETING_TOKEN: 'greeting-token',
    },
  })
  const started: Started = {
    child,
    output: '',
    ended: new Promise((resolve) => {
      child.on('close', resolve)
    }),
  }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      started.output += String(chunk)
    })
  return started
}

async function waitForOutput(started: Started, expected: RegExp): Promise<void> {
  while (!expected.test(started.output) && started.child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(started.output).toMatch(expected)
}

async function startAndReadLine(command: string): Promise<string> {
  const started = start(command)
  background.push(started)
  await waitForOutput(started, /\n/)
  return started.output.slice(0, started.output.indexOf('\n'))
}

async function runUntilReady(command: string): Promise<void> {
  const started = start(command)
  try {
    await waitForOutput(started, /Ctrl-C|^\{.*\n/s)
  } finally {
    started.child.kill()
  }
  expect(await started.ended, started.output).toBe(0)
}

async function expectSuccess(command: string): Promise<void> {
  const started = start(command)
  expect(await started.ended, `${command}\n${started.output}`).toBe(0)
}

/** Sends the request of a curl command with `fetch`, because curl is not installed everywhere. */
async function expectStatusOfFetch(command: string): Promise<void> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
  const valuesOf = (option: string) => words.filter((_, at) => words[at - 1] === option)
  const [data] = valuesOf('-d')
  const headers = new Headers(
    data === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' },
  )
  for (const header of valuesOf('-H')) {
    const [name = '', ...value] = header.split(/: ?/)
    headers.set(name, value.join(':'))
  }
  const response = await fetch(
    words.find((word) => word.startsWith('http:'))!,
    {
      headers,
      method: valuesOf('-X')[0] ?? (data === undefined ? 'GET' : 'POST'),
      ...(data === undefined ? {} : { body: valuesOf('-d').join('&') }),
    },
  )
  const [, code] = /code=(\d+)/.exec(command) ?? []
  if (code === undefined) expect(response.ok, String(response.status)).toBe(true)
  else expect(response.status).toBe(Number(code))
}
