import { createServer, type RequestListener } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startGreeting } from '../../mocks/stateful/greeting.ts'
import { startImages } from '../../mocks/stateful/images.ts'
import { startTools } from '../../mocks/stateful/tools.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeTestCommand } from './test.ts'
import { flagsOfAddress } from './test/address.ts'

const touchstone = commandOf('test', describeTestCommand)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-address-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs one check of the server at an address. */
const run = (...args: string[]) =>
  touchstone(...args, '--report', join(folder, 'report'), '--only', 'GRT-RPC-01,TOOL-HINT-01')

/** Starts a server, and returns its URL. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('recognizes a greeting service at a host with a port', async () => {
  const server = await startGreeting({ port: 0 })
  onTestFinished(() => server.close())
  const { status, out, error } = await run(server.address)
  expect(error).toBe(`${server.address} is a greeting service (--greeting-address)\n`)
  expect(out).toContain('1 passed')
  expect(status).toBe(0)
})

test.for([
  ['http', 'an MCP server (--tools-http)'],
  ['sse', 'an MCP server with the HTTP+SSE transport (--tools-sse)'],
] as const)('recognizes an MCP server with the transport %s', async ([transport, kind]) => {
  const server = await startTools({ transports: [transport] })
  onTestFinished(() => server.close())
  const url = transport === 'sse' ? server.sse : server.mcp
  const { status, error } = await run(url)
  expect(error).toBe(`${url} is ${kind}\n`)
  expect(status).toBe(0)
})

test.for([
  ['/mcp', {}, '--tools-http'],
  ['/sse', {}, '--tools-sse'],
  ['/', { 'WWW-Authenticate': 'Bearer resource_metadata="http://127.0.0.1/x"' }, '--tools-http'],
] as const)(
  'recognizes an MCP server at %s that requires a token',
  async ([path, head, option]) => {
    const url = (await listen((_, response) => response.writeHead(401, head).end())) + path
    const { error } = await run(url, '--list')
    expect(error).toMatch(new RegExp(`^${url} is an MCP server.* \\(${option}\\)\n$`))
  },
)

test('keeps port 80, which a URL leaves out', async () => {
  vi.doMock('../../conformance/preflight.ts', () => ({ findUnreachable: async () => undefined }))
  vi.doMock('../../conformance/recognition.ts', () => ({
    recognize: async () => ({ key: 'greeting.address', responses: [] }),
  }))
  onTestFinished(() => vi.doUnmock('../../conformance/preflight.ts'))
  onTestFinished(() => vi.doUnmock('../../conformance/recognition.ts'))
  expect(await flagsOfAddress('127.0.0.1:80', { isAccountSet: false })).toEqual({
    'greeting.address': '127.0.0.1:80',
  })
})

test('recognizes an image API, and asks for its account', async () => {
  const server = await startImages({})
  onTestFinished(() => server.close())
  const { status, error } = await run(server.accountUrl)
  expect(error).toBe(
    `error: ${server.accountUrl} is an image API. Next: add --account, such as --account acc-1.\n`,
  )
  expect(status).toBe(3)
})

test.for([
  ['--account', 'acc-1', 'images', 'IMAGES_TOKEN'],
  ['--project', '42', 'hooks', 'HOOKS_TOKEN'],
] as const)(
  '%s determines the kind of server, without a request to it',
  async ([option, id, section]) => {
    let requests = 0
    const url = await listen((_, response) => {
      requests += 1
      response.end()
    })
    const { status, out } = await touchstone(
      ...[url.replace('http://', ''), option, id, '--list', '--json'],
      ...[`--${section}-token`, 'kept-for-tests'],
    )
    expect(status).toBe(0)
    const checks = JSON.parse(out) as { section: string }[]
    expect(new Set(checks.map((check) => check.section))).toEqual(new Set([section]))
    expect(requests).toBe(0)
  },
)

test.for([
  [
    404,
    'all responses have the status 404. Next: check the path, such as /mcp, /client/v4 or /api/v4',
  ],
  [405, 'all responses have the status 405. Next: check the path, such as /mcp'],
  [403, 'all responses have the status 403, so they do not show what kind of server this is: it'],
  [500, 'all responses have the status 500, so they do not show what kind of server this is. N'],
  [204, 'the responses do not show what kind of server this is. Next:\n'],
] as const)(
  'lists what to add if responses with the status %i do not show the kind',
  async ([code, message]) => {
    const url = await listen((_, response) => response.writeHead(code).end())
    const { status, error } = await run(url)
    expect(error).toContain(`error: ${url}: ${message}`)
    expect(error).toContain('--receiver-url URL')
    expect(status).toBe(3)
  },
)

test('names the statuses if they differ, and says if there is no response', async () => {
  const mixed = await listen((request, response) =>
    response.writeHead(request.method === 'POST' ? 401 : 404).end(),
  )
  expect((await run(mixed)).error).toContain('all responses have the status 401 or 404, so they')
  const closing = await listen((request) => request.socket.destroy())
  expect((await run(closing)).error).toContain('the server does not respond over HTTP (no complete')
})

test.for([
  [['127.0.0.1:1'], '127.0.0.1:1: connection refused. Is the server running? (the address on'],
  [
    ['ftp://127.0.0.1/'],
    'ftp://127.0.0.1/ is neither an http: or https: URL nor a host with a port.',
  ],
  [
    ['stdio:python3 server.py --stdio'],
    `--tools-stdio-command python3 --tools-stdio-args '["server.py","--stdio"]'\n`,
  ],
  [['sse:http://127.0.0.1:1/sse'], 'Next: --tools-sse http://127.0.0.1:1/sse'],
  [['--account', 'acc-1'], '--account needs the URL of an image API'],
  [['--project', '42'], '--project needs the URL of a webhook API'],
  [['http://a', '--account', 'a', '--project', '4'], '--account is for image APIs, and --project'],
  [['http://a', '--account', 'a', '--images-url', 'http://b'], '--images-url and http://a exclude'],
] as const)('refuses %j', async ([args, message]) => {
  const { status, error } = await run(...args)
  expect(error).toContain(message)
  expect(status).toBe(3)
})
