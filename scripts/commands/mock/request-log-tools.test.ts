import { afterEach, expect, test } from 'vitest'
import {
  mockOf,
  type RequestEntry,
  type Running,
  type StartOptions,
} from '../../../mocks/registry.ts'
import { initialize } from '../command.testing.ts'

const started: Running[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((mock) => mock.close()))
})

/** Starts the tool server. `logged` waits until so many lines have been logged. */
async function startTools(options: Partial<StartOptions> = {}) {
  const entries: RequestEntry[] = []
  const mock = await mockOf('tools').start({
    kind: 'stateful',
    ports: { mcp: 0 },
    serving: { onRequest: (entry) => void entries.push(entry) },
    ...options,
  })
  started.push(mock)
  const logged = async (count: number) => {
    await expect.poll(() => entries.length).toBeGreaterThanOrEqual(count)
    return entries.slice(0, count)
  }
  return { ...mock, logged }
}

const json = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  })
  await response.text()
  return response.headers.get('mcp-session-id') ?? ''
}

const ask = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 2, method, params })
const callTool = (name: string, input: object) => ask('tools/call', { name, arguments: input })

const failures = [
  {
    request: ask('nowhere/list'),
    expected: {
      reason: 'JSON-RPC error -32601: Method not found: nowhere/list',
      requirement: 'TOOL-MCP-08',
    },
  },
  {
    request: callTool('no_tool', {}),
    expected: {
      reason: 'JSON-RPC error -32602: Unknown tool: no_tool',
      requirement: 'TOOL-CALL-06',
    },
  },
  {
    request: callTool('shelf_get_book', {}),
    expected: {
      reason: expect.stringMatching(
        /^isError: Error: Invalid input for shelf_get_book: id/,
      ) as string,
    },
  },
]

test('a call that fails is logged with its reason, although its status is 200', async () => {
  const { urls, logged } = await startTools()
  const session = await post(urls['mcp']!, initialize)
  for (const { request } of failures)
    await post(urls['mcp']!, request, { 'mcp-session-id': session })
  await post(urls['mcp']!, callTool('shelf_get_book', { id: 'b-001' }), {
    'mcp-session-id': session,
  })
  const [opened, ...entries] = await logged(failures.length + 2)
  expect(entries.slice(0, -1)).toMatchObject(
    failures.map(({ expected }) => ({ status: 200, ...expected })),
  )
  for (const entry of [opened, entries.at(-1)]) expect(entry).not.toHaveProperty('reason')
})

test('over HTTP+SSE, the failure of a call is a line of the log', async () => {
  const { urls, logged } = await startTools()
  const stop = new AbortController()
  const stream = await fetch(urls['sse']!, { signal: stop.signal })
  const { value } = await stream.body!.getReader().read()
  const path = /data: (\S+)/.exec(new TextDecoder().decode(value))![1]!
  const messages = new URL(path, urls['sse']).href
  try {
    await post(messages, initialize)
    await post(messages, callTool('no_tool', {}))
    const entries = await logged(3)
    expect(entries.map(({ status }) => status).filter((status) => status === 202)).toHaveLength(2)
    expect(entries).toContainEqual({
      at: expect.any(String) as string,
      server: 'tools',
      call: 'tools/call no_tool',
      ms: expect.any(Number) as number,
      reason: 'JSON-RPC error -32602: Unknown tool: no_tool',
      requirement: 'TOOL-CALL-06',
    })
  } finally {
    stop.abort()
  }
})

test('a refused request is logged with its requirement', async () => {
  const { urls, logged } = await startTools()
  const url = urls['mcp']!
  await post(url, ask('tools/list'))
  await post(url, ask('tools/list'), { 'mcp-session-id': 'ended' })
  const session = await post(url, initialize)
  await post(url, ask('tools/list'), { 'mcp-session-id': session, 'mcp-protocol-version': '1' })
  const entries = (await logged(4)).map(({ status, requirement }) => [status, requirement])
  expect(entries).toEqual([
    [400, 'TOOL-HTTP-07'],
    [404, 'TOOL-HTTP-06'],
    [200, undefined],
    [400, 'TOOL-HTTP-08'],
  ])
})

test.each([
  ['jwt', ['AUTH-JWT-02', 'AUTH-JWT-27', 'AUTH-JWT-04']],
  ['oauth-provider', ['AUTH-RESOURCE-02', 'AUTH-RESOURCE-02', 'AUTH-RESOURCE-03']],
] as const)(
  'with --auth %s, a refused token is logged with its requirement',
  async (auth, known) => {
    const { urls, logged } = await startTools({ auth })
    for (const headers of [{}, { authorization: 'Basic x' }, { authorization: 'Bearer x' }])
      await post(urls['mcp']!, initialize, headers as Record<string, string>)
    expect(await logged(3)).toMatchObject(
      known.map((requirement) => ({ requirement, reason: expect.any(String) as string })),
    )
  },
)

test('with --auth oauth-provider, a refused login is logged with its reason', async () => {
  const { urls, logged } = await startTools({ auth: 'oauth-provider' })
  const { origin } = new URL(urls['mcp']!)
  const redirectUri = 'http://127.0.0.1:9/callback'
  const registered = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ redirect_uris: [redirectUri] }),
  })
  const { client_id: client } = (await registered.json()) as { client_id: string }
  const authorize = (query: Record<string, string>) =>
    fetch(`${origin}/authorize?${new URLSearchParams(query)}`, { redirect: 'manual' })
  await authorize({ client_id: 'unknown' })
  await authorize({ client_id: client, redirect_uri: redirectUri, response_type: 'token' })
  await authorize({ client_id: client, redirect_uri: redirectUri, response_type: 'code' })
  await fetch(`${origin}/token`, { method: 'POST', body: new URLSearchParams({ code: 'x' }) })
  expect((await logged(5)).map(({ status, reason }) => [status, reason])).toEqual([
    [201, undefined],
    [400, 'This application is unknown'],
    [303, 'unsupported_response_type: response_type must be code'],
    [303, expect.stringMatching(/^invalid_request: .*code_challenge/)],
    [400, 'grant_type is missing'],
  ])
})
